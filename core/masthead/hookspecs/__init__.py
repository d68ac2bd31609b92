"""The specifications of all hooks that plugins can implement, one module for each kind.

Implementations are marked with ``masthead.hookimpl`` and may omit arguments that they don't use.
"""

from __future__ import annotations

from masthead.hookspecs.deciding import (
    masthead_check_submission,
    masthead_publishing,
    masthead_sitemap,
    masthead_uses,
)
from masthead.hookspecs.declaring import (
    masthead_audit_actions,
    masthead_checks,
    masthead_commands,
    masthead_content_types,
    masthead_jobs,
    masthead_navigation,
    masthead_permissions,
    masthead_resources,
    masthead_routes,
    masthead_settings,
)
from masthead.hookspecs.events import (
    masthead_committing,
    masthead_notified,
    masthead_transitioned,
)
from masthead.hookspecs.identity import (
    masthead_identify,
    masthead_login,
    masthead_revoke_credentials,
)
from masthead.hookspecs.images import (
    masthead_copy_images,
    masthead_image_info,
    masthead_image_uses,
    masthead_store_image,
)
from masthead.hookspecs.mail import (
    masthead_deliver_mail,
    masthead_mail_history,
    masthead_mail_templates,
    masthead_suppressions,
)
from masthead.hookspecs.markers import hookimpl
from masthead.hookspecs.persons import (
    masthead_forget_person,
    masthead_person_data,
)
from masthead.hookspecs.transfer import (
    masthead_demo,
    masthead_files,
    masthead_imported,
    masthead_restored,
)

__all__ = [
    "hookimpl",
    "masthead_audit_actions",
    "masthead_check_submission",
    "masthead_checks",
    "masthead_commands",
    "masthead_committing",
    "masthead_content_types",
    "masthead_copy_images",
    "masthead_deliver_mail",
    "masthead_demo",
    "masthead_files",
    "masthead_forget_person",
    "masthead_identify",
    "masthead_image_info",
    "masthead_image_uses",
    "masthead_imported",
    "masthead_jobs",
    "masthead_login",
    "masthead_mail_history",
    "masthead_mail_templates",
    "masthead_navigation",
    "masthead_notified",
    "masthead_permissions",
    "masthead_person_data",
    "masthead_publishing",
    "masthead_resources",
    "masthead_restored",
    "masthead_revoke_credentials",
    "masthead_routes",
    "masthead_settings",
    "masthead_sitemap",
    "masthead_store_image",
    "masthead_suppressions",
    "masthead_transitioned",
    "masthead_uses",
]
