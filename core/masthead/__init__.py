"""The public API of Masthead: all names that plugins may import."""

from __future__ import annotations

from masthead.approval.declaration import (
    APPROVAL_FIELDS,
    Approvable,
    ApprovableItem,
    ScheduledChange,
)
from masthead.approval.events import Transitioned, TransitionName
from masthead.approval.publications import (
    Objection,
    Publication,
    PublicationWay,
    PublishedImage,
)
from masthead.audit.services import record
from masthead.auth.approvers import approvers
from masthead.auth.authors import ForeignAuthor, create_authors, find_authors
from masthead.auth.caller import Caller
from masthead.auth.callers import caller_named, caller_of_user
from masthead.auth.issuing import (
    end_tokens,
    issue_token,
    revoke_credentials,
    verify_own_login,
    verify_own_password,
)
from masthead.auth.models import Role, User
from masthead.auth.restricted import split_by_permission
from masthead.auth.schemas import LOGGED_IN, LOGIN_CODE, UserName
from masthead.auth.sealed_columns import is_unreadable, sealed_column
from masthead.auth.sealing import seal, unseal
from masthead.auth.services.users import create_user, update_user
from masthead.auth.tokens import derived_keys
from masthead.console.context import config_option, open_from
from masthead.console.progress import open_with_progress
from masthead.console.zone import timezone_option
from masthead.content.contenttype import ContentType, content_types_of
from masthead.content.drafts import create_draft
from masthead.content.feed import Enclosure, Feed
from masthead.content.importers import import_items, imported_slugs, planned_slugs
from masthead.content.item import ContentItem
from masthead.content.period import Period
from masthead.content.public_changes import (
    DueItem,
    PublicChange,
    PublicChangeName,
    due_items,
    has_changes,
    note_items,
    public_changes,
    public_kinds,
)
from masthead.content.public_reader import PublicReader
from masthead.content.visibility import is_visible
from masthead.csv import (
    EMAIL_COLUMN,
    NAME_COLUMN,
    TABLE_TYPES,
    CsvColumn,
    CsvReader,
    CsvRow,
    JoinedColumns,
    MissingColumn,
    UsedColumn,
    find_encoding,
    header_names,
    write_csv,
)
from masthead.db import ID, KEY, UTCDateTime, fold, fold_name, plugin_metadata, utcnow
from masthead.db.changed_tables import PRIVATE, PRIVATE_NEW, changed_tables, touch
from masthead.db.exportable import NOT_EXPORTED, REPLACED_ON_IMPORT, import_default
from masthead.db.file_columns import file_column
from masthead.db.fixed_point import FixedPoint
from masthead.db.indexes import create_index_concurrently
from masthead.db.json_lists import has_any
from masthead.db.kit.creating import create_kit_table
from masthead.db.locking import lock, lock_row
from masthead.db.of_transaction import of_transaction
from masthead.db.slugs import flush_with_slugs
from masthead.db.unique import unique
from masthead.db.upsert import insert_into
from masthead.demo.demo import Demo
from masthead.errors import (
    Busy,
    Forbidden,
    Invalid,
    NotFound,
    Problem,
    ProblemCode,
    Refusal,
    Refused,
    StartError,
    TooMany,
    Unauthenticated,
    WrongValue,
    problems_of,
    wrong_field,
)
from masthead.file_kinds import HEAD_SIZE, kind_of_file
from masthead.hookspecs import hookimpl
from masthead.html import change_links
from masthead.html.plain import plain_text
from masthead.http.addresses import (
    absolute_address,
    absolute_html,
    api_address,
    item_address,
    item_path,
    site_address,
)
from masthead.http.downloads import file_download, text_download
from masthead.http.endpoints import Endpoint, endpoint, endpoints_in
from masthead.http.files import send_file
from masthead.http.images import STORED_IMAGE, images_of
from masthead.http.pages import page_response
from masthead.http.paging import MOST_ROWS, Page, Window
from masthead.http.permissions import ADMIN, PUBLIC, SIGNED_IN, Permission, area_permissions
from masthead.http.request import Request
from masthead.http.revisions import Precondition, tag_response
from masthead.http.uploads import FileField
from masthead.i18n.mails import send_mail, templated_mail
from masthead.i18n.messages import translatable
from masthead.i18n.spans import lasts_whole_days, written_span
from masthead.i18n.texts import (
    MailText,
    Texts,
    language_name,
    texts_of,
)
from masthead.instance import Check, Instance, Reading, Trouble, instance_of
from masthead.notifications.services import holders, notify
from masthead.organisation.schemas import (
    ORGANISATION,
    ORGANISATION_BODY,
    STORED_ORGANISATION,
)
from masthead.organisation.services import (
    Organisation,
    change_organisation,
    lock_organisation,
    organisation_of,
    public_organisation,
    read_organisation,
)
from masthead.persons.services import forget_addresses, is_known_address, remember_change
from masthead.plugins import Plugin
from masthead.ports.audit import AuditAction
from masthead.ports.images import ImageInfo, ImageUse, StoredImages
from masthead.ports.login import Login, SecondStep
from masthead.ports.mail import (
    CausingMail,
    Mail,
    MailHistory,
    MailRecord,
    MailSuppression,
    MailSuppressions,
)
from masthead.ports.navigation import NavigationEntry
from masthead.ports.notice import Notice, NoticeType
from masthead.ports.sitemap import SitemapEntry
from masthead.ports.uses import ItemUse
from masthead.resources.callbacks import ItemSave
from masthead.resources.csv_import import CsvImport, CsvOptions, StagedUpdate
from masthead.resources.csv_report import CSV_REPORT, CsvReport
from masthead.resources.declaration import CREATED_AT, TIMES, UPDATED_AT, Resource
from masthead.resources.deliverability import (
    DELIVERABILITY,
    is_suppressed,
    read_deliverability,
)
from masthead.resources.former_slugs import former_slugs
from masthead.resources.forms import check_submission, form, form_answer
from masthead.resources.importing import ForeignItem
from masthead.resources.items import NamedItem, ResourceItem
from masthead.resources.options import Copies, Filter, LinkPreview, PublicRoutes
from masthead.resources.person_addresses import (
    PersonAddresses,
    addresses_of_item,
    addresses_of_person,
    merge_addresses,
)
from masthead.resources.person_data import (
    PersonData,
    PersonReport,
    forget_person,
    person_data,
    plugins_not_searched,
)
from masthead.resources.redirects import add_path_redirects, former_path
from masthead.resources.revised_object import RevisedObject
from masthead.resources.services import create_item, delete_item, delete_items, update_item
from masthead.resources.uses import describe_uses
from masthead.schemas.cases import snake_case
from masthead.schemas.cleaning import is_blank
from masthead.schemas.common import BULK_RESULT, CREATED, RECEIVED, USER_REFERENCE
from masthead.schemas.computed import Computed
from masthead.schemas.dates import Date
from masthead.schemas.field_types import (
    Anything,
    Bool,
    Choice,
    Email,
    FieldType,
    Int,
    Password,
    Str,
    Timestamp,
    Url,
)
from masthead.schemas.fields import field
from masthead.schemas.foreign_times import find_date_order, read_foreign_time
from masthead.schemas.geo_points import GeoPoint
from masthead.schemas.html_type import Html
from masthead.schemas.json_values import Json
from masthead.schemas.language_tags import DIRECTION, LanguageTag, text_direction
from masthead.schemas.numbers import Number
from masthead.schemas.references import Ref, Refs
from masthead.schemas.schema import (
    SUCCESS,
    ListOf,
    Nullable,
    Object,
    extended,
    optional,
    required,
    schema,
)
from masthead.schemas.slugs import Slug
from masthead.schemas.stored import SLUG, Matching, checked_as
from masthead.schemas.text_types import ClassNames, DisplayName, Line, Secret
from masthead.search.services import index_items
from masthead.search.tokens import without_accents
from masthead.settings import Setting, boolean, choice, integer, text, url, words
from masthead.telemetry.metrics import Counter, Gauge, Histogram
from masthead.telemetry.tracing import add_past_span, span
from masthead.transfer.files import KeptFiles
from masthead.unicode.ordering import sort_key
from masthead.web.cache_keys import ALL_ANSWERS, changed_cache_keys
from masthead.worker.backoff import Backoff
from masthead.worker.jobs import Chore, Job

