"""The people of the demo's organisation."""

from __future__ import annotations

from masthead import Demo


def show_people(demo: Demo) -> None:
    """Four who are public, and one who isn't yet."""
    demo.keep(
        "people",
        [
            {
                "name": "Noor Haddad",
                "role": "Writes the news",
                "briefMessage": "Ask me what is going on, and I ask you to write it down.",
                "imageUrl": demo.pictures.get("noor"),
                "displayOrder": 10,
                "published": True,
            },
            {
                "name": "Mateo Vidal",
                "role": "Coordinator",
                "briefMessage": "I read everything before you do.",
                "imageUrl": demo.pictures.get("mateo"),
                "displayOrder": 20,
                "published": True,
            },
            {
                "name": "سلمى منصور",
                "role": "مسؤولة الحديقة",
                "briefMessage": "كل بذرة تحتاج إلى جار.",
                "imageUrl": demo.pictures.get("salma"),
                "displayOrder": 30,
                "published": True,
            },
            {
                "name": "小川 美緒",
                "role": "修理カフェ担当",
                "briefMessage": "直せるものは、まだ捨てない。",
                "displayOrder": 40,
                "published": True,
            },
            {"name": "Tove Lind", "role": "Treasurer from next year on", "displayOrder": 50},
        ],
    )
