"""The instance with all plugins and an item of each kind, which hostile requests address."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from masthead import ContentType, Endpoint, Instance
from masthead.testing import Client, Desk
from tests.authorisation.conftest import sample


@pytest.fixture
def plugins() -> list[str]:
    """Enable all installed plugins."""
    return []


@pytest.fixture
def endpoints(instance: Instance) -> Sequence[Endpoint]:
    return instance.endpoints


@pytest.fixture
def seeded(app: Client, instance: Instance) -> None:
    """Create a published item of each content type, with the id 1."""
    for content_type in instance.content_types.values():
        if isinstance(content_type, ContentType):
            wanted = {f.name: sample(f.kind) for f in content_type.fields if f.required}
            Desk(app, content_type.name).as_role("admin").create_public(**wanted)
