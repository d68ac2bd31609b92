"""Keep who uploaded images."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    with op.batch_alter_table("media_image", schema=None) as batch_op:
        name = op.f("fk_media_image_uploaded_by")
        batch_op.drop_constraint(name, type_="foreignkey")
        batch_op.create_foreign_key(name, "core_user", ["uploaded_by"], ["id"])
