"""The findings of a running server, whose sandbox, environment and memory doctor doesn't share."""

from __future__ import annotations

from collections.abc import Sequence

from masthead.checking.running import OK, Finding
from masthead.doctor.calls import CallError, call_server
from masthead.doctor.views import show_server_status
from masthead.errors import StartError
from masthead.instance import Instance
from masthead.server.options import HOST, PORT


def with_server_findings(
    instance: Instance, found: Sequence[Finding], url: str | None
) -> list[Finding]:
    """Return findings, in which a passed check that fails in a running server has its trouble.

    The server of this machine is asked, which needn't run.

    :param url: the address of a further server, or None.
    """
    levels = {each.name: each.level for each in instance.all_checks}
    for address in filter(None, (_local_address(instance), url)):
        try:
            status = call_server(instance, address, show_server_status, {}).body
        # It may not run, or be that of another instance; the check proxy.visitor calls the URL.
        except (CallError, StartError):
            continue
        troubles = {name: text for name, text in status["checks"].items() if text != OK}
        found = [
            Finding(
                each.name,
                levels[each.name],
                f"in the server at {address}: {troubles[each.name]}",
                status["remedies"].get(each.name, ""),
            )
            if each.level == OK and each.name in troubles
            else each
            for each in found
        ]
    return list(found)


def _local_address(instance: Instance) -> str:
    host, port = instance.settings[HOST], instance.settings[PORT]
    # A connection to 0.0.0.0 or :: reaches this machine.
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
