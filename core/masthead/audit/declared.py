"""The actions of core that the audit log records; those of approvals are beside their names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from masthead.ports.audit import AuditAction

_ACTIONS: Final = {
    "content.delete": "An item was deleted or moved to the trash.",
    "content.drop-staged": "The staged edits of an item were dropped.",
    "content.go-live": "An edit that was approved before went live at its time.",
    "content.publish": "An item was published by a change of `published`.",
    "content.purge": "An item in the trash was deleted for good.",
    "content.restore": "An item was restored from the trash.",
    "content.unpublish": "An item was withdrawn by a change of `published`.",
    "job.run": "A background job was run by hand.",
    "login.failed": "Logins failed, as often as `count` says.",
    "maintenance.off": "The maintenance mode was switched off.",
    "maintenance.on": "The maintenance mode was switched on.",
    "preview.create": "A preview link was created.",
    "preview.revoke": "A preview link was revoked.",
    "role.create": "A role was created.",
    "role.delete": "A role was deleted.",
    "role.update": "A role was changed.",
    "system.restore": "The instance was restored from a backup.",
    "tag.delete": "A tag was deleted.",
    "user.create": "A user was created.",
    "user.delete": "A user was deleted.",
    "user.disable": "A user was disabled.",
    "user.end-tokens": "All login tokens of a user were ended.",
    "user.forgot-password": "A link for a new password was mailed to a user.",
    "user.update": "A user was changed.",
}


def core_actions(resources: Iterable[str]) -> list[AuditAction]:
    """Return these actions.

    :param resources: the names of the resources; items of each can be imported from CSV files.
    """
    imports = {f"{name}.import": "Items were imported from a CSV file." for name in resources}
    return [AuditAction(name, told) for name, told in {**_ACTIONS, **imports}.items()]
