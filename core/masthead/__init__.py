"""Masthead's public API: everything that a plugin may import."""

from __future__ import annotations

from masthead.addresses import (
    absolute_address,
    absolute_html,
    api_address,
    item_address,
    site_address,
)
from masthead.approval.declaration import Approvable, ApprovableItem
from masthead.approval.events import Transitioned
from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.auth.models import User
from masthead.auth.passwords import seal as seal_password
from masthead.auth.permissions import Permission, area_permissions
from masthead.auth.schemas import NewPassword
from masthead.auth.services.logins import find_user
from masthead.auth.services.recovery import replace_password
from masthead.auth.tokens import is_signed, sign_text
from masthead.cli.context import config_option, open_from
from masthead.cli.progress import show_progress
from masthead.content.contenttype import ContentItem, ContentType, content_types_of
from masthead.content.drafts import create_draft
from masthead.content.feed import Enclosure, Feed
from masthead.content.outlets import Outlet
from masthead.content_version import PRIVATE, touch
from masthead.csv import (
    EMAIL_COLUMN,
    NAME_COLUMN,
    CsvColumn,
    CsvReader,
    CsvRow,
    first_value,
    write_csv,
)
from masthead.db import ID, KEY, UTCDateTime, fold, plugin_metadata, utcnow
from masthead.db.kit.creating import create_kit_table
from masthead.db.lock import lock
from masthead.db.slugs import flush_with_slugs
from masthead.db.staging import stage_rows
from masthead.db.travelling import SEEDED, STAYS, arrives_as
from masthead.db.unique import unique
from masthead.db.upsert import insert_into
from masthead.demo.declaration import Demo
from masthead.errors import Forbidden, Invalid, NotFound, Refusal, Refused, Stale, StartError
from masthead.fields import field
from masthead.files import send_file
from masthead.hookspecs import hookimpl
from masthead.html import change_links
from masthead.html.plain import plain_text
from masthead.images import ImageInfo, ImageUse
from masthead.instance import Check, Instance, instance_of
from masthead.mail import Mail, MailRecord
from masthead.moving.files import KeptFiles
from masthead.navigation import NavigationEntry
from masthead.notice import Notice
from masthead.notifications.services import approvers, holders, notify
from masthead.paging import MOST_ROWS, Page, Window
from masthead.persons import PersonData, forget_person, person_data
from masthead.plugins import Plugin
from masthead.resources.declaration import NamedItem, Narrowing, Resource, ResourceItem
from masthead.resources.services import delete_item, update_item
from masthead.routes import PUBLIC, SIGNED_IN, Endpoint
from masthead.schemas import (
    SUCCESS,
    Anything,
    Bool,
    Choice,
    Email,
    Html,
    Int,
    ListOf,
    Nullable,
    Object,
    Str,
    Timestamp,
    Url,
    is_blank,
    maybe,
    nullable,
    optional,
    partial,
    required,
    schema,
    snake_case,
)
from masthead.search.bulk import index_selected, ready_tokens
from masthead.search.services import forget_items, index_items
from masthead.settings import Setting, boolean, choice, folder, integer, text, url, words
from masthead.sitemap import SitemapEntry
from masthead.submissions import check_submission, form
from masthead.tags.models import Tag
from masthead.uploads import FileField, Upload
from masthead.worker.jobs import Chore, Job

__all__ = [
    "EMAIL_COLUMN",
    "ID",
    "KEY",
    "MOST_ROWS",
    "NAME_COLUMN",
    "PRIVATE",
    "PUBLIC",
    "SEEDED",
    "SIGNED_IN",
    "STAYS",
    "SUCCESS",
    "Anything",
    "Approvable",
    "ApprovableItem",
    "Bool",
    "Caller",
    "Check",
    "Choice",
    "Chore",
    "ContentItem",
    "ContentType",
    "CsvColumn",
    "CsvReader",
    "CsvRow",
    "Demo",
    "Email",
    "Enclosure",
    "Endpoint",
    "Feed",
    "FileField",
    "Forbidden",
    "Html",
    "ImageInfo",
    "ImageUse",
    "Instance",
    "Int",
    "Invalid",
    "Job",
    "KeptFiles",
    "ListOf",
    "Mail",
    "MailRecord",
    "NamedItem",
    "Narrowing",
    "NavigationEntry",
    "NewPassword",
    "NotFound",
    "Notice",
    "Nullable",
    "Object",
    "Outlet",
    "Page",
    "Permission",
    "PersonData",
    "Plugin",
    "Refusal",
    "Refused",
    "Resource",
    "ResourceItem",
    "Setting",
    "SitemapEntry",
    "Stale",
    "StartError",
    "Str",
    "Tag",
    "Timestamp",
    "Transitioned",
    "UTCDateTime",
    "Upload",
    "Url",
    "User",
    "Window",
    "absolute_address",
    "absolute_html",
    "api_address",
    "approvers",
    "area_permissions",
    "arrives_as",
    "boolean",
    "change_links",
    "check_submission",
    "choice",
    "config_option",
    "content_types_of",
    "create_draft",
    "create_kit_table",
    "delete_item",
    "field",
    "find_user",
    "first_value",
    "flush_with_slugs",
    "fold",
    "folder",
    "forget_items",
    "forget_person",
    "form",
    "holders",
    "hookimpl",
    "index_items",
    "index_selected",
    "insert_into",
    "instance_of",
    "integer",
    "is_blank",
    "is_signed",
    "item_address",
    "lock",
    "maybe",
    "notify",
    "nullable",
    "open_from",
    "optional",
    "partial",
    "person_data",
    "plain_text",
    "plugin_metadata",
    "ready_tokens",
    "record",
    "replace_password",
    "required",
    "schema",
    "seal_password",
    "send_file",
    "show_progress",
    "sign_text",
    "site_address",
    "snake_case",
    "stage_rows",
    "text",
    "touch",
    "unique",
    "update_item",
    "url",
    "utcnow",
    "words",
    "write_csv",
]
