"""Upload the demo's pictures, the same way as staff upload theirs."""

from __future__ import annotations

from io import BytesIO

from masthead import Demo, StartError, instance_of
from masthead_media.services import storage_of
from masthead_media.services.uploading import hash_file, prepare_staff_image, store_once


def upload_pictures(demo: Demo) -> None:
    """Upload the pictures, and pass their addresses to the other plugins.

    :raises StartError: if the storage fails.
    """
    # Pillow is large: it is imported only where it is used.
    from masthead_media.demo_pictures import PICTURES, encode

    instance = instance_of(demo.session)
    for name, (draw, form, alt_text) in PICTURES.items():
        content = BytesIO(encode(draw(), form))
        try:
            digest = hash_file(content)
            # No orphan candidate is recorded: that takes a transaction of its own, and the demo's
            # has begun. An interrupted demo leaves these few pictures in its folder.
            image, stored = prepare_staff_image(instance, content, digest, demo.author)
            store_once(storage_of(instance), demo.session, image, stored)
        except Exception as error:
            why = " ".join(str(error).split())
            raise StartError(f"the pictures of the demo can't be stored: {why}") from error
        image.alt_text = alt_text
        demo.pictures[name] = image.url
    demo.session.flush()
