"""Images of an import of a website."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest

from masthead import Instance, Invalid
from masthead.testing import Client


def store(instance: Instance, content: bytes, alt_text: str | None = None) -> str:
    path: str = instance.hooks.masthead_store_image(
        instance=instance, file=BytesIO(content), alt_text=alt_text, caller=None
    )
    return path


def test_hook_store_image_stores_an_image_once(
    instance: Instance, app: Client, picture: Callable[..., bytes]
) -> None:
    first = store(instance, picture())
    second = store(instance, picture(), "A tree")
    third = store(instance, picture(), "Another text")

    [listed] = app.as_role("editor").get("/api/staff/images").json
    assert first == second == third == listed["url"]
    assert listed["altText"] == "A tree"
    assert app.get(first).content_type == "image/png"


@pytest.mark.parametrize("text", [None, "", " ", "x" * 2_001, "a\0b"])
def test_a_text_that_cannot_be_used_is_left_out(
    instance: Instance, app: Client, picture: Callable[..., bytes], text: str | None
) -> None:
    store(instance, picture(), text)

    [listed] = app.as_role("editor").get("/api/staff/images").json
    assert listed["altText"] is None


def test_a_file_that_is_no_image_is_refused(instance: Instance) -> None:
    with pytest.raises(Invalid, match="Only images"):
        store(instance, b"%PDF-1.4")
