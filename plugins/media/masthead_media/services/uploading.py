"""Taking images: judged, freed of metadata, remembered, stored, then written down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from hashlib import sha256
from io import SEEK_END
from typing import IO

from sqlalchemy import false, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from masthead import Caller, Instance, Invalid, Refused, lock, utcnow
from masthead_media.formats.picture import NotAnImage, Picture
from masthead_media.judging import judge
from masthead_media.keys import STAFF, SUBMITTED, new_key
from masthead_media.models import Image
from masthead_media.services import storage_of
from masthead_media.services.leftovers import discard, forget, remember
from masthead_media.settings import MAX_PIXELS, SUBMITTED_BYTES, SUBMITTED_FILES
from masthead_media.storage import Storage
from masthead_media.turns import in_turn

REFUSAL = "Invalid file type. Only images are allowed."
OVER_QUOTA = "Too many images were uploaded today. Please try again tomorrow."
_QUOTA = "media.quota"
_PIECE = 256 * 1024
_DAY = timedelta(days=1)


def upload_for_staff(
    instance: Instance, session: Session, sent: IO[bytes], caller: Caller
) -> tuple[Image, bool]:
    """Keep an image, once however often it is sent; one that has lost its bytes gets them back.

    :param session: of a transaction in which nothing has been asked yet.
    :param sent: the file, which may lie on the disk.
    :returns: the image, and whether it had been there before.
    :raises Invalid: for what is no image.
    """
    digest = digest_of(sent)
    known, is_whole = find_known(instance, digest)
    if known is not None and is_whole:
        return known, True
    image, content = read_for_staff(instance, sent, digest, caller)
    if known is not None:
        return put_back(storage_of(instance), session, known, image, content), True
    remember(instance, image.key)
    return keep_once(storage_of(instance), session, image, content)


def read_for_staff(
    instance: Instance, sent: IO[bytes], digest: str, caller: Caller
) -> tuple[Image, bytes]:
    """Make an image of what staff send, and the bytes to be stored of it; keeps neither.

    :param sent: the file, which may lie on the disk.
    :param digest: of it, as ``digest_of`` makes it.
    :raises Invalid: for what is no image.
    """
    picture = _judge(instance, sent)
    image = _describe(picture, STAFF, digest)
    image.uploaded_by = caller.id
    return image, picture.content


def digest_of(sent: IO[bytes]) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = sha256()
    sent.seek(0)
    while piece := sent.read(_PIECE):
        digest.update(piece)
    return digest.hexdigest()


def upload_for_visitor(instance: Instance, session: Session, sent: IO[bytes]) -> Image:
    """Keep an image that goes with a proposal.

    :param session: of a transaction in which nothing has been asked yet.
    :param sent: the file, which may lie on the disk.
    :raises Invalid: for what is no image.
    :raises Refused: where visitors have uploaded enough for today.
    """
    with instance.database.read() as connection, Session(connection) as looking:
        _check_quota(instance, looking, sent.seek(0, SEEK_END))
    picture = _judge(instance, sent)
    image = _describe(picture, SUBMITTED, digest_of(sent))
    storage = storage_of(instance)
    remember(instance, image.key)
    storage.put(image.key, picture.content, image.media_type)
    with _taken_back(storage, image.key):
        lock(session, _QUOTA)
        _check_quota(instance, session, image.size)
        session.add(image)
        session.flush()
        forget(session, [image.key])
    return image


def find_known(instance: Instance, digest: str) -> tuple[Image | None, bool]:
    """The image among those of staff whose bytes were sent before, and whether they are there.

    They may be missing where a backup or an export was made without them.
    """
    with instance.database.read() as connection, Session(connection) as looking:
        known = _find_duplicate(looking, digest)
    return known, known is not None and storage_of(instance).size(known.key) is not None


def put_back(
    storage: Storage, session: Session, known: Image, again: Image, content: bytes
) -> Image:
    """Store the bytes of an image that has lost them.

    :param again: what was found out of the bytes now.
    :raises Refused: where the image was deleted meanwhile, which leaves its key to be swept.
    """
    storage.put(known.key, content, known.media_type)
    image = session.get(Image, known.id, with_for_update=True)
    if image is None:
        raise Refused("The image was deleted meanwhile. Please try again.")
    image.size, image.width, image.height = again.size, again.width, again.height
    session.flush()
    return image


def keep_once(
    storage: Storage, session: Session, image: Image, content: bytes
) -> tuple[Image, bool]:
    """Store an image and write it down, unless another transaction does the same meanwhile.

    Its key is one that is remembered to be left over where the transaction fails.

    :returns: the image that is kept, and whether it is the other one.
    """
    storage.put(image.key, content, image.media_type)
    with _taken_back(storage, image.key):
        try:
            with session.begin_nested():
                session.add(image)
        except IntegrityError:
            other = _find_duplicate(session, image.sha256)
            if other is None:
                raise
        else:
            forget(session, [image.key])
            return image, False
    discard(storage, [image.key])
    return other, True


def _find_duplicate(session: Session, digest: str) -> Image | None:
    # Not ``is_()``, which the partial index isn't used for.
    same = (Image.sha256 == digest, Image.submitted == false())
    return session.scalar(select(Image).where(*same))


def _judge(instance: Instance, sent: IO[bytes]) -> Picture:
    def work() -> Picture:
        sent.seek(0)
        return judge(sent.read(), instance.settings[MAX_PIXELS])

    try:
        return in_turn(work)
    except NotAnImage:
        raise Invalid(REFUSAL) from None


def _describe(picture: Picture, prefix: str, digest: str) -> Image:
    now = utcnow()
    return Image(
        key=new_key(prefix, picture.extension, now),
        sha256=digest,
        submitted=prefix == SUBMITTED,
        media_type=picture.media_type,
        size=len(picture.content),
        width=picture.width,
        height=picture.height,
        uploaded_at=now,
    )


def _check_quota(instance: Instance, session: Session, size: int) -> None:
    today = (Image.submitted.is_(True), Image.uploaded_at > utcnow() - _DAY)
    sums = select(func.count(), func.coalesce(func.sum(Image.size), 0)).where(*today)
    files, stored = session.execute(sums).one()
    settings = instance.settings
    if files >= settings[SUBMITTED_FILES] or stored + size > settings[SUBMITTED_BYTES]:
        raise Refused(OVER_QUOTA)


@contextmanager
def _taken_back(storage: Storage, key: str) -> Iterator[None]:
    """Delete what was stored where the block fails; what that can't, is left to the worker."""
    try:
        yield
    except BaseException:
        discard(storage, [key])
        raise
