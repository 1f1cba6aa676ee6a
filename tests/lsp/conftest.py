"""Sessions with the server; one is shared, since each costs the start of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lsp_client import Client

MODERN = {
    "textDocument": {
        "codeAction": {"resolveSupport": {"properties": ["edit"]}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


@pytest.fixture(scope="session")
def _session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    client = Client(tmp_path_factory.mktemp("workspace"), **MODERN)
    yield client
    code, error = client.stop()
    assert (code, error) == (0, "")
    assert client.strays.empty()


@pytest.fixture
def editor(_session: Client) -> Iterator[Client]:
    """An editor with what current ones understand; texts that a test opened are closed, and no error was logged."""
    since = len(_session.notes)
    yield _session
    for uri in list(_session.open_uris):
        _session.close(uri)
    assert _session.stated("window/logMessage", since) == []
