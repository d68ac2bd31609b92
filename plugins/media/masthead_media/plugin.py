"""How media joins Masthead: images that staff and visitors upload, and everybody sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead import (
    MOST_ROWS,
    PUBLIC,
    SUCCESS,
    Caller,
    Chore,
    Demo,
    Endpoint,
    FileField,
    ImageInfo,
    Instance,
    Job,
    KeptFiles,
    Permission,
    Plugin,
    Setting,
    area_permissions,
    hookimpl,
)
from masthead_media import schemas, settings, views
from masthead_media.judging import MEDIA_TYPES
from masthead_media.models import Base
from masthead_media.services.cleaning import forget_submissions
from masthead_media.services.copying import copy_images
from masthead_media.services.leftovers import sweep
from masthead_media.services.moving import kept_images
from masthead_media.services.serving import image_infos

READ, WRITE = "media.read", "media.write"
FILE = FileField(settings.MAX_BODY, accepts=MEDIA_TYPES)


class Hooks:
    """What media answers to core's hooks."""

    @hookimpl
    def masthead_settings(self) -> list[Setting[Any]]:
        """Where images lie, and how many of what size."""
        return settings.ALL

    @hookimpl
    def masthead_permissions(self) -> list[Permission]:
        """Seeing the list of images, and changing it."""
        return area_permissions("media")

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        """Uploading, keeping and serving images."""
        return _ENDPOINTS

    @hookimpl
    def masthead_image_info(self, session: Session, paths: Sequence[str]) -> list[ImageInfo]:
        """What is known of images that lie here."""
        return image_infos(session, paths)

    @hookimpl
    def masthead_copy_images(
        self, instance: Instance, addresses: Sequence[str], caller: Caller
    ) -> Mapping[str, str]:
        """Images of visitors become images of staff."""
        return copy_images(instance, addresses, caller)

    @hookimpl
    def masthead_files(self, instance: Instance) -> list[KeptFiles]:
        """The images as they were stored; those of other widths are made anew."""
        return [kept_images(instance)]

    @hookimpl
    def masthead_jobs(self) -> list[Job | Chore]:
        """Removing what nothing names or needs."""
        return [
            Job("media.forget-submissions", timedelta(hours=1), forget_submissions),
            Chore("media.sweep", timedelta(days=1), sweep),
        ]

    # First, as the other plugins of the demo show its pictures.
    @hookimpl(tryfirst=True)
    def masthead_demo(self, demo: Demo) -> None:
        """Pictures, drawn by code."""
        # They need Pillow, which is large.
        from masthead_media.demo import show_pictures

        show_pictures(demo)


_ENDPOINTS = [
    Endpoint(
        name="images.submit",
        method="POST",
        path="/api/ycs/upload/image",
        view=views.submit_image,
        permission=PUBLIC,
        summary="Upload an image for the proposal of an action",
        returns=schemas.SUBMITTED,
        body=schemas.NOTHING,
        upload=FILE,
        failure="Failed to upload image",
    ),
    Endpoint(
        name="images.show",
        method="GET",
        path="/api/images/{prefix}/{filename}",
        view=views.show_image,
        permission=PUBLIC,
        summary="Show an image, as wide as it is or as asked for",
        returns="image/*",
        query=schemas.WIDTH,
        keep=True,
        refuses=frozenset({206, 416}),
    ),
    Endpoint(
        name="staff.images.upload",
        method="POST",
        path="/api/staff/upload/image",
        view=views.upload_image,
        permission=WRITE,
        summary="Upload an image; one that is there already is answered",
        returns=schemas.UPLOADED,
        upload=FILE,
        failure="Failed to upload image",
    ),
    Endpoint(
        name="staff.images.list",
        method="GET",
        path="/api/staff/images",
        view=views.list_images,
        permission=READ,
        summary="List images, newest first",
        returns=schemas.IMAGES,
        page=MOST_ROWS,
        failure="Failed to list images",
    ),
    Endpoint(
        name="staff.images.update",
        method="PUT",
        path="/api/staff/images/{prefix}/{filename}",
        view=views.describe_image,
        permission=WRITE,
        summary="Say what an image shows",
        returns=schemas.IMAGE,
        body=schemas.CHANGE,
    ),
    Endpoint(
        name="staff.images.delete",
        method="DELETE",
        path="/api/staff/images/{prefix}/{filename}",
        view=views.delete_image,
        permission=WRITE,
        summary="Delete an image that nothing uses, or with force any",
        returns=SUCCESS,
        query=schemas.FORCE,
    ),
]

plugin = Plugin(name="media", hooks=(Hooks(),), base=Base, migrations="masthead_media.migrations")
