"""The resources: contacts, mappings of imports, stages and rules."""

from __future__ import annotations

from masthead import DELIVERABILITY, TIMES, Bool, Filter, Nullable, Resource, Str
from masthead_crm import schemas
from masthead_crm.models import Contact, ContactTag, ImportMapping, Rule, Stage
from masthead_crm.services.contacts import (
    flush_contacts,
    is_at_stage,
    is_deliverable,
    look_up,
    read_details,
)
from masthead_crm.services.mappings import check_mapping, flush_mappings
from masthead_crm.services.rules import flush_rules
from masthead_crm.services.stages import flush_stages, refuse_used_stages
from masthead_crm.services.tags import is_tagged

AREA = "contacts"

CONTACTS = Resource(
    name="contacts",
    label="Contact",
    model=Contact,
    area=AREA,
    filters=("status",),
    custom_filters={
        "deliverable": Filter(
            Bool().described("Whether to list the contacts that mail reaches, or the others."),
            is_deliverable,
            needs_session=True,
        ),
        "progressionStage": Filter(
            Str(min_length=0).described("Only contacts at the stage with this name."), is_at_stage
        ),
        "tag": Filter(
            Str(min_length=0).described("Only contacts with this tag."),
            is_tagged,
            through=ContactTag,
        ),
    },
    search_fields=("name", "email", "phone", "notes"),
    person="email",
    person_key="email_key",
    shows={
        "progressionStage": Nullable(Str()).described(
            "The name of the present stage; null before the first one.", "First meeting"
        ),
        **TIMES,
    },
    looked_up=DELIVERABILITY,
    look_up=look_up,
    details=schemas.CONTACT_DETAILS,
    read_details=read_details,
    flush=flush_contacts,
)
STAGES = Resource(
    name="progression-stages",
    label="Progression stage",
    model=Stage,
    area=AREA,
    order=("order",),
    flush=flush_stages,
    before_delete=refuse_used_stages,
)
MAPPINGS = Resource(
    name="contact-import-mappings",
    label="Import mapping",
    model=ImportMapping,
    area=AREA,
    order=("name",),
    before_change=check_mapping,
    flush=flush_mappings,
)
RULES = Resource(
    name="follow-up-rules",
    label="Follow-up rule",
    model=Rule,
    area=AREA,
    flush=flush_rules,
)
