"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import create_kit_table, utcnow

revision = "0001"
down_revision = None

# The images of every website, for staff to fill in: id, name, description, format, size.
STATIC_IMAGES = [
    ("logo", "Logo", "Stands in the head of each page.", "PNG or WebP", "512x512"),
    ("hero", "Hero", "The large image at the top of the home page.", "WebP or JPEG", "1920x1080"),
    ("social-card", "Social card", "Shown where a page is shared.", "PNG or JPEG", "1200x630"),
]


def upgrade() -> None:
    op.create_table(
        "site_about_text",
        sa.Column(
            "name", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_site_about_text")),
    )
    create_kit_table(
        "site_message",
        "resource",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        kit=1,
    )
    with op.batch_alter_table("site_message", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_site_message_created_at_id"), ["created_at", "id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_site_message_status_created_at_id"),
            ["status", "created_at", "id"],
            unique=False,
        )

    create_kit_table(
        "site_page",
        "resource",
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column(
            "slug", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("published", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("slug", name=op.f("uq_site_page_slug")),
        kit=1,
        last=[sa.Column("content", sa.Text(), nullable=True)],
    )
    static_image = create_kit_table(
        "site_static_image",
        "named",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("image_url", sa.Text(), nullable=False),
        sa.Column("recommended_format", sa.Text(), nullable=False),
        sa.Column("recommended_size", sa.Text(), nullable=False),
        sa.Column("content_description", sa.Text(), nullable=True),
        kit=1,
    )
    now = utcnow()
    op.bulk_insert(
        static_image,
        [
            {
                "id": key,
                "name": name,
                "description": description,
                "image_url": "",
                "recommended_format": image_format,
                "recommended_size": size,
                "content_description": None,
                "revision": 1,
                "created_at": now,
                "updated_at": now,
            }
            for key, name, description, image_format, size in STATIC_IMAGES
        ],
    )
    create_kit_table(
        "site_value",
        "resource",
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon", sa.Text(), nullable=False),
        sa.Column("color_class", sa.Text(), nullable=False),
        sa.Column("order", sa.BigInteger(), nullable=False),
        kit=1,
    )
    op.create_table(
        "site_entry",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("is_folder", sa.Boolean(), nullable=False),
        sa.Column("page_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("path", sa.Text(), nullable=True),
        sa.Column(
            "static_name",
            sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("label", sa.String(), nullable=True),
        sa.Column("parent_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("order", sa.Integer(), nullable=True),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["page_id"], ["site_page.id"], name=op.f("fk_site_entry_page_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["parent_id"], ["site_entry.id"], name=op.f("fk_site_entry_parent_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site_entry")),
        sa.UniqueConstraint("static_name", name=op.f("uq_site_entry_static_name")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("site_entry", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_site_entry_page_id"), ["page_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_site_entry_parent_id"), ["parent_id"], unique=False)
