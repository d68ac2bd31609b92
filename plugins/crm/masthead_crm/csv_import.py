"""The import of contacts from CSV files."""

from __future__ import annotations

from functools import partial

from masthead import CsvImport, is_known_address
from masthead_crm.columns import COLUMNS, split_tags
from masthead_crm.models import Contact, ContactTag
from masthead_crm.resource import CONTACTS
from masthead_crm.services.contacts import email_key
from masthead_crm.services.matching import mailbox_key, name_key, phone_key
from masthead_crm.services.tags import tag_keys

CONTACTS_CSV = CsvImport(
    CONTACTS,
    columns=COLUMNS,
    unique=Contact.email_key,
    parse={"tags": split_tags},
    derived={
        Contact.email_key: lambda values: email_key(values["email"]),
        Contact.mailbox_key: lambda values: mailbox_key(values["email"]),
        Contact.phone_key: lambda values: phone_key(values["phone"]),
        Contact.name_key: lambda values: name_key(values["name"]),
    },
    links={ContactTag.tag_key: lambda values: tag_keys(values["tags"])},
    taken=partial(is_known_address, CONTACTS.name),
)
