"""The server: what the protocol asks for, answered by the modules beside it."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, BinaryIO, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from rocecfg.lsp.actions import FIX_ALL, ClientAbilities, NotFixed, is_ours, list_actions, resolve_action
from rocecfg.lsp.completion import list_completions
from rocecfg.lsp.fabrics import JudgedFabric, Judgement, is_in_format, is_intent, merge_diagnostics
from rocecfg.lsp.frames import Frames, Malformed
from rocecfg.lsp.hover import make_hover
from rocecfg.lsp.navigate import KnownNames, Navigator, collect_names
from rocecfg.lsp.outline import make_flat_symbols, make_symbols
from rocecfg.lsp.protocol import uri_of
from rocecfg.lsp.rpc import AnswerStream, Protocol, RefusedRequest
from rocecfg.lsp.texts import OpenText, OpenTexts
from rocecfg.lsp.work import Work

_DELAY = 0.2  # seconds without a keystroke before a text is judged
_WATCHED = ("**/*.{yaml,yml}", "**/*.csv", "**/{rocecfg,pyproject}.toml")
_TRIGGERS = [" ", "[", "{", ","]
T = TypeVar("T")


class Server(LanguageServer):
    """One session with one editor."""

    protocol: Protocol

    def __init__(self, version: str, allowed: tuple[str, ...] = ()) -> None:
        super().__init__("rocecfg", version, protocol_cls=Protocol, max_workers=2)
        self.buffers = OpenTexts()
        self._allowed = allowed
        self._work: Work | None = None
        self._sent: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}  # by path
        self._uris: dict[str, str] = {}  # path -> how the editor wrote it
        self._shown_once: set[str] = set()
        self._names = KnownNames()
        self._pool = ThreadPoolExecutor(2, "rocecfg-answer")
        kinds = [types.CodeActionKind.QuickFix, FIX_ALL]
        for name, answer, options in (
            (types.INITIALIZE, self._initialize, None),
            (types.INITIALIZED, self._initialized, None),
            (types.SHUTDOWN, self._shutdown, None),
            (types.TEXT_DOCUMENT_DID_OPEN, self._did_open, None),
            (types.TEXT_DOCUMENT_DID_CHANGE, self._did_change, None),
            (types.TEXT_DOCUMENT_DID_SAVE, self._did_save, None),
            (types.TEXT_DOCUMENT_DID_CLOSE, self._did_close, None),
            (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._did_change_files, None),
            (types.TEXT_DOCUMENT_HOVER, self._hover, None),
            (types.TEXT_DOCUMENT_COMPLETION, self._completion, types.CompletionOptions(trigger_characters=_TRIGGERS)),
            (types.TEXT_DOCUMENT_DEFINITION, self._definition, None),
            (types.TEXT_DOCUMENT_REFERENCES, self._references, None),
            (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, self._symbols, None),
            (types.TEXT_DOCUMENT_CODE_ACTION, self._code_action, types.CodeActionOptions(kinds, resolve_provider=True)),
            (types.CODE_ACTION_RESOLVE, self._resolve, None),
        ):
            # pygls marks what it is given, and a method takes no marks
            self.feature(name, options)(self._guard(answer) if asyncio.iscoroutinefunction(answer) else partial(answer))

    @property
    def work(self) -> Work:
        """The work on fabrics; it needs a running loop."""
        if self._work is None:
            self._work = Work(self.buffers, self._publish, self._report_failure, self._allowed)
        return self._work

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ARG002 - wherever it came from
        """An error nobody waits for goes to the editor's log, never to its screen."""
        if isinstance(error, RefusedRequest):
            self._log(f"ignored: {error.message}", types.MessageType.Warning)
        elif not isinstance(error, JsonRpcException) or isinstance(error, JsonRpcInternalError):
            self._report_failure(error)  # the others answered a request

    def listen(self, requests: BinaryIO, answers: BinaryIO) -> bool:
        """Serve until the editor ends the session, or is gone; gives whether it asked for the end."""
        out = AnswerStream(answers)
        self.protocol.set_writer(out)
        try:
            asyncio.run(self._listen(Frames(requests), out))
        except (KeyboardInterrupt, SystemExit):  # the latter: how pygls takes `exit`
            pass
        finally:
            self._pool.shutdown(wait=False, cancel_futures=True)
            super().shutdown()  # type: ignore[no-untyped-call]
        return self.protocol.ended

    async def _listen(self, frames: Frames, out: AnswerStream) -> None:
        loop = asyncio.get_running_loop()
        while not out.gone:
            try:
                body = await loop.run_in_executor(self.thread_pool, frames.read_next)
            except Malformed as error:
                self.protocol.refuse_frame(str(error))
                continue
            if body is None:
                break
            self.protocol.handle_body(frames, body)
        self.work.stop()

    # -- life ----------------------------------------------------------------------------------------------------------

    def _initialize(self, params: types.InitializeParams) -> None:  # noqa: ARG002 - pygls has read them
        encoding = self.workspace.position_encoding
        self.protocol.begun = True
        self.buffers.encoding = types.PositionEncodingKind(encoding or types.PositionEncodingKind.Utf16)

    def _initialized(self, params: types.InitializedParams) -> None:  # noqa: ARG002 - there is nothing in them
        if _has_nested(self.client_capabilities, "workspace", "did_change_watched_files", "dynamic_registration"):
            watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in _WATCHED]
            self.client_register_capability(
                types.RegistrationParams(
                    [
                        types.Registration(
                            "rocecfg-files",
                            types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                            types.DidChangeWatchedFilesRegistrationOptions(watchers),
                        )
                    ]
                )
            )

    def _shutdown(self, params: None) -> None:  # noqa: ARG002 - the protocol has none
        self.protocol.ended = True
        self.work.stop()

    # -- texts ---------------------------------------------------------------------------------------------------------

    def _did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        path = self.buffers.open(params.text_document)
        if path is not None:
            self._uris[path] = params.text_document.uri
            self.work.touch(path, 0, anew=True)

    def _did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        path = self.buffers.change(params.text_document, params.content_changes)
        if path is not None:
            self.work.touch(path, _DELAY, anew=False)

    def _did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        found = self.buffers.find(params.text_document.uri)
        if found is not None:
            self.work.touch(found[0], 0, anew=True)

    def _did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        path = self.buffers.close(params.text_document.uri)
        if path is not None:
            self.work.touch(path, 0, anew=False)

    def _did_change_files(self, params: types.DidChangeWatchedFilesParams) -> None:  # noqa: ARG002 - any may matter
        for path in self.buffers.snapshot():
            self.work.touch(path, _DELAY, anew=True)

    # -- what was found ------------------------------------------------------------------------------------------------

    def _publish(self, outcome: Judgement) -> None:
        for judged in outcome.judged.values():
            for failure in judged.run.failed if judged.run is not None else ():
                self._log(f"internal error, please report it: {failure}", types.MessageType.Error)
        known = self.work.known
        opened = self.buffers.snapshot()
        about = {path for judged in known.values() for path in judged.diagnostics}
        for path in sorted(about | self._sent.keys() | opened.keys()):
            found = merge_diagnostics(known.values(), path)
            buffer = opened.get(path)
            version = buffer.version if buffer is not None else None
            if self._sent.get(path) == (version, found):
                continue
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(self._uris.get(path) or uri_of(path), found, version)
            )
            if found or buffer is not None:
                self._sent[path] = (version, found)
            else:
                self._sent.pop(path, None)

    def _report_failure(self, error: Exception) -> None:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = f" ({os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno})" if trace else ""
        self._log(f"internal error, please report it: {type(error).__name__}: {error}{place}", types.MessageType.Error)

    def _log(self, message: str, kind: types.MessageType) -> None:
        if message not in self._shown_once:  # once is enough: it may come with every keystroke
            self._shown_once.add(message)
            self.window_log_message(types.LogMessageParams(kind, f"rocecfg: {message}"))

    # -- questions -----------------------------------------------------------------------------------------------------

    def _guard(self, answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """A question's answer, or the error that says that there is none: pygls would send a traceback along."""

        async def guarded(params: Any) -> Any:
            try:
                return await answer(params)
            except JsonRpcException:
                raise
            except Exception as error:  # noqa: BLE001 - one question without an answer must not end the session
                self._report_failure(error)
                raise JsonRpcException(f"internal error, see the log: {type(error).__name__}") from None

        return guarded

    async def _hover(self, params: types.HoverParams) -> types.Hover | None:
        found = await self._find_text(params.text_document.uri)
        if found is None:
            return None
        path, buffer, known = found
        if not is_in_format(path, buffer.text, known):
            return None
        formats = _get_nested(self.client_capabilities, "text_document", "hover", "content_format")
        kind = types.MarkupKind.PlainText
        if formats is None or types.MarkupKind.Markdown in formats:
            kind = types.MarkupKind.Markdown
        offset = buffer.lines.offset(params.position)
        return await self._run_in_pool(lambda: make_hover(buffer, offset, path, known[0] if known else None, kind))

    async def _completion(self, params: types.CompletionParams) -> list[types.CompletionItem]:
        found = self.buffers.find(params.text_document.uri)
        if found is None:
            return []
        path, buffer = found
        if not self.work.fabrics_of(path) and not is_intent(buffer.text):
            await self.work.wait_until_settled()
        if not is_in_format(path, buffer.text, self.work.fabrics_of(path)):
            return []
        offset, known = buffer.lines.offset(params.position), self.work.fabrics_of(path)
        return (
            await self._run_in_pool(lambda: list_completions(buffer, offset, path, collect_names(known, self._names)))
            or []
        )

    async def _definition(self, params: types.DefinitionParams) -> list[types.Location]:
        found = await self._make_navigator(params.text_document.uri)
        if found is None:
            return []
        navigator, buffer = found
        offset = buffer.lines.offset(params.position)
        return await self._run_in_pool(lambda: navigator.find_definition(offset)) or []

    async def _references(self, params: types.ReferenceParams) -> list[types.Location]:
        found = await self._make_navigator(params.text_document.uri)
        if found is None:
            return []
        navigator, buffer = found
        offset, declared = buffer.lines.offset(params.position), params.context.include_declaration
        return await self._run_in_pool(lambda: navigator.find_references(offset, declared=declared)) or []

    async def _symbols(self, params: types.DocumentSymbolParams) -> list[Any]:
        found = await self._make_navigator(params.text_document.uri)
        if found is None:
            return []
        navigator, buffer = found
        tree = _has_nested(
            self.client_capabilities, "text_document", "document_symbol", "hierarchical_document_symbol_support"
        )

        def answer() -> list[Any]:
            entries = navigator.make_outline()
            return make_symbols(entries, buffer.lines) if tree else make_flat_symbols(entries, buffer.uri, buffer.lines)

        return await self._run_in_pool(answer) or []

    async def _make_navigator(self, uri: str) -> tuple[Navigator, OpenText] | None:
        found = await self._find_text(uri)
        if found is None:
            return None
        path, buffer, known = found
        self._names.keep(
            {*self.buffers.snapshot(), *(p for judged in self.work.known.values() for p in judged.members)}
        )
        return Navigator(path, buffer, known, self._names, self._allowed), buffer

    async def _code_action(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        found = await self._find_text(params.text_document.uri)
        if found is None:
            return []
        path, buffer, known = found
        able = self._read_abilities()
        return await self._run_in_pool(lambda: list_actions(known, path, buffer, params, able)) or []

    async def _resolve(self, action: types.CodeAction) -> types.CodeAction:
        if not is_ours(action):
            raise JsonRpcInvalidParams("codeAction/resolve: this is not an action of rocecfg's")
        await self.work.wait_until_settled()
        known, able = list(self.work.known.values()), self._read_abilities()

        def resolve() -> types.CodeAction:
            try:
                return resolve_action(known, action, able)
            except NotFixed as error:
                why = f"rocecfg: not changed: {error}"
            message = types.ShowMessageParams(types.MessageType.Warning, why)
            loop.call_soon_threadsafe(self.window_show_message, message)
            return action

        loop = asyncio.get_running_loop()
        return await self._run_in_pool(resolve) or action

    async def _find_text(self, uri: str) -> tuple[str, OpenText, list[JudgedFabric]] | None:
        """The text of a URI and its fabrics as of that very text; None where it is not open."""
        if self.buffers.find(uri) is None:
            return None
        await self.work.wait_until_settled()
        found = self.buffers.find(uri)
        if found is None:
            return None
        path, buffer = found
        return path, buffer, self.work.fabrics_of(path)

    async def _run_in_pool(self, work: Callable[[], T]) -> T | None:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        except Exception as error:  # noqa: BLE001 - one question without an answer must not end the session
            self._report_failure(error)
            return None

    def _read_abilities(self) -> ClientAbilities:
        client = self.client_capabilities
        properties = _get_nested(client, "text_document", "code_action", "resolve_support", "properties") or ()
        return ClientAbilities(
            "edit" in properties, _has_nested(client, "workspace", "workspace_edit", "document_changes")
        )


def _get_nested(of: Any, *names: str) -> Any:
    for name in names:
        of = getattr(of, name, None)
    return of


def _has_nested(of: Any, *names: str) -> bool:
    return bool(_get_nested(of, *names))


def serve(version: str, allowed: tuple[str, ...] = ()) -> int:
    """Serve an editor over standard input and output until it says so; gives the exit code.

    `version`: ours; `allowed`: folders outside the repository that files of a fabric may be in.
    """
    logging.getLogger("pygls").addHandler(logging.NullHandler())
    logging.getLogger("pygls").propagate = False  # what matters of it is sent to the editor
    server = Server(version, allowed)
    with os.fdopen(os.dup(0), "rb") as requests, os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # whatever else is printed must not end up between messages
        orderly = server.listen(requests, answers)
    return 0 if orderly else 1
