"""The frame of the demo's website: organisation, texts, pages, navigation, images, a message."""

from __future__ import annotations

from typing import Any

from masthead import (
    ORGANISATION_BODY,
    Demo,
    change_organisation,
    instance_of,
    update_item,
)
from masthead_site.models import StaticImage
from masthead_site.schemas import ENTRY_BODY, TEXTS_BODY
from masthead_site.services.about import lock_texts, write_texts
from masthead_site.services.entries import create_entry

ORGANISATION: dict[str, Any] = {
    "name": "Alder Bank",
    "tagline": "Mending and growing",
    "description": "A workshop, a garden and a boathouse along one kilometre of river.",
    "language": "en-GB",
    "timeZone": "Europe/London",
    "social": [
        {
            "label": "@alderbank@social.example",
            "kind": "mastodon",
            "url": "https://social.example/@alderbank",
        },
        {"label": "Videos", "kind": "peertube", "url": "https://videos.example/c/alderbank"},
    ],
    "email": "hello@alderbank.example",
    "phone": "+44 20 7946 0000",
    "address": "Alder Bank\nFerry Lane 4",
    "footer": "<p>Alder Bank, Ferry Lane 4. The gate is open.</p>",
}
MISSION = """\
<p>We mend things and grow things along one kilometre of river, with whoever comes by.</p>
<p lang="ar" dir="rtl">نصلح الأشياء ونزرع الأرض على ضفة النهر، مع كل من يمرّ بنا.</p>
<p lang="ja">川べりで、直して、育てて、分け合っています。</p>"""
HISTORY = """\
<p>It began with one bicycle, a borrowed pump and rain. The boathouse was empty, and its owner said:
mend the roof and stay. We did both.</p>"""
HOW = """\
<p>Whoever is there on the first Monday of the month decides. Who isn't there finds the notes on the
board at the footbridge.</p>
<table><thead><tr><th>When</th><th>What</th></tr></thead>
<tbody><tr><td>Monday</td><td>Meeting</td></tr>
<tr><td>Wednesday</td><td>Garden</td></tr>
<tr><td>Saturday</td><td>Workshop</td></tr></tbody></table>"""
IMPRINT = "<p>Alder Bank, mending and growing. Ferry Lane 4. hello@alderbank.example</p>"
TEXTS = {
    "mission": {"title": "What we do", "content": MISSION},
    "history": {"title": "How it began", "content": HISTORY},
}
VALUES: list[dict[str, Any]] = [
    {
        "title": "Mend first",
        "description": "What can be mended isn't thrown away.",
        "icon": "wrench",
        "colorClass": "text-amber-700",
        "order": 10,
    },
    {
        "title": "Open gate",
        "description": "Nobody has to ask whether they may come in.",
        "icon": "door-open",
        "colorClass": "text-green-700",
        "order": 20,
    },
    {
        "title": "Written down",
        "description": "What we decide stands on the board, for all to read.",
        "icon": "pencil",
        "colorClass": "text-sky-700",
        "order": 30,
    },
]
PAGES: list[dict[str, Any]] = [
    {"title": "How we decide", "content": HOW, "published": True},
    {"title": "Imprint", "content": IMPRINT, "published": True},
    {"title": "Minutes of the meetings", "content": "<p>To be typed.</p>"},
]
MESSAGE = {
    "name": "Ilse Marten",
    "email": "ilse@riverbank.example",
    "subject": "A toaster from 1961",
    "message": "It glows on one side only. Is that something for a Saturday?",
}
IMAGES = {
    "logo": ("logo", "An alder leaf above a wave"),
    "hero": ("river", "The river between its banks, early in the morning"),
    "social-card": ("lanterns", "Lanterns above dark water"),
}
"""The picture and its description, by the id of a static image."""


def show_site(demo: Demo) -> None:
    """Create the organisation, texts, pages in a navigation folder, images, and a message."""
    change_organisation(demo.session, demo.checked(ORGANISATION_BODY, ORGANISATION))
    lock_texts(demo.session)
    write_texts(demo.session, demo.checked(TEXTS_BODY, TEXTS))
    demo.keep("values", VALUES)
    _add_pages(demo)
    _choose_images(demo)
    demo.keep("contact-messages", [MESSAGE])


def _add_pages(demo: Demo) -> None:
    """Create two published pages in a folder, and one that is not published."""
    pages = demo.keep("pages", PAGES)
    folder = create_entry(
        demo.session, demo.checked(ENTRY_BODY, {"label": "Alder Bank", "isFolder": True})
    )
    for page in pages:
        entry = {"customPageId": page.id, "parentId": folder.id}
        create_entry(demo.session, demo.checked(ENTRY_BODY, entry))


def _choose_images(demo: Demo) -> None:
    """Set the pictures of those static images that have none."""
    resource = instance_of(demo.session).resources["static-images"]
    for image_id, (picture, description) in IMAGES.items():
        address, image = demo.pictures.get(picture), demo.session.get(StaticImage, image_id)
        if address and image is not None and not image.image_url:
            values = {"imageUrl": address, "contentDescription": description}
            update_item(demo.session, resource, image, values, demo.author)
