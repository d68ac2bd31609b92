"""The settings of images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from masthead import Setting, choice, integer, url
from masthead_media.storage import storage_url

MIB = 1024 * 1024
PROXY, PUBLIC, SIGNED = "proxy", "public", "signed"
"""The ways in which clients get the bytes of images."""
_WEEK = 604_800
"""The longest time for which S3 signs an address, in seconds."""
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
DELIVERY = Setting(
    "masthead.media.delivery",
    choice(PROXY, PUBLIC, SIGNED),
    PROXY,
    "How clients get images: proxy sends the bytes, public redirects to masthead.media.public_url,"
    " and signed redirects to an address in the storage that is valid for a limited time.",
    shows=False,
)
PUBLIC_URL = Setting(
    "masthead.media.public_url",
    url,
    "",
    "Address at which everybody can read the files of masthead.media.storage, such as"
    " https://images.example.org; for the delivery public.",
    shows=False,
)
SIGNED_SECONDS = Setting(
    "masthead.media.signed_seconds",
    integer(60, _WEEK),
    "3600",
    "Seconds for which a signed address of an image is valid; clients keep the redirect for half"
    " of them.",
    shows=False,
)
MAX_BODY = Setting(
    "masthead.media.max_body",
    integer(1024, 1024 * MIB),
    str(10 * MIB),
    "The maximum size of an image upload in bytes; masthead.server.max_body must not be less.",
    shows=False,
    at_most="masthead.server.max_body",
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
SUBMITTED_SECONDS = Setting(
    "masthead.media.submitted_seconds",
    integer(0, 1_000_000),
    "600",
    "The maximum number of seconds that decoding the uploads of all visitors together may take in"
    " 24 hours.",
    shows=False,
)
ADDRESS_FILES = Setting(
    "masthead.media.address_files",
    integer(0, 1_000_000),
    "50",
    "The maximum number of images that visitors may upload from one IP address in 24 hours,"
    " including refused ones; an IPv6 network of 64 bits counts as one address.",
    shows=False,
)
ADDRESS_BYTES = Setting(
    "masthead.media.address_bytes",
    integer(0, 1024 * 1024 * MIB),
    str(125 * MIB),
    "The maximum number of bytes that visitors may upload from one IP address in 24 hours,"
    " including refused ones.",
    shows=False,
)
ADDRESS_SECONDS = Setting(
    "masthead.media.address_seconds",
    integer(0, 1_000_000),
    "120",
    "The maximum number of seconds that decoding visitors' uploads from one IP address may take in"
    " 24 hours.",
    shows=False,
)
RENDITION_SECONDS = Setting(
    "masthead.media.rendition_seconds",
    integer(0, 1_000_000),
    "600",
    "The maximum number of seconds that scaling images for one IP address may take in 24 hours;"
    " after that, it gets images in their own width if nobody else has asked for the width before.",
    shows=False,
)
SUBMITTED_DAYS = Setting(
    "masthead.media.submitted_days",
    integer(1, 36_500),
    "7",
    "Days after which an image that a visitor uploaded is deleted if nothing uses it.",
    shows=False,
)
PROCESSES = Setting(
    "masthead.media.processes",
    integer(1, 64),
    "2",
    "Child processes that decode and scale images, for each process of Masthead; they start when"
    " they are needed.",
    shows=False,
)
QUEUE = Setting(
    "masthead.media.queue",
    integer(0, 10_000),
    "16",
    "The maximum number of images that wait for the child processes; further requests get 503.",
    shows=False,
)
MEMORY = Setting(
    "masthead.media.memory",
    integer(64, 1024 * 1024),
    "640",
    "The maximum memory of a child process in MiB; images that need more are refused. A WebP needs"
    " 17 bytes per pixel, other formats up to 14.",
    shows=False,
)
SECONDS = Setting(
    "masthead.media.seconds",
    integer(1, 3600),
    "10",
    "The maximum CPU time for one image in seconds; it may take three times as long by the"
    " clock. Images that need more are refused.",
    shows=False,
)

ALL: list[Setting[Any]] = [
    STORAGE,
    DELIVERY,
    PUBLIC_URL,
    SIGNED_SECONDS,
    MAX_BODY,
    MAX_PIXELS,
    WIDTHS,
    SUBMITTED_FILES,
    SUBMITTED_BYTES,
    SUBMITTED_SECONDS,
    SUBMITTED_DAYS,
    ADDRESS_FILES,
    ADDRESS_BYTES,
    ADDRESS_SECONDS,
    RENDITION_SECONDS,
    PROCESSES,
    QUEUE,
    MEMORY,
    SECONDS,
]