__all__ = [
    "ADMIN",
    "ALL_ANSWERS",
    "APPROVAL_FIELDS",
    "BULK_RESULT",
    "CREATED",
    "CREATED_AT",
    "CSV_REPORT",
    "DELIVERABILITY",
    "DIRECTION",
    "EMAIL_COLUMN",
    "HEAD_SIZE",
    "ID",
    "KEY",
    "LOGGED_IN",
    "LOGIN_CODE",
    "MOST_ROWS",
    "NAME_COLUMN",
    "NOT_EXPORTED",
    "ORGANISATION",
    "ORGANISATION_BODY",
    "PRIVATE",
    "PRIVATE_NEW",
    "PUBLIC",
    "RECEIVED",
    "REPLACED_ON_IMPORT",
    "SIGNED_IN",
    "SLUG",
    "STORED_IMAGE",
    "STORED_ORGANISATION",
    "SUCCESS",
    "TABLE_TYPES",
    "TIMES",
    "UPDATED_AT",
    "USER_REFERENCE",
    "Anything",
    "Approvable",
    "ApprovableItem",
    "AuditAction",
    "Backoff",
    "Bool",
    "Busy",
    "Caller",
    "CausingMail",
    "Check",
    "Choice",
    "Chore",
    "ClassNames",
    "Computed",
    "ContentItem",
    "ContentType",
    "Copies",
    "Counter",
    "CsvColumn",
    "CsvImport",
    "CsvOptions",
    "CsvReader",
    "CsvReport",
    "CsvRow",
    "Date",
    "Demo",
    "DisplayName",
    "DueItem",
    "Email",
    "Enclosure",
    "Endpoint",
    "Feed",
    "FieldType",
    "FileField",
    "Filter",
    "FixedPoint",
    "Forbidden",
    "ForeignAuthor",
    "ForeignItem",
    "Gauge",
    "GeoPoint",
    "Histogram",
    "Html",
    "ImageInfo",
    "ImageUse",
    "Instance",
    "Int",
    "Invalid",
    "ItemSave",
    "ItemUse",
    "Job",
    "JoinedColumns",
    "Json",
    "KeptFiles",
    "LanguageTag",
    "Line",
    "LinkPreview",
    "ListOf",
    "Login",
    "Mail",
    "MailHistory",
    "MailRecord",
    "MailSuppression",
    "MailSuppressions",
    "MailText",
    "Matching",
    "MissingColumn",
    "NamedItem",
    "NavigationEntry",
    "NotFound",
    "Notice",
    "NoticeType",
    "Nullable",
    "Number",
    "Object",
    "Objection",
    "Organisation",
    "Page",
    "Password",
    "Period",
    "Permission",
    "PersonAddresses",
    "PersonData",
    "PersonReport",
    "Plugin",
    "Precondition",
    "Problem",
    "ProblemCode",
    "PublicChange",
    "PublicChangeName",
    "PublicReader",
    "PublicRoutes",
    "Publication",
    "PublicationWay",
    "PublishedImage",
    "Reading",
    "Ref",
    "Refs",
    "Refusal",
    "Refused",
    "Request",
    "Resource",
    "ResourceItem",
    "RevisedObject",
    "Role",
    "ScheduledChange",
    "SecondStep",
    "Secret",
    "Setting",
    "SitemapEntry",
    "Slug",
    "StagedUpdate",
    "StartError",
    "StoredImages",
    "Str",
    "Texts",
    "Timestamp",
    "TooMany",
    "TransitionName",
    "Transitioned",
    "Trouble",
    "UTCDateTime",
    "Unauthenticated",
    "Url",
    "UsedColumn",
    "User",
    "UserName",
    "Window",
    "WrongValue",
    "absolute_address",
    "absolute_html",
    "add_past_span",
    "add_path_redirects",
    "addresses_of_item",
    "addresses_of_person",
    "api_address",
    "approvers",
    "area_permissions",
    "boolean",
    "caller_named",
    "caller_of_user",
    "change_links",
    "change_organisation",
    "changed_cache_keys",
    "changed_tables",
    "check_submission",
    "checked_as",
    "choice",
    "config_option",
    "content_types_of",
    "create_authors",
    "create_draft",
    "create_index_concurrently",
    "create_item",
    "create_kit_table",
    "create_user",
    "delete_item",
    "delete_items",
    "derived_keys",
    "describe_uses",
    "due_items",
    "end_tokens",
    "endpoint",
    "endpoints_in",
    "extended",
    "field",
    "file_column",
    "file_download",
    "find_authors",
    "find_date_order",
    "find_encoding",
    "flush_with_slugs",
    "fold",
    "fold_name",
    "forget_addresses",
    "forget_person",
    "form",
    "form_answer",
    "former_path",
    "former_slugs",
    "has_any",
    "has_changes",
    "header_names",
    "holders",
    "hookimpl",
    "images_of",
    "import_default",
    "import_items",
    "imported_slugs",
    "index_items",
    "insert_into",
    "instance_of",
    "integer",
    "is_blank",
    "is_known_address",
    "is_suppressed",
    "is_unreadable",
    "is_visible",
    "issue_token",
    "item_address",
    "item_path",
    "kind_of_file",
    "language_name",
    "lasts_whole_days",
    "lock",
    "lock_organisation",
    "lock_row",
    "merge_addresses",
    "note_items",
    "notify",
    "of_transaction",
    "open_from",
    "open_with_progress",
    "optional",
    "organisation_of",
    "page_response",
    "person_data",
    "plain_text",
    "planned_slugs",
    "plugin_metadata",
    "plugins_not_searched",
    "problems_of",
    "public_changes",
    "public_kinds",
    "public_organisation",
    "read_deliverability",
    "read_foreign_time",
    "read_organisation",
    "record",
    "remember_change",
    "required",
    "revoke_credentials",
    "schema",
    "seal",
    "sealed_column",
    "send_file",
    "send_mail",
    "site_address",
    "snake_case",
    "sort_key",
    "span",
    "split_by_permission",
    "tag_response",
    "templated_mail",
    "text",
    "text_direction",
    "text_download",
    "texts_of",
    "timezone_option",
    "touch",
    "translatable",
    "unique",
    "unseal",
    "update_item",
    "update_user",
    "url",
    "utcnow",
    "verify_own_login",
    "verify_own_password",
    "without_accents",
    "words",
    "write_csv",
    "written_span",
    "wrong_field",
]
