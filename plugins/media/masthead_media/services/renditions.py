"""Make renditions: each once, and for each visitor within a quota."""

from __future__ import annotations

import logging
from functools import partial

from masthead import Busy, Instance, NotFound
from masthead_media.decoding.pool import BUSY, MAX_WAIT, RETRY_AFTER
from masthead_media.keys import rendition_key
from masthead_media.services import storage_of
from masthead_media.services.decoding import scale_image
from masthead_media.services.quotas import count_scaling, has_scaling_time
from masthead_media.single_flight import SingleFlight

logger = logging.getLogger(__name__)

FAILED = b""
"""The bytes stored in place of a rendition that can't be made, so that nobody tries it again."""
_flights = SingleFlight[int]()


class NotNow(Exception):
    """The rendition may be made later: a quota is exhausted, or the machine has too much load."""


def make_rendition(
    instance: Instance, key: str, width: int, media_type: str, visitor: str | None
) -> int:
    """Store a rendition and return its number of bytes; 0 if it can't be made.

    :raises NotNow: if the visitor's quota is exhausted, or the decoder is killed.
    :raises Busy: if no decoder is free in time.
    :raises NotFound: if the bytes of the image are missing.
    """
    if not has_scaling_time(instance, visitor):
        raise NotNow
    make = partial(_make, instance, key, width, media_type, visitor)
    try:
        return _flights.run(rendition_key(key, width), make, MAX_WAIT)
    except TimeoutError:
        raise Busy(BUSY, RETRY_AFTER) from None


def _make(instance: Instance, key: str, width: int, media_type: str, visitor: str | None) -> int:
    storage, wanted = storage_of(instance), rendition_key(key, width)
    # Another thread may have made it since this one looked.
    if (size := storage.size(wanted)) is not None:
        return size
    try:
        result = scale_image(instance, lambda: storage.get(key), width, visitor)
    except FileNotFoundError:
        # The image was deleted after its row was read.
        raise NotFound from None
    count_scaling(instance, visitor, result.seconds)
    if result.failure:
        logger.warning("The image %s can't be scaled: %s", key, result.failure)
    if result.is_temporary:
        raise NotNow
    made = FAILED if result.failure else result.content
    storage.put(wanted, made, media_type)
    return len(made)
