"""A corrupted image is refused or accepted, quickly, and never makes the validation fail.

``MASTHEAD_TEST_IMAGES`` is the number of images that are tried.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable

import pytest

from masthead_media.formats.picture import NotAnImage
from masthead_media.validate_image import validate_image

IMAGES = int(os.environ.get("MASTHEAD_TEST_IMAGES", "400"))
MAX_PIXELS = 50_000_000
SECONDS = 2.0
Picture = Callable[..., bytes]


@pytest.fixture(scope="module")
def whole(picture: Picture, animation: Picture, profile: bytes) -> list[bytes]:
    """Return undamaged images of every kind."""
    return [
        picture("JPEG", icc_profile=profile),
        picture("JPEG", progressive=True),
        picture("JPEG", mode="CMYK"),
        picture("PNG", icc_profile=profile),
        picture("PNG", mode="RGBA"),
        picture("PNG", mode="L"),
        picture("WEBP", exif=b"Exif\0\0II*\0"),
        picture("WEBP", lossless=True, mode="RGBA"),
        picture("GIF"),
        animation("GIF"),
        animation("WEBP"),
        animation("PNG"),
    ]


def corrupt(content: bytes, chance: random.Random) -> bytes:
    """Change a few bytes, most of them in the headers."""
    corrupted = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        end = len(corrupted) if chance.random() < 0.4 else min(len(corrupted), 120)
        at = chance.randrange(end)
        way = chance.randrange(5)
        if way == 0:
            corrupted[at] = chance.randrange(256)
        elif way == 1:
            corrupted[at] ^= 1 << chance.randrange(8)
        elif way == 2:
            corrupted[at : at + chance.randint(1, 9)] = chance.choice((b"\xff" * 4, b"\0" * 4, b""))
        elif way == 3:
            corrupted[at:at] = chance.randbytes(chance.randint(1, 9))
        else:
            other = chance.randrange(len(corrupted))
            corrupted[at : at + 8] = corrupted[other : other + 8]
    return bytes(corrupted)


def test_corrupted_images_are_refused_or_accepted_within_seconds(whole: list[bytes]) -> None:
    chance = random.Random(1)
    accepted = refused = 0
    slowest = 0.0
    for number in range(IMAGES):
        corrupted = corrupt(whole[number % len(whole)], chance)
        began = time.process_time()
        try:
            assert validate_image(corrupted, MAX_PIXELS).pixels <= MAX_PIXELS
            accepted += 1
        except NotAnImage:
            refused += 1
        slowest = max(slowest, time.process_time() - began)

    assert slowest < SECONDS
    assert accepted
    assert refused
