"""The content types of core's tests fulfil the contract of all content types."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.content.contenttype import ContentType
from masthead.testing import Client, ContentTypeContract, Desk
from masthead.testing.filter_contract import FilterContract
from masthead.testing.samples import sample_of
from masthead.testing.time_contract import TimeContract

pytestmark = pytest.mark.product


class TestToys(ContentTypeContract):
    staff_only = ("note",)
    unstaged = ("displayOrder",)
    other_values = {"fragile": False, "minAge": 4, "maxAge": 5}

    @pytest.fixture(autouse=True)
    def _content_type(self, toys_type: ContentType) -> None:
        self.content_type = toys_type


class TestSales(TimeContract):
    @pytest.fixture(autouse=True)
    def _content_type(self, sales_type: ContentType) -> None:
        self.content_type = sales_type

    def first(self, *_names: str) -> dict[str, Any]:
        return {"title": "Stall", "endsAt": "2100-01-01T00:00:00.000Z"}


class TestOffers(FilterContract):
    @pytest.fixture(autouse=True)
    def _content_type(self, offers_type: ContentType) -> None:
        self.content_type = offers_type

    @pytest.fixture
    def desk(self, app: Client) -> Desk:
        return Desk(app, "offers").as_role("editor")

    def first(self, *_names: str) -> dict[str, Any]:
        return {**self._sample(0), "closesAt": "2100-01-01T00:00:00.000Z"}

    def second(self, *_names: str) -> dict[str, Any]:
        return {**self._sample(1), "closesAt": "2100-01-02T00:00:00.000Z"}

    def _sample(self, which: int) -> dict[str, Any]:
        names = {*self.content_type.public_filters, *self.content_type.staff_filters, "title"}
        kinds = {f.name: f.kind for f in self.content_type.fields if f.name in names}
        return {name: sample_of(kind, which) for name, kind in kinds.items()}


class TestMemos(ContentTypeContract):
    @pytest.fixture(autouse=True)
    def _content_type(self, memos_type: ContentType) -> None:
        self.content_type = memos_type
