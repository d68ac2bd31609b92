"""Staff find images by the names of files, and by their alternative texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import update

from masthead.db import Database
from masthead.testing import Client
from masthead_media.models import Image

LIST = "/api/staff/images"


def test_images_are_found_by_name_and_description(
    editor: Client, upload: Any, picture: Callable[..., bytes], database: Database
) -> None:
    def found(query: str) -> list[str]:
        return [image["key"] for image in editor.get(f"{LIST}?{query}").json]

    river = upload(picture("PNG"), "C:\\photos\\Fête au Bord_de l'eau.png")["key"]
    other = upload(picture("PNG", 20, 10), "IMG_0042.png")["key"]
    editor.put_json(f"{LIST}/{other}", {"altText": "Zwei Bäume"})

    assert editor.get(LIST).json[1]["originalName"] == "Fête au Bord_de l'eau.png"
    assert found("search=FETE+bord_") == [river]
    assert found("search=baume") == found("search=img_0042") == [other]
    assert found("search=photos") == found("search=100%25") == found("submitted=true") == []
    assert found("search=") == found("contentType=image/png") == [other, river]
    assert found("contentType=image/gif") == []
    page = editor.get(f"{LIST}?search=png&limit=1")
    assert (page.headers["X-Total-Count"], len(page.json)) == ("2", 1)
    with database.transaction() as session:
        session.execute(update(Image).values(search_text=None))
    assert found("search=Zwei") == [other]
