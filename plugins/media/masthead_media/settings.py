"""The settings of images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from masthead import Setting, integer
from masthead_media.storage import storage_url

MIB = 1024 * 1024
PILLOW_MAX_PIXELS = 89_000_000
"""Pillow warns of a decompression bomb above this number of pixels."""


def widths(value: str) -> tuple[int, ...]:
    """Parse widths in pixels, separated by blanks.

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
    "Where images are stored: file:///folder, s3://bucket/prefix?region=…&endpoint=…,"
    " gs://bucket/prefix or az://account/container/prefix. Blank means the folder media in"
    " masthead.data.",
    secret=True,
    shows=False,
)
MAX_BODY = Setting(
    "masthead.media.max_body",
    integer(1024, 1024 * MIB),
    str(10 * MIB),
    "The maximum size of an image upload in bytes; masthead.server.max_body must be larger.",
    shows=False,
)
MAX_PIXELS = Setting(
    "masthead.media.max_pixels",
    integer(1, PILLOW_MAX_PIXELS),
    "50000000",
    "The maximum number of pixels of an image: width × height × frames.",
    shows=False,
)
WIDTHS = Setting(
    "masthead.media.widths",
    widths,
    "320 640 960 1280 1920",
    "The widths in pixels in which images are served, in addition to their own width.",
    shows=False,
)
SUBMITTED_FILES = Setting(
    "masthead.media.submitted_files",
    integer(0, 1_000_000),
    "200",
    "The maximum number of images that all visitors together may upload in 24 hours; 0 allows"
    " none.",
    shows=False,
)
SUBMITTED_BYTES = Setting(
    "masthead.media.submitted_bytes",
    integer(0, 1024 * 1024 * MIB),
    str(500 * MIB),
    "The maximum number of bytes that all visitors together may upload in 24 hours.",
    shows=False,
)
SUBMITTED_DAYS = Setting(
    "masthead.media.submitted_days",
    integer(1, 36_500),
    "7",
    "Days after which an image that a visitor uploaded is deleted if nothing uses it.",
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
