"""Spoilt images, very many of them: each is refused or kept, soon, and nothing else ever happens.

``MASTHEAD_TEST_IMAGES`` says how many.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable

import pytest

from masthead_media.formats.picture import NotAnImage
from masthead_media.judging import judge

IMAGES = int(os.environ.get("MASTHEAD_TEST_IMAGES", "400"))
MOST_PIXELS = 50_000_000
SECONDS = 2.0
Picture = Callable[..., bytes]


@pytest.fixture(scope="module")
def whole(picture: Picture, animation: Picture, profile: bytes) -> list[bytes]:
    """Images of every kind."""
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


def spoil(content: bytes, chance: random.Random) -> bytes:
    """Change a few bytes, most of them where the structure is."""
    spoilt = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        end = len(spoilt) if chance.random() < 0.4 else min(len(spoilt), 120)
        at = chance.randrange(end)
        way = chance.randrange(5)
        if way == 0:
            spoilt[at] = chance.randrange(256)
        elif way == 1:
            spoilt[at] ^= 1 << chance.randrange(8)
        elif way == 2:
            spoilt[at : at + chance.randint(1, 9)] = chance.choice((b"\xff" * 4, b"\0" * 4, b""))
        elif way == 3:
            spoilt[at:at] = chance.randbytes(chance.randint(1, 9))
        else:
            other = chance.randrange(len(spoilt))
            spoilt[at : at + 8] = spoilt[other : other + 8]
    return bytes(spoilt)


def test_spoilt_images_are_refused_or_kept_and_soon(whole: list[bytes]) -> None:
    chance = random.Random(1)
    kept = refused = 0
    slowest = 0.0
    for number in range(IMAGES):
        spoilt = spoil(whole[number % len(whole)], chance)
        began = time.process_time()
        try:
            assert judge(spoilt, MOST_PIXELS).pixels <= MOST_PIXELS
            kept += 1
        except NotAnImage:
            refused += 1
        slowest = max(slowest, time.process_time() - began)

    assert slowest < SECONDS
    assert kept
    assert refused
