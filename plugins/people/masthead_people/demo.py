"""The people of the demo's organisation."""

from __future__ import annotations

from typing import Any

from masthead import Demo

PEOPLE: list[dict[str, Any]] = [
    {
        "name": "Noor Haddad",
        "role": "Writes the news",
        "briefMessage": "Ask me what is going on, and I ask you to write it down.",
        "imageUrl": "noor",
        "published": True,
    },
    {
        "name": "Mateo Vidal",
        "role": "Coordinator",
        "briefMessage": "I read everything before you do.",
        "imageUrl": "mateo",
        "published": True,
    },
    {
        "name": "سلمى منصور",
        "role": "مسؤولة الحديقة",
        "briefMessage": "كل بذرة تحتاج إلى جار.",
        "imageUrl": "salma",
        "published": True,
    },
    {
        "name": "小川 美緒",
        "role": "修理カフェ担当",
        "briefMessage": "直せるものは、まだ捨てない。",
        "imageUrl": "",
        "published": True,
    },
    {"name": "Tove Lind", "role": "Treasurer from next year on", "imageUrl": ""},
]
"""The people in their order; ``imageUrl`` is the name of a picture of the demo."""


def show_people(demo: Demo) -> None:
    """Create four published people, and one who is not published."""
    demo.keep(
        "people",
        [
            {
                **person,
                "imageUrl": demo.pictures.get(person["imageUrl"]),
                "displayOrder": 10 * place,
            }
            for place, person in enumerate(PEOPLE, 1)
        ],
    )
