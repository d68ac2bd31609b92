"""What a role can allow."""

from __future__ import annotations

from dataclasses import dataclass

ADMIN = "admin"
"""The permission that implies all others."""


@dataclass(frozen=True)
class Permission:
    """One thing that a role can allow, named ``<area>.read`` or ``<area>.write``."""

    name: str
    help: str
    editor: bool = True
    """Whether the built-in role ``editor`` gets it when it is first seen."""


def area_permissions(area: str, label: str, *, editor: bool = True) -> list[Permission]:
    """The two permissions of an area.

    :param label: what the area holds, in the plural, as it stands after "Read".
    """
    return [
        Permission(f"{area}.read", f"Read {label}.", editor),
        Permission(f"{area}.write", f"Create, change and delete {label}.", editor),
    ]
