"""The protocol: tools are listed and called over standard input and output."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations

from rocecfg.mcp.tools import TOOLS, Answer, ServedFolder, ToolError, call_tool

if TYPE_CHECKING:
    from mcp.types import CallToolRequestParams

_ABOUT = (
    "rocecfg judges and renders RoCEv2 switch configuration. Validate and lint every configuration before you show it;"
    " explain a rule before you advise on it. Lines that are neither from render nor from a finding's help are guesses."
)


def serve(version: str, place: ServedFolder) -> None:
    """Serve until standard input ends."""
    anyio.run(_serve, version, place)


async def _serve(version: str, place: ServedFolder) -> None:
    async def list_tools(_: object, __: object) -> ListToolsResult:
        return ListToolsResult(tools=[_describe_tool(tool, place) for tool in TOOLS])

    async def run_tool(_: object, params: CallToolRequestParams) -> CallToolResult:
        try:
            answer = await anyio.to_thread.run_sync(call_tool, params.name, params.arguments or {}, place)
        except ToolError as error:
            answer = Answer({"error": str(error)}, failed=True)
        text = json.dumps(answer.data, ensure_ascii=False)
        content: list[Any] = [TextContent(type="text", text=text)]
        return CallToolResult(content=content, structured_content=answer.data, is_error=answer.failed)

    server: Server[Any] = Server(
        "rocecfg", version=version, instructions=_ABOUT, on_list_tools=list_tools, on_call_tool=run_tool
    )
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


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
