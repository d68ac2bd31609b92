"""The tables of contacts, their progression and their follow-ups.

Only staff see them, so writing them doesn't invalidate the cache of public answers.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from masthead import (
    ID,
    KEY,
    PRIVATE,
    Bool,
    Choice,
    DisplayName,
    Email,
    Int,
    Line,
    ListOf,
    Object,
    ResourceItem,
    Str,
    User,
    UTCDateTime,
    checked_as,
    field,
    plugin_metadata,
    required,
    schema,
    utcnow,
)
from masthead_crm.columns import FIELDS

CONTACT, MEMBER, ATTENDEE = "Contact", "Member", "Event Attendee"
PROSPECT, INACTIVE = "Prospect", "Inactive"
STATUSES = (CONTACT, MEMBER, ATTENDEE, PROSPECT, INACTIVE)
DESCRIPTION = 2_000
"""The maximum number of characters in a stage's description."""
NOTES = 10_000
"""The maximum number of characters in the notes on a contact or an interaction."""
MAX_TAGS = 500
MAX_DAYS = 3_650
MAX_MAPPED = 1_000
"""The maximum number of columns in a mapping."""
MAPPED_COLUMN = schema(
    {
        "column": required(Line(), help="The name of the column in the file.", example="E-Mail 1"),
        "field": required(
            Choice(*FIELDS),
            nullable=True,
            help="The field that it becomes; null to leave it out.",
            example="email",
        ),
    },
    name="MappedColumn",
    help="A column of a file, and the field that it becomes.",
)
"""A column of a file, and the field that it becomes; null for a column to leave out."""

PRIVATE_TABLE = {"sqlite_autoincrement": True, "info": PRIVATE}


class Base(DeclarativeBase):
    """The base class of this plugin's models."""

    metadata = plugin_metadata("crm")


class Stage(ResourceItem, Base):
    """A stage of the progression, which a contact can reach."""

    __tablename__ = "crm_stage"
    __table_args__: Any = PRIVATE_TABLE

    name: Mapped[str] = field(
        DisplayName(), required=True, help="The name, which is unique.", example="First meeting"
    )
    name_key: Mapped[str] = mapped_column(KEY, unique=True)
    """The name in the form that is compared."""
    description: Mapped[str] = field(Str(DESCRIPTION), default="", help="Its meaning.")
    order: Mapped[int] = field(
        Int(), default=0, help="Its place, which begins with the smallest number."
    )


class Contact(ResourceItem, Base):
    """A person or an organisation that the organisation knows."""

    __tablename__ = "crm_contact"
    __table_args__: Any = (
        Index(None, "created_at", "id"),
        Index(None, "status", "created_at", "id"),
        Index(None, "updated_at"),
        # It includes the status, so that lists filtered by both need no other index.
        Index("ix_crm_contact_stage", "stage_id", "created_at", "id", "status"),
        Index("ix_crm_contact_name", "name_key", "phone_key"),
        # Only few contacts have one, so that the index is small.
        Index(
            "uq_crm_contact_import_key",
            "import_key",
            unique=True,
            sqlite_where=text("import_key IS NOT NULL"),
            postgresql_where=text("import_key IS NOT NULL"),
        ),
        PRIVATE_TABLE,
    )

    name: Mapped[str] = field(Line(), required=True, help="The name.", example="Ada Lovelace")
    # Deferred, because it comes after the notes in databases of earlier releases.
    name_key: Mapped[str] = mapped_column(KEY, server_default="", deferred=True)
    email: Mapped[str | None] = field(Email(), help="The e-mail address, which is unique.")
    email_key: Mapped[str | None] = mapped_column(KEY, unique=True)
    """The address in the form that is compared."""
    mailbox_key: Mapped[str | None] = mapped_column(KEY, index=True, deferred=True)
    """The mailbox of the address, for the search for duplicates, as the following keys."""
    phone: Mapped[str | None] = field(
        Line(), help="The telephone number.", example="+44 20 7946 0018"
    )
    phone_key: Mapped[str | None] = mapped_column(KEY, index=True, deferred=True)
    status: Mapped[str] = field(
        Choice(*STATUSES), default=ATTENDEE, help="The relation to the organisation."
    )
    tags: Mapped[list[str]] = field(
        ListOf(Line(), max_length=MAX_TAGS, unique=True),
        default=list,
        help="Words that contacts can be found by.",
        example=["Volunteer"],
    )
    stage_id: Mapped[int | None] = mapped_column(ForeignKey(Stage.id))
    """The current stage; None before the first progression entry."""
    import_key: Mapped[str | None] = mapped_column(KEY, sort_order=30)
    """The key of the row without an address that a contact was imported from."""
    # The last column, so that the database reads the others without skipping a long text.
    notes: Mapped[str | None] = field(Str(NOTES), sort_order=40, help="Remarks of staff.")

    stage: Mapped[Stage | None] = relationship(lazy="selectin")

    @property
    def progression_stage(self) -> str | None:
        """The name of the current stage."""
        return self.stage.name if self.stage else None


