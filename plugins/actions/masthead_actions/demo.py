"""The actions of the demo, and a proposal."""

from __future__ import annotations

from typing import Any

from masthead import Demo

BED = """\
<p>A bed is two metres by one, and wants an hour a week. You get seeds from the library, and
somebody next to you who has had a bed before.</p>"""
MEND = """\
<p>We look for people who can sew, solder, sharpen or file, and for people who would like to
learn it from them. One Saturday a month, with lunch.</p>"""
WATER = """\
<div lang="ar" dir="rtl"><p>نقيس صفاء ماء النهر مرة كل أسبوعين ونسجّل النتائج على اللوح عند الجسر.
يكفيك نصف ساعة وحذاء مقاوم للماء.</p></div>"""
LIBRARY = """\
<p>A drill, a sewing machine and a tall ladder that belong to everybody, lent for a week.</p>"""
SWAP = "<p>Everybody who has <strong>too many</strong> seedlings brings them to the gate.</p>"

ACTIONS: list[dict[str, Any]] = [
    {
        "title": "Adopt a garden bed",
        "description": "Two square metres, an hour a week, and seeds from the library.",
        "content": BED,
        "icon": "sprout",
        "gradientClass": "from-green-500 to-lime-300",
        "accentClass": "text-green-700",
        "coverImageUrl": "garden",
        "displayOrder": 10,
        "tags": ["Garden", "Volunteers"],
    },
    {
        "title": "Mend with us",
        "description": "Sew, solder, sharpen, or learn it from those who can.",
        "content": MEND,
        "icon": "wrench",
        "gradientClass": "from-amber-500 to-orange-300",
        "accentClass": "text-amber-700",
        "link": "/contact",
        "coverImageUrl": "workshop",
        "displayOrder": 20,
        "tags": ["Repair", "Volunteers"],
    },
    {
        "title": "راقب صفاء الماء",
        "lang": "ar",
        "description": "نصف ساعة كل أسبوعين، عند الجسر.",
        "content": WATER,
        "icon": "droplet",
        "gradientClass": "from-sky-600 to-cyan-300",
        "accentClass": "text-sky-700",
        "coverImageUrl": "river",
        "displayOrder": 30,
        "tags": ["River"],
    },
]
"""Pictures are names."""
DRAFT: dict[str, Any] = {
    "title": "Lend a tool, borrow a tool",
    "description": "A drill, a sewing machine and a ladder for everybody.",
    "content": LIBRARY,
    "icon": "hammer",
    "displayOrder": 40,
    "tags": ["Repair"],
}
PROPOSAL: dict[str, Any] = {
    "title": "Swap seedlings at the gate",
    "description": "On the first Sunday of spring, from ten to noon.",
    "content": SWAP,
    "contactName": "Ilse Marten",
    "contactEmail": "ilse@riverbank.example",
}


def create_actions(demo: Demo) -> None:
    """Create three actions, a draft and a proposal."""
    with_pictures = [
        {**action, "coverImageUrl": demo.pictures.get(action["coverImageUrl"])}
        for action in ACTIONS
    ]
    demo.publish("actions", with_pictures)
    demo.draft("actions", DRAFT)
    demo.keep("proposals", [PROPOSAL])
