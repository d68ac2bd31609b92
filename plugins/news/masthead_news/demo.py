"""The articles of the demo, in three scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from masthead import Demo

PATH = """\
<p>After nine weekends the path along the bank is open again, from the footbridge to the old
boathouse. Sixty people carried stones, and nobody fell in.</p>
<h2>What has changed</h2>
<ul>
<li>The steps at the willow have a handrail on both sides.</li>
<li>Where the bank was washed out, hazel hurdles hold it now.</li>
<li>Wheelchairs get as far as the second bench; the rest follows in spring.</li>
</ul>
<p>Please keep dogs on a lead until the young reeds stand.</p>"""
REPAIRS = """\
<p>Of four hundred and twelve things that were carried into our workshop this winter, three hundred
and one went home working. Kettles did best, umbrellas worst.</p>
<blockquote>If it has screws, there is hope. If it is glued, we look for the seam.</blockquote>
<p>Thank you to all who held a torch, found a fuse or made the tea.</p>"""
GARDEN = """\
<div lang="ar" dir="rtl">
<p>فتحت حديقة الضفة أبوابها لجميع الجيران. زرعنا معًا أربعة وعشرين حوضًا من الخضروات والأعشاب،
وبقيت ستة أحواض تنتظر من يعتني بها.</p>
<p>تعالوا مساء كل أربعاء، وأحضروا معكم كوبًا للشاي. الأدوات موجودة عندنا، ولا حاجة إلى خبرة
سابقة.</p>
</div>"""
CAFE = """\
<div lang="ja">
<p>川べりの作業場で、毎月一度の修理カフェが始まります。壊れた道具を持ってきてください。</p>
<p>直し方を知っている人と、知りたい人が、同じ机を囲みます。</p>
<p>参加は無料です。お茶と工具はこちらで用意します。</p>
</div>"""
BARRELS = """\
<p>Three rain barrels are coming to the lower beds, and we still have to agree on where they stand.
The plan hangs in the shed; write on it.</p>"""

ARTICLES: list[dict[str, Any]] = [
    {
        "title": "The path along the river is open again",
        "description": "Nine weekends, sixty people, and a handrail on both sides.",
        "content": PATH,
        "category": "River",
        "imageUrl": "river",
        "publishedAt": (-3, 9),
        "tags": ["River", "Volunteers"],
    },
    {
        "title": "حديقة الضفة تفتح أبوابها للجيران",
        "lang": "ar",
        "description": "أربعة وعشرون حوضًا مزروعًا، وستة تنتظر من يعتني بها.",
        "content": GARDEN,
        "category": "Garden",
        "imageUrl": "garden",
        "publishedAt": (-9, 16),
        "tags": ["Garden", "Volunteers"],
    },
    {
        "title": "川べりの修理カフェが始まります",
        "lang": "ja",
        "description": "壊れた道具を持って、月に一度、作業場へ。",
        "content": CAFE,
        "category": "Repair",
        "imageUrl": "workshop",
        "publishedAt": (-16, 7),
        "tags": ["Repair"],
    },
    {
        "title": "A winter of repairs, counted",
        "description": "What came in broken, and what went home working.",
        "content": REPAIRS,
        "category": "Repair",
        "imageUrl": "",
        "publishedAt": (-31, 18),
        "tags": ["Repair", "Volunteers"],
    },
]
"""Pictures are names; dates are pairs of days from today and an hour."""
DRAFT: dict[str, Any] = {
    "title": "Where shall the rain barrels stand?",
    "description": "Three barrels for the lower beds, and a plan to write on.",
    "content": BARRELS,
    "category": "Garden",
    "tags": ["Garden"],
}


def create_articles(demo: Demo) -> None:
    """Create four published articles and a draft."""
    demo.publish("news", [_dated(demo, article) for article in ARTICLES])
    demo.draft("news", {**DRAFT, "imageUrl": demo.pictures.get("garden")})


def _dated(demo: Demo, article: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **article,
        "imageUrl": demo.pictures.get(article["imageUrl"]),
        "publishedAt": demo.at(*article["publishedAt"]),
    }
