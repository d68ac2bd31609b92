"""Media as a plugin: endpoints for images, the storage of their bytes, and its maintenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import IO, Any

from sqlalchemy.orm import Session

from masthead import (
    AuditAction,
    Caller,
    Check,
    Chore,
    Demo,
    Endpoint,
    ImageInfo,
    Instance,
    Job,
    KeptFiles,
    Permission,
    Plugin,
    Setting,
    StoredImages,
    area_permissions,
    endpoints_in,
    hookimpl,
)
from masthead_media import diagnosis, settings, views
from masthead_media.keys import PATH
from masthead_media.models import Base, Image
from masthead_media.services.copying import copy_images
from masthead_media.services.importing import store_image
from masthead_media.services.orphans import sweep
from masthead_media.services.quotas import forget_usage
from masthead_media.services.retention import delete_unused_submissions
from masthead_media.services.serving import image_infos
from masthead_media.services.transfer import image_files


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of storage, sizes and quotas."""
    return settings.ALL


@hookimpl
def masthead_checks() -> list[Check]:
    """Return the checks of the storage."""
    return diagnosis.checks()


@hookimpl
def masthead_permissions() -> list[Permission]:
    """Return the permissions to read and to change the list of images."""
    return area_permissions("media")


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints that upload, serve and manage images."""
    return endpoints_in(views)


@hookimpl
def masthead_audit_actions() -> list[AuditAction]:
    """Return the action of images."""
    return [AuditAction("image.delete", "An image was deleted for good.")]


@hookimpl
def masthead_image_info(session: Session, paths: Sequence[str]) -> list[ImageInfo]:
    """Return media type and size of the images that are stored here."""
    return image_infos(session, paths)


@hookimpl
def masthead_copy_images(
    instance: Instance, addresses: Sequence[str], caller: Caller
) -> Mapping[str, str]:
    """Copy images of visitors to those of staff."""
    return copy_images(instance, addresses, caller)


@hookimpl
def masthead_store_image(
    instance: Instance, file: IO[bytes], alt_text: str | None, caller: Caller | None
) -> str | None:
    """Store an image of an import as an image of staff."""
    return store_image(instance, file, alt_text, caller)


@hookimpl
def masthead_files(instance: Instance) -> list[KeptFiles]:
    """Return the images in their own width; renditions can be made again."""
    return [image_files(instance)]


@hookimpl
def masthead_jobs() -> list[Job | Chore]:
    """Return the jobs that delete unused submissions, old counts of uploads and orphaned bytes."""
    return [
        Job("media.forget-submissions", timedelta(hours=1), delete_unused_submissions),
        Job("media.forget-usage", timedelta(hours=1), forget_usage),
        Chore("media.sweep", timedelta(days=1), sweep),
    ]


# First, because the other plugins' demos show the pictures.
@hookimpl(tryfirst=True)
def masthead_demo(demo: Demo) -> None:
    """Upload the demo's pictures."""
    # Pillow is large: it is imported only where it is used.
    from masthead_media.demo import upload_pictures

    upload_pictures(demo)


plugin = Plugin(
    name="media",
    hooks=(__name__,),
    base=Base,
    migrations="masthead_media.migrations",
    images=StoredImages(
        path=PATH,
        key=Image.key,
        width=Image.width,
        height=Image.height,
        alt=Image.alt_text,
        media_type=Image.media_type,
        widths=settings.WIDTHS,
    ),
)
