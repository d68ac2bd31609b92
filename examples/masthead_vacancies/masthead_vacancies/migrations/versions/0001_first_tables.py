"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime, create_kit_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kit_table(
        "vacancies_vacancy",
        "content",
        sa.Column("closes_at", UTCDateTime(), nullable=True),
        sa.Column("place", sa.Text(), nullable=True),
        sa.Column("hours", sa.BigInteger(), nullable=True),
        kit=9,
        position=UTCDateTime(),
    )
    with op.batch_alter_table("vacancies_vacancy", schema=None) as batch_op:
        batch_op.create_index(
            "ix_vacancies_vacancy_by_hours",
            [
                "hours",
                "position",
                "id",
                "published",
                "scheduled_publish_at",
                "scheduled_unpublish_at",
            ],
            unique=False,
        )
        batch_op.create_index(
            "ix_vacancies_vacancy_by_place",
            [
                "place",
                "position",
                "id",
                "published",
                "scheduled_publish_at",
                "scheduled_unpublish_at",
            ],
            unique=False,
        )

    create_kit_table(
        "vacancies_application",
        "resource",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("vacancy_id", sa.BigInteger(), nullable=True),
        sa.Column("file", sa.LargeBinary(), nullable=False),
        kit=9,
    )
    with op.batch_alter_table("vacancies_application", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_vacancies_application_email"), ["email"], unique=False)
