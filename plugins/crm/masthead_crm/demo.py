"""The demo's contacts with their progression and follow-ups."""

from __future__ import annotations

from typing import Any

from masthead import Demo
from masthead_crm.models import INACTIVE, MEMBER, PROSPECT
from masthead_crm.schemas import ENTRY_BODY
from masthead_crm.services.progression import add_entry

STAGES: list[dict[str, Any]] = [
    {"name": "Met", "description": "Has come by once.", "order": 10},
    {"name": "Helping", "description": "Comes back to lend a hand.", "order": 20},
    {"name": "Member", "description": "Pays and decides.", "order": 30},
]
RULES: list[dict[str, Any]] = [
    {"name": "Say thank you", "daysAfter": 0, "catchupType": "Call"},
    {"name": "Ask how it went", "daysAfter": 14, "catchupType": "Visit"},
]
CONTACTS: list[dict[str, Any]] = [
    {
        "name": "Ilse Marten",
        "email": "ilse@riverbank.example",
        "phone": "+00 555 0142",
        "tags": ["toaster", "seedlings"],
        "notes": "Has more seedlings than windows.",
    },
    {"name": "يوسف نجار", "email": "yusuf@riverbank.example", "tags": ["garden"]},
    {
        "name": "小川 美緒",
        "email": "mio@riverbank.example",
        "status": MEMBER,
        "tags": ["workshop"],
    },
    {"name": "Ferry Lane School", "status": PROSPECT, "notes": "Wants a bed for a class."},
    {"name": "Old Rowing Club", "email": "club@riverbank.example", "status": INACTIVE},
]
MAPPINGS: list[dict[str, Any]] = [
    {
        "name": "Sign-up sheet of the workshop",
        "columns": [
            {"column": "Who", "field": "name"},
            {"column": "Reach me at", "field": "email"},
        ],
    }
]


def show_contacts(demo: Demo) -> None:
    """Create stages, rules, a mapping, and contacts, two of which have progression entries."""
    demo.keep("contact-import-mappings", MAPPINGS)
    met, helping, member = demo.keep("progression-stages", STAGES)
    triggers = zip(RULES, (helping, met), strict=True)
    demo.keep("follow-up-rules", [{**rule, "triggerStageId": stage.id} for rule, stage in triggers])
    ilse, _, mio, *_ = demo.keep("contacts", CONTACTS)
    for contact, stage, interaction, notes in (
        (ilse, met, "Visit", "Brought a toaster."),
        (ilse, helping, "Event", "Carried stones for two days."),
        (mio, met, "Event", "Sharpened eleven knives."),
        (mio, member, "Visit", "Signed at the workbench."),
    ):
        sent = {"stageId": stage.id, "interactionType": interaction, "notes": notes}
        add_entry(demo.session, contact, demo.checked(ENTRY_BODY, sent), demo.author)
