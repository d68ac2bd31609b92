"""The operations that ``edit`` of the clients needs."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Any, Protocol, TypeVar

from masthead_client.answers import Revision

KeyT = TypeVar("KeyT")
ItemT = TypeVar("ItemT", bound=Mapping[str, Any])
BodyT = TypeVar("BodyT")
_Key_contra = TypeVar("_Key_contra", contravariant=True)
_Item_co = TypeVar("_Item_co", covariant=True)
_Body_contra = TypeVar("_Body_contra", contravariant=True)


class Editable(Protocol[_Key_contra, _Item_co, _Body_contra]):
    """Items that can be read and changed one by one, such as ``client.staff.news``."""

    def show(self, key: _Key_contra, /) -> _Item_co:
        """Return an item."""

    def update(
        self, key: _Key_contra, body: _Body_contra, /, *, if_match: Revision | None = None
    ) -> _Item_co:
        """Change an item."""


class AsyncEditable(Protocol[_Key_contra, _Item_co, _Body_contra]):
    """The same for asynchronous programs."""

    def show(self, key: _Key_contra, /) -> Awaitable[_Item_co]:
        """Return an item."""

    def update(
        self, key: _Key_contra, body: _Body_contra, /, *, if_match: Revision | None = None
    ) -> Awaitable[_Item_co]:
        """Change an item."""
