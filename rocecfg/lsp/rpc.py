"""JSON-RPC: which message is a request, and the error that answers one that cannot be dealt with.

pygls reads and answers well-formed requests. It leaves others without an answer, for which an editor waits in vain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

from rocecfg.lsp.frames import Frames

_PARSE_ERROR = types.ErrorCodes.ParseError.value
_INVALID_REQUEST = types.ErrorCodes.InvalidRequest.value
_METHOD_NOT_FOUND = types.ErrorCodes.MethodNotFound.value
_INVALID_PARAMS = types.ErrorCodes.InvalidParams.value
_NOT_INITIALIZED = types.ErrorCodes.ServerNotInitialized.value


class RefusedRequest(Exception):
    """A request that is not dealt with: the error's code, and why."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class AnswerStream:
    """The stream to the editor. Once nobody reads it any more, what is written is dropped."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.gone = False

    def write(self, data: bytes) -> None:
        """Send bytes at once."""
        try:
            self._stream.write(data)
            self._stream.flush()
        except (OSError, ValueError):  # the pipe is broken, or closed
            self.gone = True

    def close(self) -> None:
        """End the stream."""
        try:
            self._stream.close()
        except OSError:
            self.gone = True


class Protocol(LanguageServerProtocol):
    """The protocol, which answers every request, and leaves open texts to the server.

    pygls ends the lines of texts at characters that are none to editors.
    """

    begun = False  # whether the session was initialized
    ended = False  # whether the editor asked for the end

    def handle_body(self, frames: Frames, body: bytes) -> None:
        """Deal with a message, or answer why it is not."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            frames.lose_track()
            self.refuse(None, _PARSE_ERROR, "this is not JSON in UTF-8")
            return
        number = _get_id(message)
        try:
            known = self._parse_message(message)
        except RefusedRequest as refused:
            if not isinstance(message, dict) or "id" in message or "method" not in message:
                self.refuse(number, refused.code, refused.message)
            elif refused.code == _INVALID_PARAMS:  # of a notification: nobody waits, but the editor is at fault
                self._server.report_server_error(refused, JsonRpcException)
            return
        if known is not None:
            self.handle_message(known)

    def refuse_frame(self, message: str) -> None:
        """Answer bytes that are no message at all."""
        self.refuse(None, _PARSE_ERROR, message)

    def refuse(self, number: int | str | None, code: int, message: str) -> None:
        """Answer a request with an error; None: a message that says no number."""
        error = {"code": code, "message": message}
        body = json.dumps({"jsonrpc": self.VERSION, "id": number, "error": error}).encode()
        if self.writer is not None:
            self.writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def _parse_message(self, message: Any) -> Any:
        """The message as the library has it; None for one that needs nothing done. Raises Refused."""
        if not isinstance(message, dict):
            raise RefusedRequest(_INVALID_REQUEST, "a message is one object: there are no batches in this protocol")
        if message.get("jsonrpc") != self.VERSION:
            raise RefusedRequest(_INVALID_REQUEST, 'a message says "jsonrpc": "2.0"')
        if "method" not in message:
            return self._parse_answer(message)
        method = message["method"]
        if not isinstance(method, str):
            raise RefusedRequest(_INVALID_REQUEST, "the name of a method is a string")
        if "id" in message and _get_id(message) is None:
            raise RefusedRequest(_INVALID_REQUEST, "the id of a request is a whole number or a string")
        if not isinstance(message.get("params") or {}, dict | list):
            raise RefusedRequest(_INVALID_REQUEST, "params are an object or a list")
        self._check_expected(method, is_request="id" in message)
        kind = self.get_message_type(method)
        if kind is None or not (method in self.fm.builtin_features or method in self.fm.features or _is_cancel(method)):
            raise RefusedRequest(_METHOD_NOT_FOUND, f"there is no method {method!r} here")
        if hasattr(kind, "id") != ("id" in message):
            word = "a request: it has an id" if hasattr(kind, "id") else "a notification: it has no id"
            raise RefusedRequest(_INVALID_REQUEST, f"{method} is {word}")
        known = self._structure(message, kind)
        if known is None:
            raise RefusedRequest(_INVALID_PARAMS, f"these are not the params of {method}")
        return known

    def _check_expected(self, method: str, *, is_request: bool) -> None:
        """Raises Refused for a method that is not to be called now."""
        if method == types.EXIT:
            return
        if self.ended:
            raise RefusedRequest(_INVALID_REQUEST, "the editor asked for shutdown: only exit may follow")
        if method == types.INITIALIZE:
            if self.begun and is_request:
                raise RefusedRequest(_INVALID_REQUEST, "the session is initialized already")
        elif not self.begun:
            raise RefusedRequest(_NOT_INITIALIZED, "initialize comes first")

    def _parse_answer(self, message: Mapping[str, Any]) -> Any:
        """An answer of the editor. Raises Refused for what is none; None for one that cannot be read."""
        if "id" not in message or not ({"result", "error"} & message.keys()):
            raise RefusedRequest(_INVALID_REQUEST, "the method is missing")
        try:
            return self.structure_message(dict(message))
        except Exception:  # noqa: BLE001 - whatever the library makes of it: an answer is not answered
            return None

    def _structure(self, message: Mapping[str, Any], kind: type[Any]) -> Any:
        """The message as one of its kind; None where its params are not."""
        try:
            return self._converter.structure(dict(message), kind)
        except Exception:  # noqa: BLE001 - the library raises groups of whatever was wrong
            return None

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Any:
        """A text was opened."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Any:
        """A text was changed."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Any:
        """A text was closed."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None


def _is_cancel(method: str) -> bool:
    return method == types.CANCEL_REQUEST


def _get_id(message: Any) -> int | str | None:
    """The id of a message, where it is one that may be."""
    number = message.get("id") if isinstance(message, dict) else None
    return number if isinstance(number, int | str) and not isinstance(number, bool) else None
