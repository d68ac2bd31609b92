"""Masthead's public API: everything that a plugin may import."""

from __future__ import annotations

from masthead.approval.declaration import Approvable, ApprovableItem
from masthead.approval.events import Transitioned
from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.auth.permissions import Permission, area_permissions
from masthead.content.contenttype import ContentItem, ContentType
from masthead.content.fields import field
from masthead.db import KEY, UTCDateTime, fold, plugin_metadata, utcnow
from masthead.db.unique import unique
from masthead.errors import Forbidden, Invalid, NotFound, Refused, StartError
from masthead.hookspecs import hookimpl
from masthead.instance import Check, Instance, instance_of
from masthead.paging import Page
from masthead.plugins import Plugin
from masthead.routes import PUBLIC, SIGNED_IN, Endpoint
from masthead.schema import (
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
    maybe,
    nullable,
    optional,
    partial,
    required,
    schema,
)
from masthead.settings import Setting, boolean, choice, folder, integer, text, url, words
from masthead.worker.jobs import Chore, Job

__all__ = [
    "KEY",
    "PUBLIC",
    "SIGNED_IN",
    "Approvable",
    "ApprovableItem",
    "Bool",
    "Caller",
    "Check",
    "Choice",
    "Chore",
    "ContentItem",
    "ContentType",
    "Email",
    "Endpoint",
    "Forbidden",
    "Html",
    "Instance",
    "Int",
    "Invalid",
    "Job",
    "ListOf",
    "NotFound",
    "Nullable",
    "Object",
    "Page",
    "Permission",
    "Plugin",
    "Refused",
    "Setting",
    "StartError",
    "Str",
    "Timestamp",
    "Transitioned",
    "UTCDateTime",
    "Url",
    "area_permissions",
    "boolean",
    "choice",
    "field",
    "fold",
    "folder",
    "hookimpl",
    "instance_of",
    "integer",
    "maybe",
    "nullable",
    "optional",
    "partial",
    "plugin_metadata",
    "record",
    "required",
    "schema",
    "text",
    "unique",
    "url",
    "utcnow",
    "words",
]
