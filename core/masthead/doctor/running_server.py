"""The findings of a running server, whose sandbox, environment and memory doctor doesn't share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from masthead.checking.running import OK, Finding, Level
from masthead.doctor.calls import CallError, call_server
from masthead.doctor.views import show_server_status
from masthead.errors import StartError
from masthead.instance import Instance
from masthead.server.options import HOST, PORT
from masthead.server.serving import http_address


def with_server_findings(
    instance: Instance, found: Sequence[Finding], url: str | None
) -> list[Finding]:
    """Return findings, in which a passed check that fails in a running server has its trouble.

    The server of this machine is asked, which needn't run.

    :param url: the address of a further server, or None.
    """
    levels = {each.name: each.level for each in instance.all_checks}
    # A connection to 0.0.0.0 or :: reaches this machine.
    here = http_address(instance.settings[HOST], instance.settings[PORT])
    for address in filter(None, (here, url)):
        # It may not run, or be that of another instance; the check proxy.visitor calls the URL.
        with suppress(CallError, StartError):
            status = call_server(instance, address, show_server_status, {}).body
            found = [_joined(each, levels, status, address) for each in found]
    return list(found)


def _joined(
    finding: Finding, levels: Mapping[str, Level], status: Mapping[str, Any], address: str
) -> Finding:
    name = finding.name
    trouble = status["checks"].get(name, OK)
    if finding.level != OK or trouble == OK:
        return finding
    remedy = status["remedies"].get(name, "")
    return Finding(name, levels[name], f"in the server at {address}: {trouble}", remedy)
