"""The slugs that no item gets, because endpoints have addresses with them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from masthead.instance import Instance


def reserved_by_routes(instance: Instance, model: Any) -> Collection[str]:
    """Return the slugs that the items of a model can't have.

    With ``GET /api/recipes/mine``, a recipe with the slug ``mine`` could not be shown.
    """
    return instance.shared(_reserved).get(model, ())


def _reserved(instance: Instance) -> Mapping[Any, Collection[str]]:
    """Return the fixed segments that follow the public path of each kind of items, by model."""
    paths = {each.model: each.name for each in instance.content_types.values()}
    paths |= {each.model: each.path for each in instance.resources.values()}
    return {model: _segments(instance, f"/api/{path}/") for model, path in paths.items()}


def _segments(instance: Instance, start: str) -> frozenset[str]:
    below = (each.path for each in instance.endpoints if each.path.startswith(start))
    segments = {path.removeprefix(start).partition("/")[0] for path in below}
    return frozenset(each for each in segments if "{" not in each)
