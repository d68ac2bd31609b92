"""Endpoints of images."""

from __future__ import annotations

from typing import Any

from pyramid.response import Response

from masthead import Page, Request, check_submission
from masthead_media.models import Image
from masthead_media.sending import send
from masthead_media.services import keeping, serving, storage_of, uploading

KIND = "images"
"""What hooks know submissions as."""


def upload_image(request: Request) -> Any:
    """Staff upload an image."""
    image, duplicate = uploading.upload_for_staff(
        request.instance, request.db, request.upload.file, request.identity
    )
    return {**_place(image), "duplicate": duplicate}


def submit_image(request: Request) -> Any:
    """A visitor uploads an image for a proposal."""
    check_submission(request, KIND)
    sent = request.upload.file
    return _place(uploading.upload_for_visitor(request.instance, request.db, sent))


def list_images(request: Request) -> Page:
    """All images, for staff."""
    page = keeping.list_images(request.db, request.window)
    return Page([_described(image) for image in page.items], page.total)


def describe_image(request: Request) -> Any:
    """Staff say what an image shows."""
    return _described(keeping.describe_image(request.db, _key(request), request.data))


def delete_image(request: Request) -> Any:
    """Staff delete an image."""
    force = request.query.get("force", False)
    keeping.delete_image(request.instance, request.db, _key(request), request.identity, force=force)
    return {"success": True}


def show_image(request: Request) -> Response:
    """Anybody looks at an image."""
    stored = serving.find_image(request.instance, _key(request), request.query.get("w"))
    return send(request, storage_of(request.instance), stored)


def _key(request: Request) -> str:
    return f"{request.matchdict['prefix']}/{request.matchdict['filename']}"


def _place(image: Image) -> dict[str, Any]:
    return {"url": image.url, "key": image.key, "filename": image.filename}


def _described(image: Image) -> dict[str, Any]:
    return {
        **_place(image),
        "size": image.size,
        "uploadedAt": image.uploaded_at,
        "contentType": image.media_type,
        "width": image.width,
        "height": image.height,
        "altText": image.alt_text,
    }
