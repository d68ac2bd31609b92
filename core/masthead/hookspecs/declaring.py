"""The declaring hooks, whose lists are joined over all plugins.

Two declarations with the same name stop the start with a message that names both plugins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from masthead.hookspecs.markers import hookspec

if TYPE_CHECKING:
    from collections.abc import Mapping

    import click

    from masthead.approval.declaration import Approvable
    from masthead.http.endpoints import Endpoint
    from masthead.http.permissions import Permission
    from masthead.instance import Check, Instance, Reading
    from masthead.ports.audit import AuditAction
    from masthead.ports.navigation import NavigationEntry
    from masthead.resources.declaration import Resource
    from masthead.settings import Setting
    from masthead.worker.jobs import Chore, Job

# pluggy calls only implementations, so the bodies are empty in spite of the return types.
# mypy: disable-error-code="empty-body"


@hookspec
def masthead_settings() -> list[Setting[Any]]:
    """Called first, when the instance opens.

    :return: the settings that the plugin reads, named ``masthead.<plugin>.<name>``. Those of an
        installed plugin that isn't enabled are accepted unread.

    Raising stops the start.
    """


@hookspec
def masthead_content_types() -> list[Approvable]:
    """Called once, when the instance opens.

    :return: the types of content that need approval.

    Raising stops the start.
    """


@hookspec
def masthead_resources() -> list[Resource]:
    """Called once, when the instance opens.

    :return: the types of items that staff manage without approval.

    Raising stops the start.
    """


@hookspec
def masthead_permissions(
    content_types: Mapping[str, Approvable], resources: Mapping[str, Resource]
) -> list[Permission]:
    """Called once, after content types and resources are known.

    :param content_types: all content types, by name.
    :param resources: all resources, by name.
    :return: permissions of endpoints, in addition to the two permissions of the area of each
        content type and resource. Plugins that share an area may declare the same permission.

    Raising stops the start.
    """


@hookspec
def masthead_audit_actions(resources: Mapping[str, Resource]) -> list[AuditAction]:
    """Called once, after the resources are known.

    :param resources: all resources, by name.
    :return: the actions that the plugin records in the audit log; ``record`` refuses others.

    Raising stops the start.
    """


@hookspec
def masthead_navigation() -> list[NavigationEntry]:
    """Called once, when the instance opens.

    :return: the pages that the plugin adds to the website.

    Raising stops the start.
    """


@hookspec
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Called once, when the endpoints of an instance are first used, for example to serve them.

    :param instance: the open instance.
    :return: the plugin's endpoints.

    Raising stops the start.
    """


@hookspec
def masthead_commands(group: click.Group) -> None:
    """Called when a command is looked up, before an instance is opened.

    It is called for the plugins that the configuration of the command enables, or for all installed
    plugins without a configuration.

    :param group: the ``masthead`` command; add commands or groups to it.

    Raising leaves the commands of the plugin out, with a line on standard error.
    """


@hookspec
def masthead_checks() -> list[Check | Reading]:
    """Called once, when the instance opens.

    :return: the checks of the start, ``/readyz``, ``/status`` and ``masthead doctor``; and gauges.

    Raising stops the start.
    """


@hookspec
def masthead_jobs(instance: Instance) -> list[Job | Chore]:
    """Called at each start of a server or a worker, once or several times.

    :param instance: the instance of the worker.
    :return: recurring work: a ``Job`` runs in one transaction, which also records that it is done;
        a ``Chore`` is any other work and runs under a lease.

    Raising stops the start. A job that raises when it runs is logged and retried, with delays that
    grow from ten seconds to an hour; it doesn't stop the worker.
    """
