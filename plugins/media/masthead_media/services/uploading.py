"""Upload images: validate them, strip their metadata, store their bytes, then add their rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import SEEK_END
from typing import IO

from sqlalchemy import false, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from masthead import Caller, Instance, ProblemCode, Refused, lock, utcnow, wrong_field
from masthead_media.decoding.pool import Result
from masthead_media.keys import STAFF, SUBMITTED, new_key
from masthead_media.models import Image
from masthead_media.services import quotas, storage_of
from masthead_media.services.decoding import validate_upload
from masthead_media.services.finding import name_of
from masthead_media.services.orphans import (
    record_candidate,
    remove_candidates,
    try_to_delete_bytes,
)
from masthead_media.storage import Storage

NOT_AN_IMAGE = "Invalid file type. Only images are allowed."
_QUOTA = "media.quota"
_CHUNK = 256 * 1024


def upload_for_staff(
    instance: Instance,
    session: Session,
    file: IO[bytes],
    caller: Caller | None,
    filename: str = "",
) -> tuple[Image, bool]:
    """Store an image unless staff have uploaded the same bytes before.

    An earlier image whose bytes are missing from the storage gets them back.

    :param session: a session whose transaction has not run a statement yet.
    :param file: the upload, which may be a file on disk.
    :param filename: its name, as the client has sent it.
    :returns: the image, and whether it was uploaded before.
    :raises Invalid: if the upload is not an image.
    :raises Busy: if no decoder is free in time.
    """
    digest = hash_file(file)
    duplicate, is_complete = find_duplicate(instance, digest)
    if duplicate is not None and is_complete:
        return duplicate, True
    image, content = prepare_staff_image(instance, file, digest, caller)
    if duplicate is not None:
        return restore_bytes(storage_of(instance), session, duplicate, image, content), True
    image.original_name = name_of(filename)
    record_candidate(instance, image.key)
    return store_once(storage_of(instance), session, image, content)


def prepare_staff_image(
    instance: Instance, file: IO[bytes], digest: str, caller: Caller | None
) -> tuple[Image, bytes]:
    """Return the row for an upload and the bytes to store, without storing either.

    :param file: the upload, which may be a file on disk.
    :param digest: the result of ``hash_file`` for the upload.
    :raises Invalid: if the upload is not an image.
    :raises Busy: if no decoder is free in time.
    """
    decoded = validate_upload(instance, file, None)
    image = _new_image(decoded, STAFF, digest)
    image.uploaded_by = caller.id if caller else None
    return image, decoded.content


def hash_file(file: IO[bytes]) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    digest = sha256()
    file.seek(0)
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
    return digest.hexdigest()


def upload_for_visitor(
    instance: Instance, session: Session, file: IO[bytes], visitor: str | None
) -> Image:
    """Store an image for a proposal.

    :param session: a session whose transaction has not run a statement yet.
    :param file: the upload, which may be a file on disk.
    :param visitor: the result of ``visitor_of``.
    :raises Invalid: if the upload is not an image.
    :raises Busy: if no decoder is free in time.
    :raises Refused: if a quota for 24 hours is exhausted.
    """
    size = file.seek(0, SEEK_END)
    with instance.database.read() as connection, Session(connection) as reader:
        quotas.check_quotas(instance, reader, visitor, size)
    decoded = validate_upload(instance, file, visitor)
    quotas.count_upload(instance, visitor, size, decoded.seconds)
    image = _new_image(decoded, SUBMITTED, hash_file(file))
    storage = storage_of(instance)
    record_candidate(instance, image.key)
    storage.put(image.key, decoded.content, image.media_type)
    with _deleted_on_error(storage, image.key):
        lock(session, _QUOTA)
        quotas.check_stored(instance, session, image.size)
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


def _new_image(decoded: Result, prefix: str, digest: str) -> Image:
    if decoded.failure:
        raise wrong_field("file", ProblemCode.NOT_AN_IMAGE, NOT_AN_IMAGE, named=False)
    now, picture = utcnow(), decoded.fields
    return Image(
        key=new_key(prefix, picture["extension"], now),
        sha256=digest,
        submitted=prefix == SUBMITTED,
        media_type=picture["media_type"],
        size=len(decoded.content),
        width=picture["width"],
        height=picture["height"],
        uploaded_at=now,
    )


@contextmanager
def _deleted_on_error(storage: Storage, key: str) -> Iterator[None]:
    """Delete the stored bytes if the block raises."""
    try:
        yield
    except BaseException:
        try_to_delete_bytes(storage, [key])
        raise
