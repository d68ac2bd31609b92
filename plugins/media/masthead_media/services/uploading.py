"""Upload images: validate them, strip their metadata, store their bytes, then add their rows."""

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
from masthead_media.image_executor import run_serially
from masthead_media.keys import STAFF, SUBMITTED, new_key
from masthead_media.models import Image
from masthead_media.services import storage_of
from masthead_media.services.orphans import (
    record_candidate,
    remove_candidates,
    try_to_delete_bytes,
)
from masthead_media.settings import MAX_PIXELS, SUBMITTED_BYTES, SUBMITTED_FILES
from masthead_media.storage import Storage
from masthead_media.validate_image import validate_image

NOT_AN_IMAGE = "Invalid file type. Only images are allowed."
OVER_QUOTA = "Too many images were uploaded today. Please try again tomorrow."
_QUOTA = "media.quota"
_CHUNK = 256 * 1024
_DAY = timedelta(days=1)


def upload_for_staff(
    instance: Instance, session: Session, file: IO[bytes], caller: Caller
) -> tuple[Image, bool]:
    """Store an image unless staff have uploaded the same bytes before.

    An earlier image whose bytes are missing from the storage gets them back.

    :param session: a session whose transaction has not run a statement yet.
    :param file: the upload, which may be a file on disk.
    :returns: the image, and whether it was uploaded before.
    :raises Invalid: if the upload is not an image.
    """
    digest = hash_file(file)
    duplicate, is_complete = find_duplicate(instance, digest)
    if duplicate is not None and is_complete:
        return duplicate, True
    image, content = prepare_staff_image(instance, file, digest, caller)
    if duplicate is not None:
        return restore_bytes(storage_of(instance), session, duplicate, image, content), True
    record_candidate(instance, image.key)
    return store_once(storage_of(instance), session, image, content)


def prepare_staff_image(
    instance: Instance, file: IO[bytes], digest: str, caller: Caller
) -> tuple[Image, bytes]:
    """Return the row for an upload and the bytes to store, without storing either.

    :param file: the upload, which may be a file on disk.
    :param digest: the result of ``hash_file`` for the upload.
    :raises Invalid: if the upload is not an image.
    """
    picture = _validate(instance, file)
    image = _new_image(picture, STAFF, digest)
    image.uploaded_by = caller.id
    return image, picture.content


def hash_file(file: IO[bytes]) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    digest = sha256()
    file.seek(0)
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
    return digest.hexdigest()


def upload_for_visitor(instance: Instance, session: Session, file: IO[bytes]) -> Image:
    """Store an image for a proposal.

    :param session: a session whose transaction has not run a statement yet.
    :param file: the upload, which may be a file on disk.
    :raises Invalid: if the upload is not an image.
    :raises Refused: if the visitors' quota for 24 hours is exhausted.
    """
    with instance.database.read() as connection, Session(connection) as reader:
        _check_quota(instance, reader, file.seek(0, SEEK_END))
    picture = _validate(instance, file)
    image = _new_image(picture, SUBMITTED, hash_file(file))
    storage = storage_of(instance)
    record_candidate(instance, image.key)
    storage.put(image.key, picture.content, image.media_type)
    with _deleted_on_error(storage, image.key):
        lock(session, _QUOTA)
        _check_quota(instance, session, image.size)
        session.add(image)
        session.flush()
        remove_candidates(session, [image.key])
    return image


def find_duplicate(instance: Instance, digest: str) -> tuple[Image | None, bool]:
    """Return staff's image of the same bytes, and whether its bytes are in the storage.

    They can be missing after a backup or an export was restored without them.
    """
    with instance.database.read() as connection, Session(connection) as reader:
        duplicate = _select_duplicate(reader, digest)
    if duplicate is None:
        return None, False
    return duplicate, storage_of(instance).size(duplicate.key) is not None


def restore_bytes(
    storage: Storage, session: Session, known: Image, upload: Image, content: bytes
) -> Image:
    """Store the bytes of an image again.

    :param known: the image whose bytes are missing.
    :param upload: the row made from the new upload, with its size and dimensions.
    :raises Refused: if the image was deleted meanwhile; the bytes are then left to the sweep.
    """
    storage.put(known.key, content, known.media_type)
    image = session.get(Image, known.id, with_for_update=True)
    if image is None:
        raise Refused("The image was deleted meanwhile. Please try again.")
    image.size, image.width, image.height = upload.size, upload.width, upload.height
    session.flush()
    return image


def store_once(
    storage: Storage, session: Session, image: Image, content: bytes
) -> tuple[Image, bool]:
    """Store an image and add its row, unless another transaction adds the same image first.

    Its key must be recorded as an orphan candidate before.

    :returns: the image that is stored, and whether it is the other transaction's.
    """
    storage.put(image.key, content, image.media_type)
    with _deleted_on_error(storage, image.key):
        try:
            with session.begin_nested():
                session.add(image)
        except IntegrityError:
            other = _select_duplicate(session, image.sha256)
            if other is None:
                raise
        else:
            remove_candidates(session, [image.key])
            return image, False
    try_to_delete_bytes(storage, [image.key])
    return other, True


def _select_duplicate(session: Session, digest: str) -> Image | None:
    # ``is_()`` would not use the partial index.
    same = (Image.sha256 == digest, Image.submitted == false())
    return session.scalar(select(Image).where(*same))


def _validate(instance: Instance, file: IO[bytes]) -> Picture:
    def work() -> Picture:
        file.seek(0)
        return validate_image(file.read(), instance.settings[MAX_PIXELS])

    try:
        return run_serially(work)
    except NotAnImage:
        raise Invalid(NOT_AN_IMAGE) from None


def _new_image(picture: Picture, prefix: str, digest: str) -> Image:
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
def _deleted_on_error(storage: Storage, key: str) -> Iterator[None]:
    """Delete the stored bytes if the block raises."""
    try:
        yield
    except BaseException:
        try_to_delete_bytes(storage, [key])
        raise
