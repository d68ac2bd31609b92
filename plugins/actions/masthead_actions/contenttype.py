"""The declaration of the content type of actions."""

from __future__ import annotations

from masthead import ContentType, translatable
from masthead_actions.models import Action

ACTIONS = ContentType(
    name="actions",
    label=translatable("Action"),
    model=Action,
    order="displayOrder",
    related_fields=(
        "id",
        "title",
        "slug",
        "description",
        "icon",
        "gradientClass",
        "accentClass",
        "coverImageUrl",
    ),
    example={
        "title": "Clean the river with us",
        "description": "One morning a month, with gloves and good company.",
        "content": "<p>Gloves and bags are at the footbridge.</p>",
    },
    slug_on_approval=True,
    list_content=True,
)
