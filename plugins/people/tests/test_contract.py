"""People fulfil the contract of resources."""

from __future__ import annotations

from masthead.testing import ResourceContract
from masthead_people.plugin import PEOPLE


class TestPeople(ResourceContract):
    resource = PEOPLE
