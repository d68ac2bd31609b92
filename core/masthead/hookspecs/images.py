"""The hooks about images, which one plugin stores and others show."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from masthead.hookspecs.markers import hookspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from masthead.auth.caller import Caller
    from masthead.instance import Instance
    from masthead.ports.images import ImageInfo, ImageUse

# pluggy calls only implementations, so the bodies are empty in spite of the return types.
# mypy: disable-error-code="empty-body"


@hookspec
def masthead_image_info(session: Session, paths: Sequence[str]) -> list[ImageInfo]:
    """Called when more than the addresses of images is needed, for example by a feed.

    :param session: a session for reading.
    :param paths: paths of the API that may be images, such as ``/api/images/images/1.jpg``.
    :return: the images that the plugin stores; others are omitted. The answer may only depend on
        the database, because feeds are cached until something is written there.

    Raising fails the request.
    """


@hookspec
def masthead_image_uses(session: Session, paths: Sequence[str]) -> list[ImageUse]:
    """Called before images are removed.

    :param session: a session for reading.
    :param paths: the paths of the API at which the images are served.
    :return: the items of the plugin that refer to one of the images. Core itself searches the
        columns declared with ``field()``.

    Raising fails the request, and the images stay.
    """


@hookspec
def masthead_copy_images(
    instance: Instance, addresses: Sequence[str], caller: Caller
) -> Mapping[str, str]:
    """Called before a visitor's submission becomes content, outside of the transaction.

    :param instance: the instance, for a transaction of the plugin's own.
    :param addresses: addresses of images, as the visitor sent them.
    :param caller: the user who accepts the submission.
    :return: the new address of each image that the plugin stores and has copied to the images of
        staff, by its old address. Copying it again must return the same address.

    Raising fails the request.
    """


@hookspec(firstresult=True)
def masthead_store_image(
    instance: Instance, file: IO[bytes], alt_text: str | None, caller: Caller | None
) -> str | None:
    """Called for each image of an import, outside of a transaction.

    :param instance: the instance, for a transaction of the plugin's own.
    :param file: the bytes of the image, a file on disk.
    :param alt_text: its alternative text; None for none. An image that is stored keeps its text.
    :param caller: the user who becomes the uploader; None for the command line.
    :return: the path of the API at which the image is served; None if no plugin stores images.
        Storing the same bytes again must return the same path.

    Raising ``Invalid`` says that the file is no image, and leaves it out with a warning.
    """
