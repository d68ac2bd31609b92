"""The contacts of the demo's organisation, how far they have come, and what is to be done."""

from __future__ import annotations

from masthead import Demo
from masthead_crm.models import INACTIVE, MEMBER, PROSPECT
from masthead_crm.schemas import ENTRY_BODY
from masthead_crm.services.progression import add_entry


def show_contacts(demo: Demo) -> None:
    """Stages and rules, and contacts of whom some have moved; no rule sends mail."""
    met, helping, member = demo.keep(
        "progression-stages",
        [
            {"name": "Met", "description": "Has come by once.", "order": 10},
            {"name": "Helping", "description": "Comes back to lend a hand.", "order": 20},
            {"name": "Member", "description": "Pays and decides.", "order": 30},
        ],
    )
    demo.keep(
        "follow-up-rules",
        [
            {
                "name": "Say thank you",
                "triggerStageId": helping.id,
                "daysAfter": 0,
                "catchupType": "Call",
            },
            {
                "name": "Ask how it went",
                "triggerStageId": met.id,
                "daysAfter": 14,
                "catchupType": "Visit",
            },
        ],
    )
    ilse, _, mio, _, _ = demo.keep(
        "contacts",
        [
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
        ],
    )
    steps = [
        (ilse, met, "Visit", "Brought a toaster."),
        (ilse, helping, "Event", "Carried stones for two days."),
        (mio, met, "Event", ""),
        (mio, member, "Visit", "Signed at the workbench."),
    ]
    for contact, stage, interaction, notes in steps:
        sent = {"stageId": stage.id, "interactionType": interaction, "notes": notes}
        add_entry(demo.session, contact, demo.checked(ENTRY_BODY, sent), demo.author)
