"""The parts of a file that may be repeated are counted before it is decoded."""

from __future__ import annotations

import cProfile
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from masthead_media.formats.picture import NotAnImage
from masthead_media.validate_image import validate_image
from plugins.media.tests import bombs

MAX_PIXELS = 50_000_000
_MESSAGE = "Invalid file type. Only images are allowed."
REFUSAL = {
    "error": _MESSAGE,
    "fields": [{"path": "file", "code": "not_an_image", "message": _MESSAGE}],
}


def work(content: bytes) -> int:
    """Return the number of calls that refusing an image takes; importing Pillow would be many."""
    profile = cProfile.Profile()
    with pytest.raises(NotAnImage), profile:
        validate_image(content, MAX_PIXELS)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.slow
@pytest.mark.parametrize(("make", "most"), bombs.UNITS.values(), ids=bombs.UNITS)
def test_a_repeated_part_is_refused_after_bounded_work(
    make: Callable[[int], bytes], most: int
) -> None:
    beyond = work(make(most + 1))

    assert beyond < 20 * most + 2_000
    assert work(make(4 * most)) < 1.1 * beyond + 100


@pytest.mark.parametrize(("make", "most"), bombs.UNITS.values(), ids=bombs.UNITS)
def test_a_part_may_be_repeated_up_to_its_bound(make: Callable[[int], bytes], most: int) -> None:
    # A file has a few more parts than those that are repeated.
    picture = validate_image(make(most - most // 10), MAX_PIXELS)

    assert picture.pixels <= MAX_PIXELS
    assert picture.scans <= 100


@pytest.mark.parametrize(("make", "most"), bombs.UNITS.values(), ids=bombs.UNITS)
def test_an_upload_with_too_many_parts_is_refused(
    make: Callable[[int], bytes], most: int, submit: Any, kept: Any
) -> None:
    assert submit(make(most + 1), 400) == REFUSAL
    assert kept() == []


def test_a_large_image_may_have_fewer_scans_than_a_small_one() -> None:
    validate_image(bombs.jpeg_scans(100, (100, 100)), 100 * 100 * 5)
    validate_image(bombs.jpeg_scans(20, (100, 100)), 100 * 100)

    with pytest.raises(NotAnImage):
        validate_image(bombs.jpeg_scans(21, (100, 100)), 100 * 100)


def test_superfluous_colour_profiles_are_dropped() -> None:
    content = bombs.png_profiles(2)

    assert content.count(b"iCCP") == 2
    assert validate_image(content, MAX_PIXELS).content.count(b"iCCP") == 1


def test_superfluous_restart_markers_are_no_scans() -> None:
    assert validate_image(bombs.jpeg_restarts(100_000), MAX_PIXELS).scans == 1


class TestLimits:
    """An image that needs more than the limits is refused, and the next one is accepted."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.media.memory": "64"}

    @pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "GIF"])
    def test_an_image_that_takes_too_much_memory_is_refused(
        self, form: str, submit: Any, upload: Any, kept: Any
    ) -> None:
        if form == "GIF":
            large = bombs.saved(form, (7_000, 7_000), "P")
        else:
            large = bombs.saved(form, (4_200, 4_200), method=0, compress_level=1)

        assert submit(large, 400) == upload(large, status=400) == REFUSAL
        assert kept() == []
        assert upload(bombs.saved(form))["url"]
