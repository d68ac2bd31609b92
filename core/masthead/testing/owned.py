"""The declarations of one plugin among those of an instance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Table

from masthead.db.exportable import NOT_EXPORTED_KEY
from masthead.http.endpoints import Endpoint
from masthead.instance import Instance
from masthead.plugins import Plugin, collect


@dataclass(frozen=True)
class Owned:
    """The declarations of one plugin."""

    instance: Instance
    name: str
    """The name of the plugin."""

    @classmethod
    def of_kind(cls, instance: Instance, hook: str, name: str) -> Owned:
        """Return the declarations of the plugin that declares a content type or a resource.

        :param hook: the hook that returns it.
        :param name: its name.
        """
        owners = (owner for owner, kind in collect(instance.manager, hook) if kind.name == name)
        owner = next(owners, None)
        assert owner is not None, f"no enabled plugin declares {name} by {hook}"
        return cls(instance, owner)

    @cached_property
    def plugin(self) -> Plugin:
        """The plugin, which is enabled."""
        found = {plugin.name: plugin for plugin in self.instance.plugins}
        assert self.name in found, f"the plugin {self.name} is not enabled"
        return found[self.name]

    @cached_property
    def endpoints(self) -> list[Endpoint]:
        """The endpoints that the plugin declares, without those of its content types."""
        return list(self.declared("masthead_routes", instance=self.instance))

    @property
    def kinds(self) -> list[Any]:
        """The content types and resources that the plugin declares."""
        return [*self.declared("masthead_content_types"), *self.declared("masthead_resources")]

    @property
    def areas(self) -> set[str]:
        """The areas whose permissions belong to the plugin."""
        permissions = self.declared(
            "masthead_permissions",
            content_types=self.instance.content_types,
            resources=self.instance.resources,
        )
        declared = {permission.name.rpartition(".")[0] for permission in permissions}
        names = {kind.name for kind in self.kinds}
        # The messages of "contact-messages" may have the area "messages".
        ends = {name.rpartition("-")[2] for name in names}
        return {self.name, *names, *ends, *declared}

    @property
    def kept_tables(self) -> list[Table]:
        """The tables of the plugin that an export contains."""
        metadata = self.plugin.metadata
        tables = metadata.sorted_tables if metadata is not None else []
        return [table for table in tables if NOT_EXPORTED_KEY not in table.info]

    @property
    def with_required(self) -> set[str]:
        """The names of the plugin and of those that it requires."""
        plugins = {plugin.name: plugin for plugin in self.instance.plugins}
        found, left = set[str](), [self.plugin]
        while left:
            plugin = left.pop()
            if plugin.name not in found:
                found.add(plugin.name)
                left += [plugins[name] for name in plugin.requires]
        return found

    def declared(self, hook: str, **arguments: Any) -> Iterable[Any]:
        """Return the objects that a hook of the plugin returns."""
        owned = collect(self.instance.manager, hook, **arguments)
        return [declaration for owner, declaration in owned if owner == self.name]
