"""Permissions, which endpoints require and roles grant."""

from __future__ import annotations

from dataclasses import dataclass

PUBLIC = "public"
"""The permission of an endpoint that needs no authentication."""
SIGNED_IN = "signed in"
"""The permission of an endpoint that every authenticated user may call."""
ADMIN = "admin"
"""The permission that implies all others."""


@dataclass(frozen=True)
class Permission:
    """A permission that a role can grant, such as ``<area>.read`` or ``<area>.write``."""

    name: str
    help: str
    editor: bool = True
    """Whether the built-in role ``editor`` gets it when it is new."""
    split_from: str = ""
    """The permission that included it in earlier versions: when it is new, every role with that
    permission gets it, and ``editor`` is no exception."""


class OfArea:
    """A mixin with the permissions of an area."""

    area: str

    @property
    def read_permission(self) -> str:
        """The permission to read it as staff."""
        return f"{self.area}.read"

    @property
    def write_permission(self) -> str:
        """The permission to create, change and request it."""
        return f"{self.area}.write"

    @property
    def also_needs(self) -> tuple[str, ...]:
        """The further permissions to create, change and delete it: none."""
        return ()


def area_permissions(area: str) -> list[Permission]:
    """Return the read and write permissions of an area, which is a plural noun."""
    return [
        Permission(f"{area}.read", f"Read {area}."),
        Permission(f"{area}.write", f"Create, change and delete {area}."),
    ]