class ImportMapping(ResourceItem, Base):
    """The fields that the columns of a tool's files become in an import."""

    __tablename__ = "crm_import_mapping"
    __table_args__: Any = PRIVATE_TABLE

    name: Mapped[str] = field(
        DisplayName(), required=True, help="The name, which is unique.", example="Membership tool"
    )
    name_key: Mapped[str] = mapped_column(KEY, unique=True)
    """The name in the form that is compared."""
    columns: Mapped[list[dict[str, Any]]] = field(
        ListOf(Object(MAPPED_COLUMN), max_length=MAX_MAPPED),
        required=True,
        help="The columns of the file and their fields.",
    )


class ContactTag(Base):
    """A link from a tag to a contact, with the columns that lists are ordered and filtered by."""

    __tablename__ = "crm_contact_tag"
    __table_args__ = (
        Index(
            "ix_crm_contact_tag_listed", "tag_key", "created_at", "item_id", "status", "stage_id"
        ),
        {"info": PRIVATE},
    )

    item_id: Mapped[int] = mapped_column(
        ForeignKey(Contact.id, ondelete="CASCADE"), primary_key=True
    )
    tag_key: Mapped[str] = mapped_column(KEY, primary_key=True)
    """The tag in the form that is compared."""
    created_at: Mapped[datetime] = mapped_column(UTCDateTime())
    status: Mapped[str] = mapped_column(info=checked_as(Choice(*STATUSES)))
    stage_id: Mapped[int | None] = mapped_column(ID)


class DistinctContacts(Base):
    """Two contacts that staff know to be different persons."""

    __tablename__ = "crm_distinct_contacts"
    __table_args__ = {"info": PRIVATE}

    contact_id: Mapped[int] = mapped_column(
        ForeignKey(Contact.id, ondelete="CASCADE"), primary_key=True
    )
    """The smaller of both ids."""
    other_id: Mapped[int] = mapped_column(
        ForeignKey(Contact.id, ondelete="CASCADE"), primary_key=True, index=True
    )


class Entry(Base):
    """A progression entry: the stage that a contact reached, and the interaction that led there."""

    __tablename__ = "crm_entry"
    __table_args__: Any = (Index(None, "contact_id", "created_at", "id"), PRIVATE_TABLE)

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    contact_id: Mapped[int] = mapped_column(ForeignKey(Contact.id, ondelete="CASCADE"))
    stage_id: Mapped[int | None] = mapped_column(
        ForeignKey(Stage.id, ondelete="SET NULL"), index=True
    )
    stage: Mapped[str]
    """The stage's name, which remains when the stage is deleted."""
    interaction_type: Mapped[str | None]
    notes: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    created_by_id: Mapped[int | None] = mapped_column(ForeignKey(User.id), index=True)


class Rule(ResourceItem, Base):
    """A rule that creates a follow-up some days after a contact reaches a stage."""

    __tablename__ = "crm_rule"
    __table_args__: Any = (
        ForeignKeyConstraint(["trigger_stage_id"], [Stage.__table__.c.id]),
        PRIVATE_TABLE,
    )

    name: Mapped[str] = field(
        DisplayName(), required=True, help="The name, which is unique.", example="Call new members"
    )
    trigger_stage_id: Mapped[int] = field(
        Int(1), required=True, index=True, help="The id of the stage that triggers it."
    )
    days_after: Mapped[int] = field(
        Int(0, MAX_DAYS),
        required=True,
        help="The days between reaching the stage and the follow-up.",
        example=14,
    )
    catchup_type: Mapped[str] = field(
        Line(),
        required=True,
        help="The kind of the follow-up; an interaction of this kind completes it.",
        example="Call",
    )
    email_template_id: Mapped[int | None] = field(
        Int(1),
        help="The id of the template of the mail that is sent when it is due; null for no mail.",
    )
    active: Mapped[bool] = field(Bool(), default=True, help="Whether it makes new follow-ups.")


class FollowUp(Base):
    """A reminder to contact somebody, created by a rule."""

    __tablename__ = "crm_follow_up"
    __table_args__: Any = (
        Index(
            "uq_crm_follow_up_open",
            "contact_id",
            "rule_id",
            unique=True,
            sqlite_where=text("completed_at IS NULL"),
            postgresql_where=text("completed_at IS NULL"),
        ),
        Index(
            "ix_crm_follow_up_due",
            "due_at",
            "id",
            sqlite_where=text("completed_at IS NULL"),
            postgresql_where=text("completed_at IS NULL"),
        ),
        Index(
            "ix_crm_follow_up_mail",
            "due_at",
            "id",
            sqlite_where=text("completed_at IS NULL AND mail_tried_at IS NULL"),
            postgresql_where=text("completed_at IS NULL AND mail_tried_at IS NULL"),
        ),
        Index(None, "completed_at", "id"),
        Index(None, "contact_id"),
        PRIVATE_TABLE,
    )

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    contact_id: Mapped[int] = mapped_column(ForeignKey(Contact.id, ondelete="CASCADE"))
    rule_id: Mapped[int] = mapped_column(ForeignKey(Rule.id, ondelete="CASCADE"), index=True)
    reached_at: Mapped[datetime] = mapped_column(UTCDateTime())
    due_at: Mapped[datetime] = mapped_column(UTCDateTime())
    mail_tried_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time when the rule's mail was handed over, or the follow-up was left to staff."""
    completed_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
