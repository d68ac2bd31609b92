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
    "name": required(Str(min_length=0)),
    "language": required(LanguageTag()),
    "timeZone": required(TimeZone()),
}
ORGANISATION_BODY = schema({f.name: optional(f.kind, nullable=False) for f in FIELDS})
STORED_ORGANISATION = extended(schema(_STORED), {"defaults": required(Object(schema(_DEFAULTS)))})
"""The facts that staff have set, and those of the settings."""
ORGANISATION = schema({**_STORED, **_DEFAULTS, "dir": required(DIRECTION)})
"""The facts as the public sees them."""
