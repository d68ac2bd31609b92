"""The images in values that become public."""

from __future__ import annotations

from io import BytesIO

from PIL import Image
from webtest.forms import Upload

from masthead import Instance, PublishedImage
from masthead.testing import Client, Desk
from tests.gates.gate import Gate
from tests.gates.ways import Scene


def uploaded(app: Client, shade: int, alt: str | None) -> str:
    """Upload an image, and return its path."""
    file, staff = BytesIO(), app.as_role("admin")
    Image.new("RGB", (4, 4), (shade, shade, shade)).save(file, "PNG")
    upload = Upload("river.png", file.getvalue(), "image/png")
    made = staff.post("/api/staff/upload/image", {"file": upload}).json
    staff.put_json(f"/api/staff/images/{made['key']}", {"altText": alt})
    return str(made["url"])


def test_a_publication_has_the_alternative_texts_of_its_images(
    app: Client, instance: Instance, gate: Gate
) -> None:
    described, plain = uploaded(app, 1, "A river"), uploaded(app, 2, None)
    content = f'<p><img src="{described}"><img src="{plain}" alt=""><img src="/logo.png"></p>'
    scene = Scene(instance, Desk(app, "news").as_role("admin"))
    item = scene.draft()
    scene.editor.edit(item, imageUrl=plain, content=content)
    scene.editor.request(item)
    scene.desk.approve(item)

    [publication] = gate.asked
    assert publication.images == (
        PublishedImage("imageUrl", plain, None, is_stored=True),
        PublishedImage("content", described, "A river", is_stored=True),
        PublishedImage("content", plain, "", is_stored=True),
        PublishedImage("content", "/logo.png", None, is_stored=False),
    )
