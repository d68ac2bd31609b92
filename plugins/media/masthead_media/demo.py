"""The pictures of the demo, uploaded as staff upload theirs."""

from __future__ import annotations

from io import BytesIO

from masthead import Demo, StartError, instance_of
from masthead_media.services.uploading import upload_for_staff


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
            image, _ = upload_for_staff(instance, demo.session, content, demo.author)
        except Exception as error:
            why = " ".join(str(error).split())
            raise StartError(f"the pictures of the demo can't be stored: {why}") from error
        image.alt_text = alt_text
        demo.pictures[name] = image.url
    demo.session.flush()
