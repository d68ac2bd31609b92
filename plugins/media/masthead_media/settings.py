"""What a deployer chooses about images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from masthead import Setting, integer
from masthead_media.storage import storage_url

MIB = 1024 * 1024
LARGEST = 89_000_000
"""Pixels past which Pillow itself speaks of a bomb."""


def widths(value: str) -> tuple[int, ...]:
    """Widths in pixels, separated by blanks.

    :raises ValueError: for anything else.
    """
    parse: Callable[[str], int] = integer(16, 8192)
    try:
        return tuple(sorted({parse(word) for word in value.split()}))
    except ValueError:
        raise ValueError("whole numbers from 16 to 8192, such as 640 1280") from None


STORAGE = Setting(
    "masthead.media.storage",
    storage_url,
    "",
    "Where images lie: file:///folder, s3://bucket/prefix?region=…&endpoint=…, gs://bucket/prefix"
    " or az://account/container/prefix. Blank means the folder media in masthead.data.",
    secret=True,
    shows=False,
)
MAX_BODY = Setting(
    "masthead.media.max_body",
    integer(1024, 1024 * MIB),
    str(10 * MIB),
    "The most bytes that the upload of an image may have; masthead.server.max_body must be more.",
    shows=False,
)
MAX_PIXELS = Setting(
    "masthead.media.max_pixels",
    integer(1, LARGEST),
    "50000000",
    "The most pixels of an image: width × height × frames.",
    shows=False,
)
WIDTHS = Setting(
    "masthead.media.widths",
    widths,
    "320 640 960 1280 1920",
    "The widths in which images are served beside their own, in pixels.",
    shows=False,
)
SUBMITTED_FILES = Setting(
    "masthead.media.submitted_files",
    integer(0, 1_000_000),
    "200",
    "The most images that visitors may upload in 24 hours, all together; 0 allows none.",
    shows=False,
)
SUBMITTED_BYTES = Setting(
    "masthead.media.submitted_bytes",
    integer(0, 1024 * 1024 * MIB),
    str(500 * MIB),
    "The most bytes that those images may have together.",
    shows=False,
)
SUBMITTED_DAYS = Setting(
    "masthead.media.submitted_days",
    integer(1, 36_500),
    "7",
    "Days after which an image that a visitor uploaded is removed where nothing names it.",
    shows=False,
)

ALL: list[Setting[Any]] = [
    STORAGE,
    MAX_BODY,
    MAX_PIXELS,
    WIDTHS,
    SUBMITTED_FILES,
    SUBMITTED_BYTES,
    SUBMITTED_DAYS,
]
