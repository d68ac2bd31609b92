"""Core as a plugin: its features use the same hooks as all other plugins."""

from __future__ import annotations

from masthead import instance
from masthead.approval import plugin as approval
from masthead.audit import plugin as audit
from masthead.auth import plugin as auth
from masthead.backup import plugin as backup
from masthead.changes import plugin as changes
from masthead.cli import plugin as cli
from masthead.comments import plugin as comments
from masthead.content import plugin as content
from masthead.db.base import Base
from masthead.doctor import plugin as doctor
from masthead.faults import CORE
from masthead.history import plugin as history
from masthead.http import addresses, routes
from masthead.i18n import plugin as i18n
from masthead.live import plugin as live
from masthead.notifications import plugin as notifications
from masthead.organisation import plugin as organisation
from masthead.plugins import Plugin
from masthead.presence import plugin as presence
from masthead.previews import plugin as previews
from masthead.references import plugin as references
from masthead.resources import forms, image_uses
from masthead.resources import plugin as resources
from masthead.schedule import plugin as schedule
from masthead.server import options
from masthead.tags import plugin as tags
from masthead.trash import plugin as trash
from masthead.web import (
    cache,
    checks,
    content_listener,
    encodings,
    health,
    metrics,
    replica,
    root,
    shared_caches,
    system,
)
from masthead.web.kinds import plugin as kinds
from masthead.web.openapi import plugin as openapi
from masthead.web.reference import plugin as reference
from masthead.worker import plugin as worker

plugin = Plugin(
    name=CORE,
    hooks=(
        instance,
        routes,
        addresses,
        organisation,
        i18n,
        forms,
        image_uses,
        cache,
        content_listener,
        replica,
        shared_caches,
        encodings,
        options,
        cli,
        checks,
        health,
        metrics,
        system,
        auth,
        openapi,
        kinds,
        root,
        reference,
        approval,
        notifications,
        comments,
        live,
        audit,
        history,
        tags,
        content,
        changes,
        schedule,
        previews,
        presence,
        references,
        resources,
        trash,
        worker,
        backup,
        doctor,
    ),
    base=Base,
    migrations="masthead.migrations",
    texts="masthead.i18n",
)
