"""The endpoints of images."""

from __future__ import annotations

from typing import Any

from pyramid.response import Response

from masthead import MOST_ROWS, PUBLIC, SUCCESS, Page, Request, check_submission, endpoint
from masthead_media import schemas
from masthead_media.image_response import image_response, redirect_response
from masthead_media.models import Image
from masthead_media.services import delivery, images, serving, storage_of, uploading
from masthead_media.visitors import visitor_of

READ, WRITE = "media.read", "media.write"
SUBMISSION_KIND = "images"
"""The kind that the hook ``masthead_check_submission`` gets."""


@endpoint(
    "POST",
    "/api/ycs/upload/image",
    name="images.submit",
    permission=PUBLIC,
    body=schemas.FORM,
    upload=schemas.FILE,
    returns=schemas.SUBMITTED,
    refuses=frozenset({503}),
    failure="Failed to upload image",
)
def submit_image(request: Request) -> dict[str, Any]:
    """Upload an image for the proposal of an action."""
    check_submission(request, SUBMISSION_KIND)
    file = request.upload.file
    visitor = visitor_of(request.remote_addr)
    return _address(uploading.upload_for_visitor(request.instance, request.db, file, visitor))


@endpoint(
    "GET",
    "/api/images/{prefix}/{filename}",
    path_help=schemas.KEY_HELP,
    name="images.show",
    permission=PUBLIC,
    query=schemas.WIDTH,
    returns="image/*",
    keep=True,
    refuses=frozenset({206, 302, 416, 503}),
    query_pool="renditions",
)
def show_image(request: Request) -> Response:
    """Show an image in its own width or the requested one, or redirect to it in the storage.

    The answer never changes, so that browsers and caches may keep it. Ranges are supported.
    """
    width, visitor = request.query.get("w"), visitor_of(request.remote_addr)
    stored = serving.find_image(request.instance, _key(request), width, visitor)
    request.note_only_row(Image.__tablename__, stored.image_id)
    if (direct := delivery.direct_address(request.instance, stored)) is not None:
        return redirect_response(direct.url, direct.seconds)
    return image_response(request, storage_of(request.instance), stored)


@endpoint(
    "POST",
    "/api/staff/upload/image",
    name="staff.images.upload",
    permission=WRITE,
    upload=schemas.FILE,
    returns=schemas.UPLOADED,
    refuses=frozenset({503}),
    failure="Failed to upload image",
)
def upload_image(request: Request) -> dict[str, Any]:
    """Upload an image, or return the one that has the same bytes.

    JPEG, PNG, WebP and GIF are accepted, as their bytes say. Use the `url` of the answer as the
    address of the image in content.
    """
    image, duplicate = uploading.upload_for_staff(
        request.instance,
        request.db,
        request.upload.file,
        request.identity,
        request.upload.filename,
    )
    request.response.etag = str(image.revision)
    return {**_address(image), "duplicate": duplicate}


@endpoint(
    "GET",
    "/api/staff/images",
    name="staff.images.list",
    permission=READ,
    query=schemas.FILTER,
    returns=schemas.IMAGES,
    page=MOST_ROWS,
    failure="Failed to list images",
)
def list_images(request: Request) -> Page:
    """List images, newest first."""
    page = images.list_images(request.db, request.window, request.query)
    return Page([_image(image) for image in page.items], page.total)


@endpoint(
    "GET",
    "/api/staff/images/{prefix}/{filename}",
    name="staff.images.show",
    permission=READ,
    returns=schemas.IMAGE,
)
def show_details(request: Request) -> dict[str, Any]:
    """Show the address, the size and the alternative text of an image."""
    return _tagged(request, images.get_image(request.db, _key(request)))


@endpoint(
    "PUT",
    "/api/staff/images/{prefix}/{filename}",
    path_help=schemas.KEY_HELP,
    name="staff.images.update",
    permission=WRITE,
    body=schemas.CHANGE,
    returns=schemas.IMAGE,
)
def describe_image(request: Request) -> dict[str, Any]:
    """Set the alternative text of an image."""
    key, precondition = _key(request), request.precondition
    return _tagged(request, images.describe_image(request.db, key, request.data, precondition))


@endpoint(
    "DELETE",
    "/api/staff/images/{prefix}/{filename}",
    path_help=schemas.KEY_HELP,
    name="staff.images.delete",
    permission=WRITE,
    query=schemas.FORCE,
    returns=SUCCESS,
)
def delete_image(request: Request) -> dict[str, bool]:
    """Delete an image that is not used; with force, any image."""
    force = request.query.get("force", False)
    key, caller, precondition = _key(request), request.identity, request.precondition
    images.delete_image(request.instance, request.db, key, caller, precondition, force=force)
    return {"success": True}


def _key(request: Request) -> str:
    return f"{request.matchdict['prefix']}/{request.matchdict['filename']}"


def _address(image: Image) -> dict[str, Any]:
    return {"url": image.url, "key": image.key, "filename": image.filename}


def _tagged(request: Request, image: Image) -> dict[str, Any]:
    """Return an image by wire name, with its revision as the ETag of the answer."""
    request.response.etag = str(image.revision)
    return _image(image)


def _image(image: Image) -> dict[str, Any]:
    return {
        **_address(image),
        "size": image.size,
        "uploadedAt": image.uploaded_at,
        "contentType": image.media_type,
        "width": image.width,
        "height": image.height,
        "altText": image.alt_text,
        "originalName": image.original_name,
    }
