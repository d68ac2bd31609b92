"""The pictures of the demo, uploaded as staff upload theirs."""

from __future__ import annotations

from io import BytesIO

from masthead import Demo, StartError, instance_of
from masthead_media.services import storage_of
from masthead_media.services.uploading import digest_of, keep_once, read_for_staff


def show_pictures(demo: Demo) -> None:
    """Upload the pictures, and tell the other plugins where they are.

    :raises StartError: where the storage doesn't take them.
    """
    # It needs Pillow, which is large.
    from masthead_media.drawing import PICTURES, encode

    instance = instance_of(demo.session)
    for name, (draw, form, alt_text) in PICTURES.items():
        content = BytesIO(encode(draw(), form))
        try:
            digest = digest_of(content)
            # Not remembered before: the demo is one transaction, and has begun. One that is broken
            # off leaves these few pictures in its folder.
            image, stored = read_for_staff(instance, content, digest, demo.author)
            keep_once(storage_of(instance), demo.session, image, stored)
        except Exception as error:
            why = " ".join(str(error).split())
            raise StartError(f"the pictures of the demo can't be stored: {why}") from error
        image.alt_text = alt_text
        demo.pictures[name] = image.url
    demo.session.flush()
