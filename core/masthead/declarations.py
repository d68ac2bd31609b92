"""The declarations of the enabled plugins, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import pluggy

from masthead.faults import CORE, refusal
from masthead.http.endpoints import Endpoint, address_of, check_endpoints
from masthead.http.permissions import Permission
from masthead.plugins import both_declare, check_unique, collect
from masthead.ports.audit import AuditAction
from masthead.ports.navigation import NavigationEntry
from masthead.schemas.labels import Labelled, check_type_names


class _HasName(Protocol):
    @property
    def name(self) -> str: ...


Named = TypeVar("Named", bound=_HasName)


class Kinds:
    """The content types and the resources of the enabled plugins.

    :raises StartError: if two have the same name or the same names of schemas.
    """

    def __init__(self, manager: pluggy.PluginManager) -> None:
        types = collect(manager, "masthead_content_types", (Labelled,))
        resources = collect(manager, "masthead_resources", (Labelled,))
        self.content_types: dict[str, Any] = by_name("content type", types)
        self.resources: dict[str, Any] = by_name("resource", resources)
        self.owners: dict[str, str] = {}
        """The plugin that declares each of them, by name."""
        started = [name.partition(":")[0] for name, _ in manager.list_name_plugin()]
        for owner, item in sorted([*types, *resources], key=lambda each: started.index(each[0])):
            # A resource whose items need approval may have a content type of its name.
            if self.owners.setdefault(item.name, owner) != owner:
                first = self.owners[item.name]
                raise both_declare(first, owner, f"the content type or resource {item.name}")
        labelled: Iterable[Labelled] = {**self.content_types, **self.resources}.values()
        check_type_names(labelled)


def by_name(kind: str, owned: Sequence[tuple[str, Named]]) -> dict[str, Named]:
    """Return declarations by name.

    :param kind: the kind of the declarations, for the message.
    :raises StartError: if two have the same name.
    """
    found = check_unique(owned, lambda item: item.name, lambda item: f"the {kind} {item.name}")
    return {item.name: item for item in found}


def navigation_of(manager: pluggy.PluginManager) -> tuple[NavigationEntry, ...]:
    """Return the pages of the enabled plugins, in order."""
    owned = collect(manager, "masthead_navigation", (NavigationEntry,))
    entries = by_name("navigation entry", owned)
    return tuple(sorted(entries.values(), key=lambda entry: (entry.order, entry.name)))


def permissions_of(
    manager: pluggy.PluginManager, content_types: Mapping[str, Any], resources: Mapping[str, Any]
) -> dict[str, Permission]:
    """Return the permissions by name; content types with one area declare the same."""
    owned = collect(
        manager,
        "masthead_permissions",
        (Permission,),
        content_types=content_types,
        resources=resources,
    )
    owners: dict[Permission, str] = {}
    for owner, permission in owned:
        owners.setdefault(permission, owner)
    return by_name("permission", [(owner, permission) for permission, owner in owners.items()])


def audit_actions_of(
    manager: pluggy.PluginManager, resources: Mapping[str, Any]
) -> dict[str, AuditAction]:
    """Return the actions of the audit log by name."""
    owned = collect(manager, "masthead_audit_actions", (AuditAction,), resources=resources)
    return by_name("audit action", owned)


def endpoints_of(
    owned: Sequence[tuple[str, Endpoint]], owners: Mapping[str, str], permissions: Iterable[str]
) -> list[Endpoint]:
    """Check the endpoints of the enabled plugins, and return them in order.

    :param owned: the endpoints, each with the name of its plugin.
    :param owners: the plugins of the content types and resources, whose endpoints are core's.
    :param permissions: the names of the declared permissions.
    :raises StartError: for endpoints with the same name or address, endpoints that no request
        reaches, and undeclared permissions.
    """
    known = frozenset(permissions)
    _check_generated(owned, owners)
    endpoints = check_endpoints(owned)
    for owner, endpoint in owned:
        for missing in sorted(set(endpoint.permissions) - known):
            raise refusal(
                owner,
                f"{endpoint.name} requires {missing}, which is not declared",
                "declare it in masthead_permissions, or correct its name",
            )
    return endpoints


def _check_generated(owned: Iterable[tuple[str, Endpoint]], owners: Mapping[str, str]) -> None:
    """Check that no content type or resource has an address of core.

    :raises StartError: with the plugin that declares it.
    """
    seen: set[tuple[str, str]] = set()
    for endpoint in (endpoint for owner, endpoint in owned if owner == CORE):
        address = address_of(endpoint)
        if address in seen:
            named = next((part for part in endpoint.path.split("/") if part in owners), None)
            if named is not None:
                taken = f"its {named} has an address of core, {endpoint.method} {endpoint.path}"
                raise refusal(owners[named], taken, "choose another name")
        seen.add(address)
