"""The import of contacts from CSV files."""

from __future__ import annotations

from masthead import CsvImport
from masthead_crm.columns import COLUMNS, split_tags
from masthead_crm.models import Contact, ContactTag
from masthead_crm.resource import CONTACTS
from masthead_crm.services.addresses import email_key, is_merged
from masthead_crm.services.tags import tag_keys

CONTACTS_CSV = CsvImport(
    CONTACTS,
    columns=COLUMNS,
    unique=Contact.email_key,
    parse={"tags": split_tags},
    derived={Contact.email_key: lambda values: email_key(values["email"])},
    links={ContactTag.tag_key: lambda values: tag_keys(values["tags"])},
    taken=is_merged,
)
