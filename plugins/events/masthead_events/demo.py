"""The events of the demo, with dates relative to the day on which it is created."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from masthead import Demo

REPAIR = """\
<p>Bring what is broken and small enough to carry. Somebody sits down with you, and you mend it
together; we don't mend it <em>for</em> you.</p>
<p>Last things are taken in at one o'clock.</p>"""
PLANTING = """\
<div lang="ar" dir="rtl"><p>نزرع معًا شتلات الطماطم والفلفل والريحان. الأطفال مرحّب بهم، والأحذية
القديمة أفضل من الجديدة.</p></div>"""
CLEANING = """\
<div lang="ja"><p>朝の川を歩きながら、岸辺のごみを拾います。手袋と袋はこちらで用意します。
終わったら、橋のそばで温かい汁物をどうぞ。</p></div>"""
SUPPER = """\
<p>One long table between the beds. Bring a dish for six and a chair; we bring the lamps.</p>"""
OPEN_DAY = """\
<p>The boathouse was open from noon to dusk: the workbench, the seed library, and the wall with what
the river has brought.</p>"""
LANTERNS = """\
<p>From the footbridge down to the boathouse with lanterns that we make on the two Saturdays
before.</p>"""

EVENTS: list[dict[str, Any]] = [
    {
        "title": "Open day at the boathouse",
        "description": "Workbench, seed library, and a wall of finds.",
        "content": OPEN_DAY,
        "startDate": (-20, 12),
        "endDate": (-20, 19),
        "location": "The old boathouse",
        "tags": ["River"],
    },
    {
        "title": "Repair Saturday",
        "description": "Bring what is broken and small enough to carry.",
        "content": REPAIR,
        "startDate": (5, 10),
        "endDate": (5, 14),
        "location": "The workshop, Ferry Lane 4",
        "imageUrl": "workshop",
        "tags": ["Repair"],
    },
    {
        "title": "يوم زراعة الشتلات",
        "lang": "ar",
        "description": "طماطم وفلفل وريحان، للكبار والصغار.",
        "content": PLANTING,
        "startDate": (12, 14),
        "endDate": (12, 17),
        "location": "حديقة الضفة",
        "imageUrl": "garden",
        "tags": ["Garden", "Volunteers"],
    },
    {
        "title": "川そうじの朝",
        "lang": "ja",
        "description": "岸辺を歩いて、拾って、温まる。",
        "content": CLEANING,
        "startDate": (19, 7),
        "endDate": (19, 10),
        "location": "歩道橋",
        "imageUrl": "river",
        "tags": ["River", "Volunteers"],
    },
    {
        "title": "Harvest supper",
        "description": "One long table between the beds.",
        "content": SUPPER,
        "startDate": (40,),
        "location": "The garden",
        "tags": ["Garden"],
    },
]
"""Pictures are names; times are pairs of days from today and an hour."""
DRAFT: dict[str, Any] = {
    "title": "Lantern walk",
    "description": "Down to the boathouse after dark.",
    "content": LANTERNS,
    "startDate": (60, 17),
    "endDate": (60, 19),
    "location": "The footbridge",
    "imageUrl": "lanterns",
    "tags": ["River"],
}


def create_events(demo: Demo) -> None:
    """Create four upcoming events, a past one and a draft."""
    demo.publish("events", [_dated(demo, event) for event in EVENTS])
    demo.draft("events", _dated(demo, DRAFT))


def _dated(demo: Demo, event: Mapping[str, Any]) -> dict[str, Any]:
    times = {name: demo.at(*event[name]) for name in ("startDate", "endDate") if name in event}
    return {**event, **times, "imageUrl": demo.pictures.get(event.get("imageUrl", ""))}
