"""Contacts fulfil the contract of resources."""

from __future__ import annotations

from masthead.testing import ResourceContract
from masthead_crm.csv_import import CONTACTS_CSV
from masthead_crm.resource import CONTACTS


class TestContacts(ResourceContract):
    resource = CONTACTS
    csv = CONTACTS_CSV
    csv_file = "name,email\nBea Imaginary,bea@example.org\n"
