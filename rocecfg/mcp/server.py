"""The protocol: tools are listed and called over standard input and output."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import CallToolResult, ErrorData, JSONRPCError, ListToolsResult, TextContent, Tool, ToolAnnotations

from rocecfg.mcp.tools import TOOLS, Answer, Call, ServedFolder, ToolError, call_tool

if TYPE_CHECKING:
    from anyio.abc import ObjectReceiveStream, ObjectSendStream
    from mcp.types import CallToolRequestParams

_PARSE_ERROR = -32700  # of JSON-RPC 2.0

_ABOUT = (
    "rocecfg checks and renders RoCEv2 switch configuration. Validate and lint every configuration before you show "
    "it; explain a rule before you advise on it. Lines that are neither from render nor from a finding's help are "
    "guesses."
)


def serve(version: str, place: ServedFolder) -> None:
    """Serve until standard input ends."""
    anyio.run(_serve, version, place)


async def _serve(version: str, place: ServedFolder) -> None:
    async def list_tools(_: object, __: object) -> ListToolsResult:
        return ListToolsResult(tools=[_describe_tool(tool, place) for tool in TOOLS])

    async def run_tool(_: object, params: CallToolRequestParams) -> CallToolResult:
        answer = await _run_cancellable(params.name, params.arguments or {}, place)
        text = json.dumps(answer.data, ensure_ascii=False)
        text = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")  # names of files may be no characters
        content: list[Any] = [TextContent(type="text", text=text)]
        return CallToolResult(content=content, structured_content=json.loads(text), is_error=answer.failed)

    server: Server[Any] = Server(
        "rocecfg", version=version, instructions=_ABOUT, on_list_tools=list_tools, on_call_tool=run_tool
    )
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as tasks:
        into, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        tasks.start_soon(_answer_unread, incoming, into, outgoing)
        await server.run(messages, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _answer_unread(
    incoming: ObjectReceiveStream[SessionMessage | Exception],
    into: ObjectSendStream[SessionMessage | Exception],
    outgoing: ObjectSendStream[SessionMessage],
) -> None:
    """Hand messages on, and answer those that could not be read, which would be waited for: half a surrogate pair."""
    async with into:
        async for message in incoming:
            if isinstance(message, Exception):
                error = ErrorData(code=_PARSE_ERROR, message=f"not a message: {_explain_unread(message)}"[:300])
                answer = JSONRPCError(jsonrpc="2.0", id=_find_id(message), error=error)
                await outgoing.send(SessionMessage(answer))
            else:
                await into.send(message)


def _explain_unread(error: Exception) -> str:
    first: list[Any] = getattr(error, "errors", list)()[:1]
    return str(first[0]["msg"] if first else error)


def _find_id(error: Exception) -> int | str | None:
    """The id of the message that could not be read, where Python's more lenient reader finds one."""
    for found in getattr(error, "errors", list)()[:1]:
        try:
            message = json.loads(found["input"])
        except (TypeError, ValueError, RecursionError):
            return None
        number = message.get("id") if isinstance(message, dict) else None
        if isinstance(number, (int, str)) and str(number).isprintable():  # no half of a surrogate pair is
            return number
    return None


async def _run_cancellable(name: str, arguments: dict[str, Any], place: ServedFolder) -> Answer:
    """The answer of a tool. A call that is cancelled, or whose client is gone, has its process ended."""
    call = Call()

    async def end_when_cancelled() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            call.end()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(end_when_cancelled)
        try:
            answer = await anyio.to_thread.run_sync(call_tool, name, arguments, place, call)
        except ToolError as error:
            answer = Answer({"error": str(error)}, failed=True)
        tasks.cancel_scope.cancel()
    return answer


def _describe_tool(tool: Any, place: ServedFolder) -> Tool:
    writes = tool.writes and place.write
    return Tool(
        name=tool.name,
        title=tool.title,
        description=tool.about,
        input_schema=tool.schema(),
        annotations=ToolAnnotations(
            read_only_hint=not writes, destructive_hint=writes, idempotent_hint=True, open_world_hint=False
        ),
    )
