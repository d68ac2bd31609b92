"""The body and the answers about the organisation."""

from __future__ import annotations

from masthead.organisation.models import StoredOrganisation
from masthead.schemas.field_types import Str
from masthead.schemas.fields import fields_of
from masthead.schemas.language_tags import DIRECTION, LanguageTag
from masthead.schemas.schema import Object, extended, optional, required, schema
from masthead.schemas.time_zones import TimeZone

FIELDS = fields_of(StoredOrganisation)
_STORED = {f.name: required(f.kind) for f in FIELDS}
_DEFAULTS = {
    "name": required(
        Str(min_length=0), help="The name of the organisation.", example="Riverside Garden"
    ),
    "language": required(LanguageTag(), help="The language of its texts.", example="en"),
    "timeZone": required(
        TimeZone(), help="The time zone in which it shows times.", example="Europe/Berlin"
    ),
}
ORGANISATION_BODY = schema(
    {f.name: optional(f.kind, nullable=False) for f in FIELDS},
    name="OrganisationUpdate",
    help="Changed facts about the organisation.",
)
_SETTINGS = Object(
    schema(_DEFAULTS, name="OrganisationDefaults", help="The facts that settings give.")
)
STORED_ORGANISATION = extended(
    schema(_STORED),
    {"defaults": required(_SETTINGS, help="The values that apply where none is set.")},
    name="StoredOrganisation",
    help="The facts about the organisation that staff have set.",
)
ORGANISATION = schema(
    {
        **_STORED,
        **_DEFAULTS,
        "dir": required(DIRECTION, help="The direction of the script of its language."),
    },
    name="Organisation",
    help="The facts about the organisation.",
)
