"""The demo's templates, drafts and subscribers; none of the drafts is sent."""

from __future__ import annotations

from masthead import Demo, hookimpl

WRAPPER = """\
<div style="font-family: sans-serif; max-width: 36em">
<p style="color: #2f6f4f">Alder Bank: mending and growing</p>
{{content}}
</div>"""
WELCOME = """\
<p>Dear {{name}},</p>
<p>good that you came by. On Saturdays the workshop is open, on Wednesdays the garden.</p>"""
LETTER = """\
<h1>From the bank</h1>
<p>Dear {{name}}, the path is open again, and the first tomatoes look for a home.</p>
<p lang="ar" dir="rtl">أهلًا بكم في حديقة الضفة مساء كل أربعاء.</p>
<p lang="ja">来月の修理カフェでお待ちしています。</p>
<p><a href="{{unsubscribe}}">No more of these letters</a></p>"""
TEMPLATES = [
    {
        "name": "Welcome",
        "subject": "Good that you came, {{name}}",
        "html_content": WELCOME,
        "category": "invite",
        "html_wrapper": WRAPPER,
    },
    {
        "name": "Letter",
        "subject": "From the bank",
        "html_content": LETTER,
        "category": "newsletter",
        "html_wrapper": WRAPPER,
    },
]
NEWSLETTER = {
    "title": "Spring letter",
    "subject": "The path is open again",
    "html_content": LETTER,
    "notes": "Waits for the date of the supper.",
}
COMPOSED = {
    "title": "To the school",
    "subject": "A bed for your class",
    "html_content": "<p>There are two beds next to the gate. Come and choose.</p>",
    "recipient_emails": ["office@school.example"],
}
SUBSCRIBERS = [
    {"email": "ilse@riverbank.example", "name": "Ilse Marten", "source": "website"},
    {"email": "yusuf@riverbank.example", "name": "يوسف نجار", "source": "open day"},
    {"email": "mio@riverbank.example", "name": "小川 美緒", "source": "workshop"},
    {
        "email": "club@riverbank.example",
        "name": "Old Rowing Club",
        "status": "unsubscribed",
        "source": "website",
    },
]


@hookimpl
def masthead_demo(demo: Demo) -> None:
    """Create templates, a newsletter, a composed e-mail and subscribers for the demo."""
    demo.keep("email-templates", TEMPLATES)
    demo.keep("newsletters", [NEWSLETTER])
    demo.keep("compose-emails", [COMPOSED])
    demo.keep("newsletter-subscribers", SUBSCRIBERS)
