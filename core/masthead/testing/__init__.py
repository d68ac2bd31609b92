"""What tests of Masthead and of its plugins need: databases to run on and checks to reuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from masthead.testing.contract import ContentTypeContract
    from masthead.testing.desk import Desk

__all__ = ["ContentTypeContract", "Desk"]

pytest.register_assert_rewrite("masthead.testing.contract")


def __getattr__(name: str) -> Any:
    """Import what is exported when it is first asked for: pytest loads this before coverage."""
    if name == "ContentTypeContract":
        from masthead.testing.contract import ContentTypeContract

        return ContentTypeContract
    if name == "Desk":
        from masthead.testing.desk import Desk

        return Desk
    raise AttributeError(name)
