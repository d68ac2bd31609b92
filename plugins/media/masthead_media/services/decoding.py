"""Validate and scale images in child processes, within the limits of the settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

from masthead import Counter, Histogram, Instance
from masthead_media.decoding.pool import Limits, Result, pool
from masthead_media.settings import MAX_PIXELS, MEMORY, MIB, PROCESSES, QUEUE, SECONDS

_IMAGES = Counter(
    "masthead_media_images",
    "Images that were decoded: uploads are validated, and renditions are scaled.",
    ("task", "result"),
)
_SECONDS = Histogram(
    "masthead_media_decoding_seconds", "Time that the decoding of images took.", ("task",)
)


def validate_upload(instance: Instance, file: IO[bytes], visitor: str | None) -> Result:
    """Return the picture in an upload, or the reason why it is refused.

    :param visitor: the visitor who uploads it; None for staff.
    :raises Busy: if no decoder is free in time.
    """
    task = {"name": "validate", "argument": instance.settings[MAX_PIXELS]}

    def read() -> bytes:
        file.seek(0)
        return file.read()

    return _counted("validate", pool().execute(task, read, limits_of(instance), visitor))


def scale_image(
    instance: Instance, read: Callable[[], bytes], width: int, visitor: str | None
) -> Result:
    """Return a rendition of an image, or the reason why it can't be scaled.

    :param read: returns the bytes of the image; called when a decoder is free.
    :param visitor: the visitor who asks for it, or None.
    :raises Busy: if no decoder is free in time.
    """
    task = {"name": "scale", "argument": width}
    return _counted("scale", pool().execute(task, read, limits_of(instance), visitor))


def _counted(task: str, result: Result) -> Result:
    _IMAGES.add(task, "failed" if result.failure else "done")
    _SECONDS.observe(result.seconds, task)
    return result


def limits_of(instance: Instance) -> Limits:
    """Return the limits that the settings of an instance set."""
    settings = instance.settings
    return Limits(
        processes=settings[PROCESSES],
        queue=settings[QUEUE],
        memory=settings[MEMORY] * MIB,
        seconds=settings[SECONDS],
    )
