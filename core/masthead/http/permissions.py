"""Permissions: what an endpoint requires of its caller, and what a role can grant."""

from __future__ import annotations

from dataclasses import dataclass

PUBLIC = "public"
"""The permission of an endpoint that anybody may call."""
SIGNED_IN = "signed in"
"""The permission of an endpoint that everybody with a valid token may call."""
ADMIN = "admin"
"""The permission that implies all others."""


@dataclass(frozen=True)
class Permission:
    """One thing that a role can allow, named ``<area>.read`` or ``<area>.write``."""

    name: str
    help: str
    editor: bool = True
    """Whether the built-in role ``editor`` gets it when it is first seen."""


def area_permissions(area: str) -> list[Permission]:
    """The two permissions of an area, named by what it holds, in the plural."""
    return [
        Permission(f"{area}.read", f"Read {area}."),
        Permission(f"{area}.write", f"Create, change and delete {area}."),
    ]
