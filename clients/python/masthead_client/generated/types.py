"""The types of bodies, answers and parameters. Made from the OpenAPI document; don't edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class About(TypedDict):
    """The organisation, as it describes itself."""

    mission: AboutText
    """The aim of the organisation."""
    history: AboutText
    """The history of the organisation."""
    values: list[PublicAboutValue]
    """The values of the organisation."""


class AboutText(TypedDict):
    """A text about the organisation."""

    title: str
    """The heading."""
    content: str
    """The text, as HTML."""


class AboutTextUpdate(TypedDict):
    """Changes of a text about the organisation."""

    title: NotRequired[str | None]
    """The heading."""
    content: NotRequired[str | None]
    """The text, as HTML."""


class AboutTexts(TypedDict):
    """The texts about the organisation."""

    mission: AboutText
    """The aim of the organisation."""
    history: AboutText
    """The history of the organisation."""


class AboutTextsUpdate(TypedDict):
    """Changes of the texts: a text that is left out stays as it is."""

    mission: NotRequired[AboutTextUpdate | None]
    """The aim of the organisation."""
    history: NotRequired[AboutTextUpdate | None]
    """The history of the organisation."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class AboutValue(TypedDict):
    """An about value."""

    id: int
    """Its id, which never changes."""
    title: str
    """The value, in a word or two."""
    description: str
    """The value, in a sentence."""
    icon: str
    """The name of an icon of the website."""
    colorClass: str
    """The CSS classes of its colours."""
    order: int
    """Its place, which begins with the smallest number."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""


class AboutValueCreate(TypedDict):
    """An about value to create."""

    title: str
    """The value, in a word or two."""
    description: NotRequired[str | None]
    """The value, in a sentence."""
    icon: NotRequired[str | None]
    """The name of an icon of the website."""
    colorClass: NotRequired[str | None]
    """The CSS classes of its colours."""
    order: NotRequired[int | None]
    """Its place, which begins with the smallest number."""


class AboutValueSaved(TypedDict):
    """An about value. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    title: str
    """The value, in a word or two."""
    description: str
    """The value, in a sentence."""
    icon: str
    """The name of an icon of the website."""
    colorClass: str
    """The CSS classes of its colours."""
    order: int
    """Its place, which begins with the smallest number."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class AboutValueUpdate(TypedDict):
    """Changes of an about value: a field that is left out stays as it is."""

    title: NotRequired[str]
    """The value, in a word or two."""
    description: NotRequired[str | None]
    """The value, in a sentence."""
    icon: NotRequired[str | None]
    """The name of an icon of the website."""
    colorClass: NotRequired[str | None]
    """The CSS classes of its colours."""
    order: NotRequired[int | None]
    """Its place, which begins with the smallest number."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class Action(TypedDict):
    """An action, as the public sees it."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    icon: str | None
    """The name of an icon of the website."""
    gradientClass: str | None
    """The CSS classes of the background."""
    accentClass: str | None
    """The CSS classes of the accents."""
    link: str | None
    """The address where visitors can act."""
    coverImageUrl: str | None
    """The address of the image above it."""
    coverImage: StoredImage | None
    """The image at the address beside it; null for one that isn't stored here."""
    displayOrder: int
    """Its place in lists, which begin with the smallest number."""
    content: str | None
    """The text itself, as HTML."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    tags: list[Tag]
    """Its tags, by name."""
    author: Author | None
    """The user who created it; null for one without a name to show."""
    updatedAt: str
    """The time since which the public sees it as it is."""
    related: NotRequired[list[ActionRelated]]
    """Its related items, if they are included."""


class ActionCreate(TypedDict):
    """An action to create, as a draft."""

    title: str
    """Its title, in one line."""
    slug: NotRequired[str | None]
    """Its part of an address, which is unique among the items of this type; null or blank in a body means one from the title."""
    description: NotRequired[str | None]
    """A short text for lists and previews."""
    lang: NotRequired[str | None]
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: NotRequired[str | None]
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: NotRequired[str | None]
    """The time from which the public no longer sees it; null for none."""
    icon: NotRequired[str | None]
    """The name of an icon of the website."""
    gradientClass: NotRequired[str | None]
    """The CSS classes of the background."""
    accentClass: NotRequired[str | None]
    """The CSS classes of the accents."""
    link: NotRequired[str | None]
    """The address where visitors can act."""
    coverImageUrl: NotRequired[str | None]
    """The address of the image above it."""
    displayOrder: NotRequired[int | None]
    """Its place in lists, which begin with the smallest number."""
    content: NotRequired[str | None]
    """The text itself, as HTML."""
    tagIds: NotRequired[list[int] | None]
    """The ids of its tags, which replace all earlier ones."""
    published: NotRequired[bool | None]
    """Whether the public sees it: false unpublishes it at once, and true needs an approved item. A new item is never published."""
    takeOver: NotRequired[bool | None]
    """Whether it may have the former slug of another item, which then no longer leads there."""


class ActionLive(TypedDict):
    """The fields that the public sees."""

    title: str
    """Its title, in one line."""
    slug: str | None
    """Its part of an address, which is unique among the items of this type; null or blank in a body means one from the title."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: str | None
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: str | None
    """The time from which the public no longer sees it; null for none."""
    icon: str | None
    """The name of an icon of the website."""
    gradientClass: str | None
    """The CSS classes of the background."""
    accentClass: str | None
    """The CSS classes of the accents."""
    link: str | None
    """The address where visitors can act."""
    coverImageUrl: str | None
    """The address of the image above it."""
    content: str | None
    """The text itself, as HTML."""
    tagIds: list[int]
    """The ids of its tags."""


class ActionRelated(TypedDict):
    """An action that is related to another one."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    icon: str | None
    """The name of an icon of the website."""
    gradientClass: str | None
    """The CSS classes of the background."""
    accentClass: str | None
    """The CSS classes of the accents."""
    coverImageUrl: str | None
    """The address of the image above it."""
    coverImage: StoredImage | None
    """The image at the address beside it; null for one that isn't stored here."""


class ActionStaff(TypedDict):
    """An action, as staff see it."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str | None
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: str | None
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: str | None
    """The time from which the public no longer sees it; null for none."""
    icon: str | None
    """The name of an icon of the website."""
    gradientClass: str | None
    """The CSS classes of the background."""
    accentClass: str | None
    """The CSS classes of the accents."""
    link: str | None
    """The address where visitors can act."""
    coverImageUrl: str | None
    """The address of the image above it."""
    displayOrder: int
    """Its place in lists, which begin with the smallest number."""
    content: str | None
    """The text itself, as HTML."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    published: bool
    """Whether it is published."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    approvalRequestedAt: str | None
    """The time of the last request."""
    approvalRequestedBy: int | None
    """The id of the user who requested it."""
    approvedAt: str | None
    """The time of the last approval."""
    approvedBy: int | None
    """The id of the user who approved it."""
    rejectedAt: str | None
    """The time of the last rejection."""
    rejectedBy: int | None
    """The id of the user who rejected it."""
    rejectionReason: str | None
    """The reason of the last rejection."""
    approvalComment: str | None
    """The comment of the last request or approval."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    createdBy: UserReference | None
    """The user who created it."""
    editedBy: UserReference | None
    """The user who made the last edit."""
    approvalRequestedByUser: UserReference | None
    """The user who requested the approval."""
    approvedByUser: UserReference | None
    """The user who approved it."""
    rejectedByUser: UserReference | None
    """The user who rejected it."""
    visibility: Literal["hidden", "scheduled", "visible", "expired"]
    """Whether the public sees it now: `hidden` is not published, `scheduled` and `expired` are published, but before or after their time."""
    tags: list[Tag]
    """Its tags, by name."""
    staged: bool
    """Whether it has an edit that the public doesn't see yet; the fields show that edit."""
    live: ActionLive | None
    """The fields that the public sees while an edit waits; null without an edit."""


class ActionStaffSaved(TypedDict):
    """An action, as staff see it. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str | None
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: str | None
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: str | None
    """The time from which the public no longer sees it; null for none."""
    icon: str | None
    """The name of an icon of the website."""
    gradientClass: str | None
    """The CSS classes of the background."""
    accentClass: str | None
    """The CSS classes of the accents."""
    link: str | None
    """The address where visitors can act."""
    coverImageUrl: str | None
    """The address of the image above it."""
    displayOrder: int
    """Its place in lists, which begin with the smallest number."""
    content: str | None
    """The text itself, as HTML."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    published: bool
    """Whether it is published."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    approvalRequestedAt: str | None
    """The time of the last request."""
    approvalRequestedBy: int | None
    """The id of the user who requested it."""
    approvedAt: str | None
    """The time of the last approval."""
    approvedBy: int | None
    """The id of the user who approved it."""
    rejectedAt: str | None
    """The time of the last rejection."""
    rejectedBy: int | None
    """The id of the user who rejected it."""
    rejectionReason: str | None
    """The reason of the last rejection."""
    approvalComment: str | None
    """The comment of the last request or approval."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    createdBy: UserReference | None
    """The user who created it."""
    editedBy: UserReference | None
    """The user who made the last edit."""
    approvalRequestedByUser: UserReference | None
    """The user who requested the approval."""
    approvedByUser: UserReference | None
    """The user who approved it."""
    rejectedByUser: UserReference | None
    """The user who rejected it."""
    visibility: Literal["hidden", "scheduled", "visible", "expired"]
    """Whether the public sees it now: `hidden` is not published, `scheduled` and `expired` are published, but before or after their time."""
    tags: list[Tag]
    """Its tags, by name."""
    staged: bool
    """Whether it has an edit that the public doesn't see yet; the fields show that edit."""
    live: ActionLive | None
    """The fields that the public sees while an edit waits; null without an edit."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class ActionStaffSummary(TypedDict):
    """An action, as staff see it in a list."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str | None
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: str | None
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: str | None
    """The time from which the public no longer sees it; null for none."""
    icon: str | None
    """The name of an icon of the website."""
    gradientClass: str | None
    """The CSS classes of the background."""
    accentClass: str | None
    """The CSS classes of the accents."""
    link: str | None
    """The address where visitors can act."""
    coverImageUrl: str | None
    """The address of the image above it."""
    displayOrder: int
    """Its place in lists, which begin with the smallest number."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    published: bool
    """Whether it is published."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    approvalRequestedAt: str | None
    """The time of the last request."""
    approvalRequestedBy: int | None
    """The id of the user who requested it."""
    approvedAt: str | None
    """The time of the last approval."""
    approvedBy: int | None
    """The id of the user who approved it."""
    rejectedAt: str | None
    """The time of the last rejection."""
    rejectedBy: int | None
    """The id of the user who rejected it."""
    rejectionReason: str | None
    """The reason of the last rejection."""
    approvalComment: str | None
    """The comment of the last request or approval."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    createdBy: UserReference | None
    """The user who created it."""
    editedBy: UserReference | None
    """The user who made the last edit."""
    approvalRequestedByUser: UserReference | None
    """The user who requested the approval."""
    approvedByUser: UserReference | None
    """The user who approved it."""
    rejectedByUser: UserReference | None
    """The user who rejected it."""
    visibility: Literal["hidden", "scheduled", "visible", "expired"]
    """Whether the public sees it now: `hidden` is not published, `scheduled` and `expired` are published, but before or after their time."""
    staged: bool
    """Whether it has an edit that the public doesn't see yet; the fields show that edit."""


class ActionUpdate(TypedDict):
    """Changes of an action: a field that is left out stays as it is."""

    title: NotRequired[str]
    """Its title, in one line."""
    slug: NotRequired[str | None]
    """Its part of an address, which is unique among the items of this type; null or blank in a body means one from the title."""
    description: NotRequired[str | None]
    """A short text for lists and previews."""
    lang: NotRequired[str | None]
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: NotRequired[str | None]
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: NotRequired[str | None]
    """The time from which the public no longer sees it; null for none."""
    icon: NotRequired[str | None]
    """The name of an icon of the website."""
    gradientClass: NotRequired[str | None]
    """The CSS classes of the background."""
    accentClass: NotRequired[str | None]
    """The CSS classes of the accents."""
    link: NotRequired[str | None]
    """The address where visitors can act."""
    coverImageUrl: NotRequired[str | None]
    """The address of the image above it."""
    displayOrder: NotRequired[int | None]
    """Its place in lists, which begin with the smallest number."""
    content: NotRequired[str | None]
    """The text itself, as HTML."""
    tagIds: NotRequired[list[int] | None]
    """The ids of its tags, which replace all earlier ones."""
    published: NotRequired[bool | None]
    """Whether the public sees it: false unpublishes it at once, and true needs an approved item. A new item is never published."""
    takeOver: NotRequired[bool | None]
    """Whether it may have the former slug of another item, which then no longer leads there."""
    stage: NotRequired[bool | None]
    """Whether an edit of a published item waits for approval even if the caller could make it live."""
    live: NotRequired[bool | dict[str, Any] | None]
    """Whether the edit goes live even if another edit waits for approval, which takes it over except for the fields that it has changed itself. Only for callers who could make an edit live. An object, such as that of an answer, is ignored."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class ActionsListQuery(TypedDict):
    """The query parameters of `actions.list`."""

    tag: NotRequired[str]
    """The slug of a tag of the items."""
    search: NotRequired[str]
    """Words that an item has to have, each at the start of a word of its text."""
    ids: NotRequired[list[int]]
    """Only the items with these ids; unknown ones are left out."""
    updatedSince: NotRequired[str]
    """Only the items whose `updatedAt` is this time or later."""
    sort: NotRequired[list[Literal["displayOrder", "-displayOrder", "title", "-title", "updatedAt", "-updatedAt", "id", "-id"]]]
    """The fields that the list is sorted by; a minus before one means descending."""
    fields: NotRequired[list[Literal["id", "title", "slug", "description", "lang", "icon", "gradientClass", "accentClass", "link", "coverImageUrl", "coverImage", "displayOrder", "content", "dir", "tags", "author", "updatedAt", "related"]]]
    """The fields of the answer; others are left out, also required ones."""
    include: NotRequired[list[Literal["content", "related", "tags"]]]
    """Further fields of the answer."""
    html: NotRequired[Literal["absolute"]]
    """Whether the addresses in HTML are absolute; by default, some are paths."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class ActionsRelatedQuery(TypedDict):
    """The query parameters of `actions.related`."""

    limit: NotRequired[int]
    """The maximum number of items, 3 by default, at most 20."""
    fields: NotRequired[list[Literal["id", "title", "slug", "description", "icon", "gradientClass", "accentClass", "coverImageUrl", "coverImage"]]]
    """The fields of the answer; others are left out, also required ones."""


class ActionsShowQuery(TypedDict):
    """The query parameters of `actions.show`."""

    fields: NotRequired[list[Literal["id", "title", "slug", "description", "lang", "icon", "gradientClass", "accentClass", "link", "coverImageUrl", "coverImage", "displayOrder", "content", "dir", "tags", "author", "updatedAt", "related"]]]
    """The fields of the answer; others are left out, also required ones."""
    include: NotRequired[list[Literal["content", "related", "tags"]]]
    """Further fields of the answer."""
    html: NotRequired[Literal["absolute"]]
    """Whether the addresses in HTML are absolute; by default, some are paths."""


class ApiToken(TypedDict):
    """An API token, without its text."""

    id: int
    """The id of the token."""
    name: str
    """The name, which the history and the audit log show beside the user."""
    user: UserReference
    """The owner of the token."""
    permissions: list[str]
    """The permissions that the token has as long as the user has them."""
    approves: list[str]
    """The content types that the token may approve as long as the user may."""
    createdAt: str
    """The time at which it was made."""
    expiresAt: str
    """The time from which it is invalid."""
    lastUsedAt: str | None
    """The time of the last use, exact to about a minute; null before the first use."""


class ApiTokenUpdate(TypedDict):
    """A new name of an API token."""

    name: NotRequired[str]
    """The name, which the history and the audit log show beside the user."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class ApiTokensListQuery(TypedDict):
    """The query parameters of `api-tokens.list`."""

    all: NotRequired[bool]
    """Whether to list those of all users."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class Approval(TypedDict):
    """An item to approve."""

    contentType: Literal["actions", "newsletters", "events", "news"]
    """The content type of the item."""
    contentId: int
    """The id of the item."""
    etag: NotRequired[str | None]
    """The revision that the approver has read; another one is refused."""
    comment: NotRequired[str | None]
    """A comment for the readers of the notification."""
    until: NotRequired[str | None]
    """The time until which it is approved. From then on the public doesn't see it, as with `scheduledUnpublishAt`. For content only; with several approvals, for the last one."""


class ApprovalBulk(TypedDict):
    """A move of many items. `reason` is for a rejection, and `comment` for other moves."""

    operation: Literal["request", "approve", "reject", "withdraw"]
    """The move."""
    items: list[ApprovalBulkItem]
    """The items; doubles count once."""
    reason: NotRequired[str | None]
    """The reason, for the author."""
    comment: NotRequired[str | None]
    """A comment for the readers of the notification."""


class ApprovalBulkItem(TypedDict):
    """An item to move, and the revision that was read."""

    contentType: Literal["actions", "newsletters", "events", "news"]
    """The content type of the item."""
    contentId: int
    """The id of the item."""
    etag: NotRequired[str | None]
    """The revision that the approver has read; another one is refused."""


class ApprovalBulkResult(TypedDict):
    """The result of a move of many items."""

    success: bool
    """Always true; an error has another answer."""
    warning: NotRequired[str]
    """The reason why the item can't be approved yet; absent if it can."""
    affected: int
    """The number of items that were moved."""
    failed: list[FailedMove]
    """The items that could not be moved."""


class ApprovalConfigListQuery(TypedDict):
    """The query parameters of `approval-config.list`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class ApprovalGiven(TypedDict):
    """The item is approved, or one of several approvals is stored."""

    success: bool
    """Always true; an error has another answer."""
    approvals: NotRequired[int]
    """The number of users who have approved it, if the type requires several; with fewer than `required` ones, the item stays pending."""
    required: NotRequired[int]
    """The number of users who have to approve it, if the type requires several."""


class ApprovalMove(TypedDict):
    """A move of an item in the approval workflow."""

    at: str
    """The time of the move."""
    actor: UserReference | None
    """The user; null for the system."""
    action: str
    """The move."""
    comment: str | None
    """The comment of a request or approval."""
    reason: str | None
    """The reason of a rejection."""
    revision: int | None
    """The number of the revision that was approved."""


class ApprovalPendingQuery(TypedDict):
    """The query parameters of `approval.pending`."""

    contentType: NotRequired[Literal["actions", "newsletters", "events", "news"]]
    """Only items of this content type."""
    assignedToMe: NotRequired[bool]
    """Only items that you were asked to approve."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class ApprovalProposal(TypedDict):
    """An item with its live and its proposed values."""

    contentType: str
    """The content type."""
    label: str
    """The label of the type."""
    id: int
    """The id of the item."""
    title: str
    """Its title, also of a staged edit."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    requestedAt: str | None
    """The time of the last request."""
    requestedBy: UserReference | None
    """The user who requested it."""
    comment: str | None
    """The comment of the last request or approval."""
    staged: bool
    """Whether an edit of a published item waits."""
    etag: str
    """The revision, for the approval."""
    mayApprove: bool
    """Whether the caller may approve it now."""
    required: int
    """The number of users who have to approve it."""
    reviewer: UserReference | None
    """The user who was asked to approve it."""
    deadline: str | None
    """The time at which others are notified that nobody has decided; null for none."""
    votes: list[ApprovalVote]
    """The approvals of a pending item that needs several, the oldest first."""
    live: dict[str, Any] | None
    """The values that are public; null if none are."""
    proposed: dict[str, Any] | None
    """The values that an approval makes public, by field."""
    differences: list[FieldDifference]
    """The fields that differ between them."""
    digest: str | None
    """The SHA-256 digest of the proposed values."""
    revision: int | None
    """The number of the revision with the proposed values; null if there is none yet."""
    moves: list[ApprovalMove]
    """The last 100 moves of the item, the newest first."""


class ApprovalRequest(TypedDict):
    """An item whose approval to request."""

    contentType: Literal["actions", "newsletters", "events", "news"]
    """The content type of the item."""
    contentId: int
    """The id of the item."""
    comment: NotRequired[str | None]
    """A comment for the readers of the notification."""
    reviewerId: NotRequired[int | None]
    """The id of the user who is asked to approve it; it has to be able to."""


class ApprovalRequested(TypedDict):
    """The approval of the item is requested."""

    success: bool
    """Always true; an error has another answer."""
    warning: NotRequired[str]
    """The reason why the item can't be approved yet; absent if it can."""


class ApprovalReviewersListQuery(TypedDict):
    """The query parameters of `approval-reviewers.list`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class ApprovalVote(TypedDict):
    """The approval of one user, where several are required."""

    user: UserReference
    """The user who has approved it."""
    at: str
    """The time of the approval."""
    comment: str | None
    """The user's comment."""
    counts: bool
    """Whether it counts: the item was not changed since, and the user may still approve it."""


class Approver(TypedDict):
    """A role that may approve a content type."""

    id: int
    """The id of the rule, for its deletion."""
    contentType: str
    """The content type."""
    roleId: int
    """The id of the role that may approve it."""
    roleName: str
    """The name of the role."""


class ApproverCreate(TypedDict):
    """A role that may approve a content type."""

    contentType: Literal["actions", "newsletters", "events", "news"]
    """The content type."""
    roleId: int
    """The id of the role that may approve it."""


class ArchivedNewsletter(TypedDict):
    """A newsletter of the archive."""

    id: int
    """The id of the newsletter."""
    title: str
    """The title."""
    subject: str
    """The subject."""
    language: str
    """The tag of its language."""
    sentAt: str | None
    """The time at which it was sent."""
    url: str
    """The address of its page."""
    html: str
    """The letter as HTML that is safe within a page."""


class ArchivedNewsletterSummary(TypedDict):
    """A newsletter in a list of the archive."""

    id: int
    """The id of the newsletter."""
    title: str
    """The title."""
    subject: str
    """The subject."""
    language: str
    """The tag of its language."""
    sentAt: str | None
    """The time at which it was sent."""
    url: str
    """The address of its page."""


class AuditEntry(TypedDict):
    """An action that the audit log has recorded."""

    id: int
    """The id of the entry."""
    at: str
    """The time of the action."""
    actor: UserReference | None
    """The user who acted; null for the system, and for a visitor."""
    action: str
    """The action, by feature and verb. Plugins add actions."""
    contentType: str | None
    """The type of the item; null if it is about none."""
    contentId: int | None
    """The id of the item; null if it is about none."""
    detail: dict[str, Any]
    """Further values, which depend on the action."""


class AuditListQuery(TypedDict):
    """The query parameters of `audit.list`."""

    contentType: NotRequired[str]
    """Only entries about items of this type."""
    contentId: NotRequired[int]
    """Only entries about the item with this id."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class AuthListRolesQuery(TypedDict):
    """The query parameters of `auth.list_roles`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class AuthListUsersQuery(TypedDict):
    """The query parameters of `auth.list_users`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class Author(TypedDict):
    """The author of an item."""

    displayName: str
    """The name to show."""


class BulkOperation(TypedDict):
    """An operation on many items."""

    operation: Literal["publish", "unpublish", "delete"]
    """The operation."""
    ids: list[int]
    """The ids of the items."""


class BulkResult(TypedDict):
    """The result of an operation on many items."""

    success: bool
    """Always true; an error has another answer."""
    affected: int
    """The number of items that were changed or deleted."""
    failed: list[FailedItem]
    """The items that the operation could not be applied to."""


class CausingMail(TypedDict):
    """The mail after which an address receives no more mail."""

    kind: str
    """The kind of the mail."""
    id: int | None
    """The id of the newsletter or composed e-mail; null for another mail."""
    subject: str
    """The subject."""


class Change(TypedDict):
    """A change of an item."""

    change: Literal["published", "changed", "moved", "withdrawn"]
    """`published`: it became visible. `changed`, `moved`: it has other values, or another slug too. `withdrawn`: it is no longer visible."""
    contentType: Literal["actions", "events", "news", "newsletters", "people", "pages"]
    """The content type or resource of the item."""
    id: int
    """The id of the item."""
    slug: str | None
    """Its slug then; null for an item without one."""
    formerSlug: str | None
    """Its slug before; null if it is the same."""
    at: str
    """The time of the change."""


class Changes(TypedDict):
    """A part of the change log."""

    changes: list[Change]
    """The changes in the order in which they happened."""
    cursor: str
    """The value of `since` for the next request."""
    more: bool
    """Whether further changes are there already."""


class ChangesListQuery(TypedDict):
    """The query parameters of `changes.list`."""

    since: NotRequired[str]
    """The cursor of the last answer. Without it, the answer has no changes and the cursor of the present end: take it before you load everything."""
    types: NotRequired[list[Literal["actions", "events", "news", "newsletters", "people", "pages"]]]
    """The content types and resources whose changes to return; by default all."""
    limit: NotRequired[int]
    """The maximum number of changes; by default 100."""


class Comment(TypedDict):
    """A comment of a user beside an item."""

    id: int
    """The id of the comment."""
    text: str
    """The plain text."""
    author: UserReference
    """The user who has written it."""
    createdAt: str
    """The time at which it was written."""
    editedAt: str | None
    """The time of the last change of the text."""
    resolvedAt: str | None
    """The time at which it was resolved; null if it is open."""
    resolvedBy: UserReference | None
    """The user who has resolved it."""
    etag: str
    """The revision of the comment."""


class CommentCreate(TypedDict):
    """A comment beside an item."""

    text: str
    """The plain text. `@name` notifies a user who may read the item, `@"a name"` one whose name has blanks."""


class CommentResolution(TypedDict):
    """Whether a comment is resolved."""

    resolved: NotRequired[bool]
    """Whether it is resolved, by default true; false reopens it."""


class CommentUpdate(TypedDict):
    """A new text of a comment."""

    text: NotRequired[str]
    """The plain text. `@name` notifies a user who may read the item, `@"a name"` one whose name has blanks."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class CommentsListQuery(TypedDict):
    """The query parameters of `comments.list`."""

    resolved: NotRequired[bool]
    """Only resolved comments, or only open ones."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class ComposedEmail(TypedDict):
    """A composed email."""

    id: int
    """Its id, which never changes."""
    title: str | None
    """The title for editors."""
    subject: str
    """The subject, with placeholders such as `{{name}}`."""
    html_content: str
    """The text as HTML, with placeholders such as `{{name}}`."""
    text_content: str | None
    """The text without HTML; by default it is made from the HTML."""
    mjml_content: str | None
    """The text as MJML, which becomes the HTML."""
    recipient_emails: list[str]
    """The addresses of the recipients."""
    scheduled_send_at: str | None
    """The time at which it is to be sent; null for none."""
    status: Literal["draft", "scheduled", "sent"]
    """The state of the sending."""
    sent_at: str | None
    """The time at which it was sent."""
    created_at: str
    """The time of its creation."""
    updated_at: str
    """The time of its last change."""


class ComposedEmailCreate(TypedDict):
    """A composed email to create."""

    title: NotRequired[str | None]
    """The title for editors."""
    subject: str
    """The subject, with placeholders such as `{{name}}`."""
    html_content: NotRequired[str]
    """The text as HTML, with placeholders such as `{{name}}`."""
    text_content: NotRequired[str | None]
    """The text without HTML; by default it is made from the HTML."""
    mjml_content: NotRequired[str | None]
    """The text as MJML, which becomes the HTML."""
    recipient_emails: list[str]
    """The addresses of the recipients."""
    scheduled_send_at: NotRequired[str | None]
    """The time at which it is to be sent; null for none."""


class ComposedEmailSaved(TypedDict):
    """A composed email. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    title: str | None
    """The title for editors."""
    subject: str
    """The subject, with placeholders such as `{{name}}`."""
    html_content: str
    """The text as HTML, with placeholders such as `{{name}}`."""
    text_content: str | None
    """The text without HTML; by default it is made from the HTML."""
    mjml_content: str | None
    """The text as MJML, which becomes the HTML."""
    recipient_emails: list[str]
    """The addresses of the recipients."""
    scheduled_send_at: str | None
    """The time at which it is to be sent; null for none."""
    status: Literal["draft", "scheduled", "sent"]
    """The state of the sending."""
    sent_at: str | None
    """The time at which it was sent."""
    created_at: str
    """The time of its creation."""
    updated_at: str
    """The time of its last change."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class ComposedEmailUpdate(TypedDict):
    """Changes of a composed email: a field that is left out stays as it is."""

    title: NotRequired[str | None]
    """The title for editors."""
    subject: NotRequired[str]
    """The subject, with placeholders such as `{{name}}`."""
    html_content: NotRequired[str]
    """The text as HTML, with placeholders such as `{{name}}`."""
    text_content: NotRequired[str | None]
    """The text without HTML; by default it is made from the HTML."""
    mjml_content: NotRequired[str | None]
    """The text as MJML, which becomes the HTML."""
    recipient_emails: NotRequired[list[str]]
    """The addresses of the recipients."""
    scheduled_send_at: NotRequired[str | None]
    """The time at which it is to be sent; null for none."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class Conflict(TypedDict):
    """The versions of an item that has changed since the client read it."""

    etag: str
    """The present revision of the item."""
    current: dict[str, Any]
    """The present values of the fields that an update can change."""
    base: dict[str, Any] | None
    """The values at the revision that the request names; null if they aren't kept."""
    collisions: list[str]
    """The fields of the request that somebody else has changed, too, or may have."""


class Contact(TypedDict):
    """A contact."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name."""
    email: str | None
    """The e-mail address, which is unique."""
    phone: str | None
    """The telephone number."""
    status: Literal["Contact", "Member", "Event Attendee", "Prospect", "Inactive"]
    """The relation to the organisation."""
    tags: list[str]
    """Words that contacts can be found by."""
    notes: str | None
    """Remarks of staff."""
    progressionStage: str | None
    """The name of the present stage; null before the first one."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    deliverable: bool
    """Whether mail reaches the address."""
    suppression: Suppression | None
    """The reason why the address receives no mail; null if it receives mail."""
    progression: list[ContactStage]
    """The stages that the contact has reached, newest first."""
    emailHistory: list[ContactMail]
    """The mails to the contact, newest first."""
    followUps: list[ContactFollowUp]
    """The open follow-ups."""
    leftOut: list[str]
    """The kinds of data that the caller may not read."""


class ContactCreate(TypedDict):
    """A contact to create."""

    name: str
    """The name."""
    email: NotRequired[str | None]
    """The e-mail address, which is unique."""
    phone: NotRequired[str | None]
    """The telephone number."""
    status: NotRequired[Literal["Contact", "Member", "Event Attendee", "Prospect", "Inactive"] | None]
    """The relation to the organisation."""
    tags: NotRequired[list[str] | None]
    """Words that contacts can be found by."""
    notes: NotRequired[str | None]
    """Remarks of staff."""


class ContactFollowUp(TypedDict):
    """An open follow-up of a contact."""

    id: int
    """The id of the follow-up."""
    ruleName: str
    """The name of the rule that made it."""
    dueDate: str
    """The time at which it is due."""
    catchupType: str
    """The kind of the follow-up."""
    status: Literal["pending", "overdue"]
    """Whether it is due."""


class ContactForm(TypedDict):
    """A message of a visitor."""

    name: str
    """The name of the visitor."""
    email: str
    """The address for the reply."""
    subject: str
    """The subject."""
    message: str
    """The text."""
    website: NotRequired[str | None]
    """Has to be blank: spam programs fill it in."""


class ContactImport(TypedDict):
    """A file of contacts, and how to read it."""

    charset: NotRequired[str]
    """The character encoding of the file, if it can't be recognised."""
    map: NotRequired[str]
    """The field of each column as a JSON object, instead of the names of the columns."""
    mapping: NotRequired[str]
    """The name of a stored mapping."""
    sheet: NotRequired[str]
    """The name of the sheet of a workbook."""
    file: bytes
    """The file."""


class ContactImportReport(TypedDict):
    """The result of an import of contacts."""

    success: bool
    """Always true; an error has another answer."""
    imported: int
    """The number of new items."""
    skipped: int
    """The number of rows whose item exists already."""
    errorCount: int
    """The number of rows that can't be imported."""
    errors: list[RowError]
    """The first 1,000 rows that can't be imported."""
    columns: list[UsedColumn]
    """The columns that are used."""
    ignoredColumns: list[str]
    """The columns that are left out."""
    ignoredRows: list[IgnoredRow]
    """The first rows that are no part of the table, such as notes and totals."""
    preview: list[PreviewRow]
    """Of the first three rows that could be read, those without errors, as they are understood."""
    refused: str | None
    """The refused rows as a CSV file; null if there are none or nobody has asked."""
    suggestedMapping: str | None
    """The name of the stored mapping that suits the file."""


class ContactMail(TypedDict):
    """A mail to a contact."""

    id: int
    """The id of the mail."""
    subject: str
    """The subject."""
    kind: str
    """The kind of the mail, such as newsletter, composed or follow-up."""
    status: Literal["queued", "sent", "failed"]
    """The state of the delivery."""
    sentAt: str | None
    """The time at which it was sent."""


class ContactMerge(TypedDict):
    """The contact to merge into another one."""

    otherId: int
    """The id of the contact that is merged and deleted."""


class ContactMessage(TypedDict):
    """A contact message."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name of the visitor."""
    email: str
    """The address of the visitor."""
    subject: str
    """The subject."""
    message: str
    """The text."""
    status: Literal["new", "read", "archived"]
    """The state of the work on it."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""


class ContactMessageUpdate(TypedDict):
    """Changes of a contact message: a field that is left out stays as it is."""

    status: NotRequired[Literal["new", "read", "archived"] | None]
    """The state of the work on it."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class ContactStage(TypedDict):
    """A stage that a contact has reached, and the interaction."""

    id: int
    """The id of the entry."""
    stage: str
    """The name of the stage."""
    interactionType: str | None
    """The kind of the interaction."""
    notes: str | None
    """Remarks of staff."""
    createdAt: str
    """The time of the interaction."""


class ContactSummary(TypedDict):
    """A contact in a list."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name."""
    email: str | None
    """The e-mail address, which is unique."""
    phone: str | None
    """The telephone number."""
    status: Literal["Contact", "Member", "Event Attendee", "Prospect", "Inactive"]
    """The relation to the organisation."""
    tags: list[str]
    """Words that contacts can be found by."""
    notes: str | None
    """Remarks of staff."""
    progressionStage: str | None
    """The name of the present stage; null before the first one."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    deliverable: bool
    """Whether mail reaches the address."""
    suppression: Suppression | None
    """The reason why the address receives no mail; null if it receives mail."""


class ContactUpdate(TypedDict):
    """Changes of a contact: a field that is left out stays as it is."""

    name: NotRequired[str]
    """The name."""
    email: NotRequired[str | None]
    """The e-mail address, which is unique."""
    phone: NotRequired[str | None]
    """The telephone number."""
    status: NotRequired[Literal["Contact", "Member", "Event Attendee", "Prospect", "Inactive"] | None]
    """The relation to the organisation."""
    tags: NotRequired[list[str] | None]
    """Words that contacts can be found by."""
    notes: NotRequired[str | None]
    """Remarks of staff."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class CoreStatusQuery(TypedDict):
    """The query parameters of `core.status`."""

    deep: NotRequired[bool]
    """Whether to run all checks of `masthead doctor`, such as the proof that the public sees what was approved. One that takes longer than the answer may is shown by the next answer."""


class Created(TypedDict):
    """The operation is done; it has created an item."""

    success: bool
    """Always true; an error has another answer."""
    id: int
    """The id of the new item."""


class CreatedApiToken(TypedDict):
    """A new API token with its text."""

    id: int
    """The id of the token."""
    name: str
    """The name, which the history and the audit log show beside the user."""
    user: UserReference
    """The owner of the token."""
    permissions: list[str]
    """The permissions that the token has as long as the user has them."""
    approves: list[str]
    """The content types that the token may approve as long as the user may."""
    createdAt: str
    """The time at which it was made."""
    expiresAt: str
    """The time from which it is invalid."""
    token: str | None
    """The token, which only this answer shows."""


class CreatedPreviewLink(TypedDict):
    """A new preview link."""

    id: int
    """The id of the preview link."""
    createdAt: str
    """The time at which it was made."""
    expiresAt: str
    """The time from which it is invalid."""
    user: UserReference
    """The user who made it."""
    once: bool
    """Whether the link opens the preview a single time."""
    endOnChange: bool
    """Whether the link ends as soon as anybody changes the item."""
    note: str | None
    """A note for staff, such as the name of the person who gets the link."""
    token: str | None
    """The token, which only this answer shows."""
    url: str | None
    """The address of the website's page with the preview, which has the token."""


class Deliveries(TypedDict):
    """The state of a sending."""

    queued: int
    """The number of deliveries in the state `queued`."""
    sending: int
    """The number of deliveries in the state `sending`."""
    sent: int
    """The number of deliveries in the state `sent`."""
    failed: int
    """The number of deliveries in the state `failed`."""
    skipped: int
    """The number of deliveries in the state `skipped`."""
    state: Literal["active", "paused", "cancelled", "done"] | None
    """The state of the sending."""
    pauseReason: str | None
    """The reason of a pause."""
    waiting: SendingPause
    """Whether and why the sending waits."""
    failedBy: FailureNumbers
    """The failed deliveries by the class of the failure."""
    skippedBy: SkipNumbers
    """The skipped deliveries by reason."""
    failures: list[DeliveryFailure]
    """The first failures."""
    leftOut: list[str]
    """The kinds of data that the caller may not read."""


class DeliveryFailure(TypedDict):
    """A failed delivery."""

    email: str
    """The address."""
    error: str
    """The reason, for humans."""
    failure: Literal["recipient-gone", "mailbox-full", "content-refused", "sender-refused", "policy", "transient", "unknown"] | None
    """The class of the failure."""
    at: str | None
    """The time of the last attempt."""


class DeliveryRetried(TypedDict):
    """The deliveries are queued again."""

    success: bool
    """Always true; an error has another answer."""
    queued: int
    """The number of deliveries that will be tried again."""
    leftOut: NotRetried
    """The deliveries that are not tried again."""


class DeliveryRetry(TypedDict):
    """The deliveries to try again."""

    failures: NotRequired[list[Literal["recipient-gone", "mailbox-full", "content-refused", "sender-refused", "policy", "transient", "unknown"]]]
    """The classes of failures to try again; by default all that can be."""
    skipped: NotRequired[bool]
    """Whether to try the skipped deliveries, too."""


class Disk(TypedDict):
    """A disk, in bytes."""

    totalBytes: int
    """The size of the disk."""
    freeBytes: int
    """The free space."""


class DoctorStatusQuery(TypedDict):
    """The query parameters of `doctor.status`."""

    proof: str
    """A proof that the caller knows the secrets of the instance."""


class DoctorVisitorQuery(TypedDict):
    """The query parameters of `doctor.visitor`."""

    proof: str
    """A proof that the caller knows the secrets of the instance."""


class DuplicateContact(TypedDict):
    """A contact that may be the same person as another one."""

    id: int
    """The id of the contact."""
    name: str
    """The name."""
    email: str | None
    """The e-mail address."""
    phone: str | None
    """The telephone number."""
    status: str
    """The relation to the organisation."""
    tags: list[str]
    """The tags."""
    createdAt: str
    """The time of its creation."""


class DuplicateContacts(TypedDict):
    """Contacts that may be one person."""

    reason: Literal["email", "name-and-phone", "phone", "name-and-tag"]
    """The reason why they may be one person."""
    count: int
    """The number of contacts in the group."""
    contacts: list[DuplicateContact]
    """The contacts, of large groups the first ones."""


class DuplicatesDismissal(TypedDict):
    """Contacts that are known to be different persons."""

    ids: list[int]
    """The ids of the contacts."""
    dismissed: NotRequired[bool]
    """False withdraws an earlier record."""


class EmailTemplate(TypedDict):
    """An email template."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name."""
    subject: str
    """The subject, with placeholders such as `{{name}}`."""
    html_content: str
    """The text as HTML, with placeholders such as `{{name}}`."""
    text_content: str | None
    """The text without HTML; by default it is made from the HTML."""
    mjml_content: str | None
    """The text as MJML, which becomes the HTML."""
    category: str | None
    """The use, such as newsletter or invite."""
    variables: str | None
    """The names of the placeholders, separated by commas; by default those in the texts."""
    html_wrapper: str | None
    """HTML around the text, which replaces its placeholder `{{content}}`."""
    mjml_wrapper: str | None
    """The MJML that becomes the wrapper."""
    created_at: str
    """The time of its creation."""
    updated_at: str
    """The time of its last change."""


class EmailTemplateCreate(TypedDict):
    """An email template to create."""

    name: str
    """The name."""
    subject: str
    """The subject, with placeholders such as `{{name}}`."""
    html_content: NotRequired[str]
    """The text as HTML, with placeholders such as `{{name}}`."""
    text_content: NotRequired[str | None]
    """The text without HTML; by default it is made from the HTML."""
    mjml_content: NotRequired[str | None]
    """The text as MJML, which becomes the HTML."""
    category: NotRequired[str | None]
    """The use, such as newsletter or invite."""
    variables: NotRequired[str | None]
    """The names of the placeholders, separated by commas; by default those in the texts."""
    html_wrapper: NotRequired[str | None]
    """HTML around the text, which replaces its placeholder `{{content}}`."""
    mjml_wrapper: NotRequired[str | None]
    """The MJML that becomes the wrapper."""


class EmailTemplateSaved(TypedDict):
    """An email template. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name."""
    subject: str
    """The subject, with placeholders such as `{{name}}`."""
    html_content: str
    """The text as HTML, with placeholders such as `{{name}}`."""
    text_content: str | None
    """The text without HTML; by default it is made from the HTML."""
    mjml_content: str | None
    """The text as MJML, which becomes the HTML."""
    category: str | None
    """The use, such as newsletter or invite."""
    variables: str | None
    """The names of the placeholders, separated by commas; by default those in the texts."""
    html_wrapper: str | None
    """HTML around the text, which replaces its placeholder `{{content}}`."""
    mjml_wrapper: str | None
    """The MJML that becomes the wrapper."""
    created_at: str
    """The time of its creation."""
    updated_at: str
    """The time of its last change."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class EmailTemplateUpdate(TypedDict):
    """Changes of an email template: a field that is left out stays as it is."""

    name: NotRequired[str]
    """The name."""
    subject: NotRequired[str]
    """The subject, with placeholders such as `{{name}}`."""
    html_content: NotRequired[str]
    """The text as HTML, with placeholders such as `{{name}}`."""
    text_content: NotRequired[str | None]
    """The text without HTML; by default it is made from the HTML."""
    mjml_content: NotRequired[str | None]
    """The text as MJML, which becomes the HTML."""
    category: NotRequired[str | None]
    """The use, such as newsletter or invite."""
    variables: NotRequired[str | None]
    """The names of the placeholders, separated by commas; by default those in the texts."""
    html_wrapper: NotRequired[str | None]
    """HTML around the text, which replaces its placeholder `{{content}}`."""
    mjml_wrapper: NotRequired[str | None]
    """The MJML that becomes the wrapper."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class Error(TypedDict):
    """The request was refused."""

    error: str
    """The reason, for humans."""
    movedTo: NotRequired[MovedTo]
    """The present address of the item, if the slug is one that it has left."""
    conflict: NotRequired[Conflict]
    """Both versions of the item, if it has changed since the client read it."""
    code: NotRequired[str]
    """`second_step_required` for a login that lacks a step, or the reason why a plugin refuses a login."""
    step: NotRequired[str]
    """The name of the step. After it, the client repeats the login with `code`."""
    stepToken: NotRequired[str]
    """A token with which the client does the step, if it needs one."""
    fields: NotRequired[list[Problem]]
    """The wrong fields, if there are some."""


class Event(TypedDict):
    """An event, as the public sees it."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    startDate: str
    """The time at which it starts."""
    endDate: str | None
    """The time at which it ends; null for an event without a known end."""
    allDay: bool
    """Whether it lasts whole days, that of its end included."""
    location: str | None
    """The place."""
    imageUrl: str | None
    """The address of its image."""
    image: StoredImage | None
    """The image at the address beside it; null for one that isn't stored here."""
    link: str | None
    """The address of a page about it, such as one for tickets."""
    content: str | None
    """The text itself, as HTML."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    tags: list[Tag]
    """Its tags, by name."""
    author: Author | None
    """The user who created it; null for one without a name to show."""
    updatedAt: str
    """The time since which the public sees it as it is."""
    related: NotRequired[list[EventRelated]]
    """Its related items, if they are included."""


class EventCreate(TypedDict):
    """An event to create, as a draft."""

    title: str
    """Its title, in one line."""
    slug: NotRequired[str | None]
    """Its part of an address, which is unique among the items of this type; null or blank in a body means one from the title."""
    description: NotRequired[str | None]
    """A short text for lists and previews."""
    lang: NotRequired[str | None]
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: NotRequired[str | None]
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: NotRequired[str | None]
    """The time from which the public no longer sees it; null for none."""
    startDate: str
    """The time at which it starts."""
    endDate: NotRequired[str | None]
    """The time at which it ends; null for an event without a known end."""
    location: NotRequired[str | None]
    """The place."""
    imageUrl: NotRequired[str | None]
    """The address of its image."""
    link: NotRequired[str | None]
    """The address of a page about it, such as one for tickets."""
    content: NotRequired[str | None]
    """The text itself, as HTML."""
    tagIds: NotRequired[list[int] | None]
    """The ids of its tags, which replace all earlier ones."""
    published: NotRequired[bool | None]
    """Whether the public sees it: false unpublishes it at once, and true needs an approved item. A new item is never published."""
    takeOver: NotRequired[bool | None]
    """Whether it may have the former slug of another item, which then no longer leads there."""


class EventLive(TypedDict):
    """The fields that the public sees."""

    title: str
    """Its title, in one line."""
    slug: str | None
    """Its part of an address, which is unique among the items of this type; null or blank in a body means one from the title."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: str | None
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: str | None
    """The time from which the public no longer sees it; null for none."""
    startDate: str
    """The time at which it starts."""
    endDate: str | None
    """The time at which it ends; null for an event without a known end."""
    location: str | None
    """The place."""
    imageUrl: str | None
    """The address of its image."""
    link: str | None
    """The address of a page about it, such as one for tickets."""
    content: str | None
    """The text itself, as HTML."""
    tagIds: list[int]
    """The ids of its tags."""


class EventRelated(TypedDict):
    """An event that is related to another one."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    startDate: str
    """The time at which it starts."""
    endDate: str | None
    """The time at which it ends; null for an event without a known end."""
    allDay: bool
    """Whether it lasts whole days, that of its end included."""
    location: str | None
    """The place."""
    imageUrl: str | None
    """The address of its image."""
    image: StoredImage | None
    """The image at the address beside it; null for one that isn't stored here."""
    link: str | None
    """The address of a page about it, such as one for tickets."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""


class EventStaff(TypedDict):
    """An event, as staff see it."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str | None
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: str | None
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: str | None
    """The time from which the public no longer sees it; null for none."""
    startDate: str
    """The time at which it starts."""
    endDate: str | None
    """The time at which it ends; null for an event without a known end."""
    location: str | None
    """The place."""
    imageUrl: str | None
    """The address of its image."""
    link: str | None
    """The address of a page about it, such as one for tickets."""
    content: str | None
    """The text itself, as HTML."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    published: bool
    """Whether it is published."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    approvalRequestedAt: str | None
    """The time of the last request."""
    approvalRequestedBy: int | None
    """The id of the user who requested it."""
    approvedAt: str | None
    """The time of the last approval."""
    approvedBy: int | None
    """The id of the user who approved it."""
    rejectedAt: str | None
    """The time of the last rejection."""
    rejectedBy: int | None
    """The id of the user who rejected it."""
    rejectionReason: str | None
    """The reason of the last rejection."""
    approvalComment: str | None
    """The comment of the last request or approval."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    createdBy: UserReference | None
    """The user who created it."""
    editedBy: UserReference | None
    """The user who made the last edit."""
    approvalRequestedByUser: UserReference | None
    """The user who requested the approval."""
    approvedByUser: UserReference | None
    """The user who approved it."""
    rejectedByUser: UserReference | None
    """The user who rejected it."""
    visibility: Literal["hidden", "scheduled", "visible", "expired"]
    """Whether the public sees it now: `hidden` is not published, `scheduled` and `expired` are published, but before or after their time."""
    tags: list[Tag]
    """Its tags, by name."""
    staged: bool
    """Whether it has an edit that the public doesn't see yet; the fields show that edit."""
    live: EventLive | None
    """The fields that the public sees while an edit waits; null without an edit."""


class EventStaffSaved(TypedDict):
    """An event, as staff see it. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str | None
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: str | None
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: str | None
    """The time from which the public no longer sees it; null for none."""
    startDate: str
    """The time at which it starts."""
    endDate: str | None
    """The time at which it ends; null for an event without a known end."""
    location: str | None
    """The place."""
    imageUrl: str | None
    """The address of its image."""
    link: str | None
    """The address of a page about it, such as one for tickets."""
    content: str | None
    """The text itself, as HTML."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    published: bool
    """Whether it is published."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    approvalRequestedAt: str | None
    """The time of the last request."""
    approvalRequestedBy: int | None
    """The id of the user who requested it."""
    approvedAt: str | None
    """The time of the last approval."""
    approvedBy: int | None
    """The id of the user who approved it."""
    rejectedAt: str | None
    """The time of the last rejection."""
    rejectedBy: int | None
    """The id of the user who rejected it."""
    rejectionReason: str | None
    """The reason of the last rejection."""
    approvalComment: str | None
    """The comment of the last request or approval."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    createdBy: UserReference | None
    """The user who created it."""
    editedBy: UserReference | None
    """The user who made the last edit."""
    approvalRequestedByUser: UserReference | None
    """The user who requested the approval."""
    approvedByUser: UserReference | None
    """The user who approved it."""
    rejectedByUser: UserReference | None
    """The user who rejected it."""
    visibility: Literal["hidden", "scheduled", "visible", "expired"]
    """Whether the public sees it now: `hidden` is not published, `scheduled` and `expired` are published, but before or after their time."""
    tags: list[Tag]
    """Its tags, by name."""
    staged: bool
    """Whether it has an edit that the public doesn't see yet; the fields show that edit."""
    live: EventLive | None
    """The fields that the public sees while an edit waits; null without an edit."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class EventStaffSummary(TypedDict):
    """An event, as staff see it in a list."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str | None
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: str | None
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: str | None
    """The time from which the public no longer sees it; null for none."""
    startDate: str
    """The time at which it starts."""
    endDate: str | None
    """The time at which it ends; null for an event without a known end."""
    location: str | None
    """The place."""
    imageUrl: str | None
    """The address of its image."""
    link: str | None
    """The address of a page about it, such as one for tickets."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    published: bool
    """Whether it is published."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    approvalRequestedAt: str | None
    """The time of the last request."""
    approvalRequestedBy: int | None
    """The id of the user who requested it."""
    approvedAt: str | None
    """The time of the last approval."""
    approvedBy: int | None
    """The id of the user who approved it."""
    rejectedAt: str | None
    """The time of the last rejection."""
    rejectedBy: int | None
    """The id of the user who rejected it."""
    rejectionReason: str | None
    """The reason of the last rejection."""
    approvalComment: str | None
    """The comment of the last request or approval."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    createdBy: UserReference | None
    """The user who created it."""
    editedBy: UserReference | None
    """The user who made the last edit."""
    approvalRequestedByUser: UserReference | None
    """The user who requested the approval."""
    approvedByUser: UserReference | None
    """The user who approved it."""
    rejectedByUser: UserReference | None
    """The user who rejected it."""
    visibility: Literal["hidden", "scheduled", "visible", "expired"]
    """Whether the public sees it now: `hidden` is not published, `scheduled` and `expired` are published, but before or after their time."""
    staged: bool
    """Whether it has an edit that the public doesn't see yet; the fields show that edit."""


class EventSummary(TypedDict):
    """An event in a list."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    startDate: str
    """The time at which it starts."""
    endDate: str | None
    """The time at which it ends; null for an event without a known end."""
    allDay: bool
    """Whether it lasts whole days, that of its end included."""
    location: str | None
    """The place."""
    imageUrl: str | None
    """The address of its image."""
    image: StoredImage | None
    """The image at the address beside it; null for one that isn't stored here."""
    link: str | None
    """The address of a page about it, such as one for tickets."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    tags: list[Tag]
    """Its tags, by name."""
    author: Author | None
    """The user who created it; null for one without a name to show."""
    updatedAt: str
    """The time since which the public sees it as it is."""
    content: NotRequired[str | None]
    """The text itself, as HTML."""
    related: NotRequired[list[EventRelated]]
    """Its related items, if they are included."""


class EventUpdate(TypedDict):
    """Changes of an event: a field that is left out stays as it is."""

    title: NotRequired[str]
    """Its title, in one line."""
    slug: NotRequired[str | None]
    """Its part of an address, which is unique among the items of this type; null or blank in a body means one from the title."""
    description: NotRequired[str | None]
    """A short text for lists and previews."""
    lang: NotRequired[str | None]
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: NotRequired[str | None]
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: NotRequired[str | None]
    """The time from which the public no longer sees it; null for none."""
    startDate: NotRequired[str]
    """The time at which it starts."""
    endDate: NotRequired[str | None]
    """The time at which it ends; null for an event without a known end."""
    location: NotRequired[str | None]
    """The place."""
    imageUrl: NotRequired[str | None]
    """The address of its image."""
    link: NotRequired[str | None]
    """The address of a page about it, such as one for tickets."""
    content: NotRequired[str | None]
    """The text itself, as HTML."""
    tagIds: NotRequired[list[int] | None]
    """The ids of its tags, which replace all earlier ones."""
    published: NotRequired[bool | None]
    """Whether the public sees it: false unpublishes it at once, and true needs an approved item. A new item is never published."""
    takeOver: NotRequired[bool | None]
    """Whether it may have the former slug of another item, which then no longer leads there."""
    stage: NotRequired[bool | None]
    """Whether an edit of a published item waits for approval even if the caller could make it live."""
    live: NotRequired[bool | dict[str, Any] | None]
    """Whether the edit goes live even if another edit waits for approval, which takes it over except for the fields that it has changed itself. Only for callers who could make an edit live. An object, such as that of an answer, is ignored."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class EventsListQuery(TypedDict):
    """The query parameters of `events.list`."""

    tag: NotRequired[str]
    """The slug of a tag of the items."""
    search: NotRequired[str]
    """Words that an item has to have, each at the start of a word of its text."""
    upcoming: NotRequired[bool]
    """Whether to leave out past items."""
    when: NotRequired[list[Literal["upcoming", "current", "past"]]]
    """Only the items that are in one of these states now."""
    from_: NotRequired[str]
    """Only the items that last at it or later."""
    to: NotRequired[str]
    """Only the items that start before it, or on it for a date without a time."""
    ids: NotRequired[list[int]]
    """Only the items with these ids; unknown ones are left out."""
    updatedSince: NotRequired[str]
    """Only the items whose `updatedAt` is this time or later."""
    sort: NotRequired[list[Literal["startDate", "-startDate", "title", "-title", "updatedAt", "-updatedAt", "id", "-id"]]]
    """The fields that the list is sorted by; a minus before one means descending."""
    fields: NotRequired[list[Literal["id", "title", "slug", "description", "lang", "startDate", "endDate", "allDay", "location", "imageUrl", "image", "link", "content", "dir", "tags", "author", "updatedAt", "related"]]]
    """The fields of the answer; others are left out, also required ones."""
    include: NotRequired[list[Literal["content", "related", "tags"]]]
    """Further fields of the answer."""
    html: NotRequired[Literal["absolute"]]
    """Whether the addresses in HTML are absolute; by default, some are paths."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class EventsRelatedQuery(TypedDict):
    """The query parameters of `events.related`."""

    limit: NotRequired[int]
    """The maximum number of items, 3 by default, at most 20."""
    fields: NotRequired[list[Literal["id", "title", "slug", "description", "lang", "startDate", "endDate", "allDay", "location", "imageUrl", "image", "link", "dir"]]]
    """The fields of the answer; others are left out, also required ones."""


class EventsShowQuery(TypedDict):
    """The query parameters of `events.show`."""

    fields: NotRequired[list[Literal["id", "title", "slug", "description", "lang", "startDate", "endDate", "allDay", "location", "imageUrl", "image", "link", "content", "dir", "tags", "author", "updatedAt", "related"]]]
    """The fields of the answer; others are left out, also required ones."""
    include: NotRequired[list[Literal["content", "related", "tags"]]]
    """Further fields of the answer."""
    html: NotRequired[Literal["absolute"]]
    """Whether the addresses in HTML are absolute; by default, some are paths."""


class FailedField(TypedDict):
    """A field because of which an item was left unchanged."""

    path: str
    """The wrong field: a member of the body such as `mission.content`, with the indexes of arrays from 0 such as `columns.3.field`, a query parameter, or a field of the form."""
    code: Literal["required", "invalid", "not_a_string", "not_an_integer", "not_a_number", "not_a_boolean", "not_an_array", "not_an_object", "not_an_option", "not_a_date", "not_a_date_time", "not_an_email", "not_an_address", "not_a_language", "not_a_time_zone", "not_an_image", "too_long", "too_short", "too_many", "too_few", "too_complex", "out_of_range", "forbidden_characters", "wrong_form", "wrong_password", "unknown_id", "unknown_name", "already_exists", "repeated", "conflicting", "not_allowed", "changed", "key_reused"]
    """The kind of problem, for programs. Later versions may add codes."""
    message: str
    """The problem, for humans."""


class FailedItem(TypedDict):
    """An item that an operation on many items has left unchanged."""

    id: int
    """The id of the item."""
    error: str
    """The reason, for humans."""
    fields: NotRequired[list[FailedField]]
    """The fields because of which it was left unchanged, if there are some."""


class FailedMove(TypedDict):
    """An item that a move of many items has left unchanged."""

    contentType: str
    """The content type of the item."""
    id: int
    """The id of the item."""
    error: str
    """The reason, for humans."""
    status: int
    """The status that the item alone would have been answered with."""
    code: str | None
    """The code of the reason, such as `changed`; often null."""
    fields: NotRequired[list[FailedField]]
    """The fields because of which it was left unchanged, if there are some."""


FailureNumbers = TypedDict(
    "FailureNumbers",
    {
        "recipient-gone": int,
        "mailbox-full": int,
        "content-refused": int,
        "sender-refused": int,
        "policy": int,
        "transient": int,
        "unknown": int,
    },
)


class FieldDifference(TypedDict):
    """A field that differs between two states of an item."""

    field: str
    """The name of the field."""
    kind: Literal["html", "text", "image", "reference", "value"]
    """The form: `html` and `text` have the differences in `html`, `image` has addresses with their alternative texts, `reference` ids with names."""
    before: Any
    """The value before; null for `html` and `text`."""
    after: Any
    """The value after; null for `html` and `text`."""
    html: str | None
    """Both texts as one, safe to show: former words in `<del>`, new ones in `<ins>`. Null for other kinds, and for texts that are too different."""
    markup: bool
    """Whether formatting or links of HTML differ, which no mark shows."""
    tooDifferent: bool
    """Whether the texts are too different to be compared by words."""


class Figure(TypedDict):
    """A number that a monitor watches."""

    name: str
    """The name of the figure."""
    labels: dict[str, Any]
    """The values of the labels of the figure."""
    value: int
    """The value."""


class FileUpload(TypedDict):
    """A form with one file."""

    file: bytes
    """The file."""


class FollowUp(TypedDict):
    """A reminder to contact somebody."""

    id: int
    """The id of the follow-up."""
    contactId: int
    """The id of the contact."""
    contactName: str
    """The name of the contact."""
    ruleName: str
    """The name of the rule that made it."""
    dueDate: str
    """The time at which it is due."""
    catchupType: str
    """The kind of the follow-up."""


class FollowUpDashboard(TypedDict):
    """The follow-ups of all contacts."""

    pending: list[FollowUp]
    """Those that are due later."""
    overdue: list[FollowUp]
    """Those that are due by now."""
    completed: list[FollowUp]
    """The last 100 that were completed, newest first."""


class FollowUpRule(TypedDict):
    """A follow-up rule."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name, which is unique."""
    triggerStageId: int
    """The id of the stage that triggers it."""
    daysAfter: int
    """The days between reaching the stage and the follow-up."""
    catchupType: str
    """The kind of the follow-up; an interaction of this kind completes it."""
    emailTemplateId: int | None
    """The id of the template of the mail that is sent when it is due; null for no mail."""
    active: bool
    """Whether it makes new follow-ups."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""


class FollowUpRuleCreate(TypedDict):
    """A follow-up rule to create."""

    name: str
    """The name, which is unique."""
    triggerStageId: int
    """The id of the stage that triggers it."""
    daysAfter: int
    """The days between reaching the stage and the follow-up."""
    catchupType: str
    """The kind of the follow-up; an interaction of this kind completes it."""
    emailTemplateId: NotRequired[int | None]
    """The id of the template of the mail that is sent when it is due; null for no mail."""
    active: NotRequired[bool | None]
    """Whether it makes new follow-ups."""


class FollowUpRuleSaved(TypedDict):
    """A follow-up rule. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name, which is unique."""
    triggerStageId: int
    """The id of the stage that triggers it."""
    daysAfter: int
    """The days between reaching the stage and the follow-up."""
    catchupType: str
    """The kind of the follow-up; an interaction of this kind completes it."""
    emailTemplateId: int | None
    """The id of the template of the mail that is sent when it is due; null for no mail."""
    active: bool
    """Whether it makes new follow-ups."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class FollowUpRuleUpdate(TypedDict):
    """Changes of a follow-up rule: a field that is left out stays as it is."""

    name: NotRequired[str]
    """The name, which is unique."""
    triggerStageId: NotRequired[int]
    """The id of the stage that triggers it."""
    daysAfter: NotRequired[int]
    """The days between reaching the stage and the follow-up."""
    catchupType: NotRequired[str]
    """The kind of the follow-up; an interaction of this kind completes it."""
    emailTemplateId: NotRequired[int | None]
    """The id of the template of the mail that is sent when it is due; null for no mail."""
    active: NotRequired[bool | None]
    """Whether it makes new follow-ups."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class Health(TypedDict):
    """The process answers."""

    status: Literal["ok"]
    """The state of the process."""


class IgnoredRow(TypedDict):
    """A row that is no part of the table."""

    row: int
    """The line, from 1."""
    text: str
    """The text of the row."""


class Image(TypedDict):
    """An image of the library."""

    url: str
    """The address of the image, for fields such as `imageUrl`."""
    key: str
    """Its key in the storage."""
    filename: str
    """The name of the uploaded file."""
    size: int
    """The size of the stored file in bytes."""
    uploadedAt: str
    """The time of the upload."""
    contentType: str
    """The media type."""
    width: int
    """The width in pixels."""
    height: int
    """The height in pixels."""
    altText: str | None
    """The description for readers who can't see it."""
    originalName: str | None
    """The file name of the upload."""


class ImageSubmission(TypedDict):
    """The fields of a visitor's upload."""

    website: NotRequired[str | None]
    """Has to be blank: spam programs fill it in."""
    file: bytes
    """The file."""


class ImageUpdate(TypedDict):
    """Changes of an image."""

    altText: NotRequired[str | None]
    """The description for readers who can't see it."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class ImagesShowQuery(TypedDict):
    """The query parameters of `images.show`."""

    w: NotRequired[int]
    """The width of a smaller version, one of the setting `masthead.media.widths`."""


class ImagesSubmitForm(TypedDict):
    """The fields of `images.submit`."""

    website: NotRequired[str | None]
    """Has to be blank: spam programs fill it in."""


class ImportMapping(TypedDict):
    """An import mapping."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name, which is unique."""
    columns: list[MappedColumn]
    """The columns of the file and their fields."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""


class ImportMappingCreate(TypedDict):
    """An import mapping to create."""

    name: str
    """The name, which is unique."""
    columns: list[MappedColumnInput]
    """The columns of the file and their fields."""


class ImportMappingSaved(TypedDict):
    """An import mapping. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name, which is unique."""
    columns: list[MappedColumn]
    """The columns of the file and their fields."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class ImportMappingUpdate(TypedDict):
    """Changes of an import mapping: a field that is left out stays as it is."""

    name: NotRequired[str]
    """The name, which is unique."""
    columns: NotRequired[list[MappedColumnInput]]
    """The columns of the file and their fields."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class Job(TypedDict):
    """A background job."""

    name: str
    """The name of the job."""
    everySeconds: int
    """The seconds between two runs."""
    lastRun: str | None
    """The time of the last run."""
    nextRun: str | None
    """The time of the next run, at the latest."""
    runs: int
    """The number of runs."""
    failures: int
    """The number of failures since the last success."""
    lastError: str | None
    """The error of the last failure."""
    running: bool
    """Whether it runs now."""


class LeftOut(TypedDict):
    """The numbers of those who get no mail."""

    suppressed: int
    """Those with the reason or state `suppressed`."""
    paused: int
    """Those with the reason or state `paused`."""


class LiveEventsStreamQuery(TypedDict):
    """The query parameters of `live-events.stream`."""

    watch: NotRequired[str]
    """Items to follow, as types and ids with commas between them."""
    types: NotRequired[str]
    """Content types to follow, with commas between them."""
    lastEventId: NotRequired[str]
    """The id of the last event, as a browser may not send the header to other origins."""


class LoggedIn(TypedDict):
    """A token and its user."""

    token: str
    """The token for the header Authorization, valid for some days."""
    expiresAt: str
    """The time at which the token expires."""
    user: SignedInUser
    """The user of the token."""


class Login(TypedDict):
    """The credentials of a user."""

    username: str
    """The username, or the e-mail address."""
    password: str
    """The password."""
    code: NotRequired[str | None]
    """The code of the second step, if the answer to the login without it asks for one."""


class MailSent(TypedDict):
    """The mail is on its way."""

    success: bool
    """Always true; an error has another answer."""
    sentTo: int
    """The number of recipients."""
    leftOut: LeftOut
    """The subscribers who get no mail."""


class MappedColumn(TypedDict):
    """A column of a file, and the field that it becomes."""

    column: str
    """The name of the column in the file."""
    field: Literal["name", "email", "phone", "status", "tags", "notes"] | None
    """The field that it becomes; null to leave it out."""


class MappedColumnInput(TypedDict):
    """A column of a file, and the field that it becomes."""

    column: str
    """The name of the column in the file."""
    field: Literal["name", "email", "phone", "status", "tags", "notes"] | None
    """The field that it becomes; null to leave it out."""


class MarkedAsRead(TypedDict):
    """The notifications are read."""

    success: bool
    """Always true; an error has another answer."""
    marked: int
    """The number of notifications that were unread."""


class MovedTo(TypedDict):
    """The present address of an item."""

    slug: str
    """Its present slug."""
    path: str
    """Its path on the website."""
    url: str
    """Its address on the website."""


class NavigationEntry(TypedDict):
    """An entry of the navigation, as staff see it."""

    id: str
    """The id of the entry."""
    label: str
    """The text of the entry."""
    path: str | None
    """The path or address; null for a folder. A custom page has its slug."""
    isCustom: bool
    """Whether it leads to a custom page."""
    customPageId: int | None
    """The id of the custom page."""
    isFolder: bool
    """Whether it is a folder."""
    order: int
    """Its place in its folder, which begins with the smallest number."""
    hidden: bool
    """Whether visitors don't see it."""
    parentId: str | None
    """The id of its folder; null at the top."""


class NavigationEntryUpdate(TypedDict):
    """An entry to create, or changes of one."""

    label: NotRequired[str | None]
    """The text of the entry."""
    isFolder: NotRequired[bool | None]
    """Whether it is a folder."""
    customPageId: NotRequired[int | None]
    """The id of the custom page."""
    path: NotRequired[str | None]
    """The path or address of a link."""
    parentId: NotRequired[int | str | None]
    """The id of its folder, or its number; null moves it to the top."""
    order: NotRequired[int | None]
    """Its place in its folder, which begins with the smallest number."""
    hidden: NotRequired[bool | None]
    """Whether visitors don't see it."""


class NavigationEntryUpdateInput(TypedDict):
    """An entry to create, or changes of one."""

    label: NotRequired[str | None]
    """The text of the entry."""
    isFolder: NotRequired[bool | None]
    """Whether it is a folder."""
    customPageId: NotRequired[int | None]
    """The id of the custom page."""
    path: NotRequired[str | None]
    """The path or address of a link."""
    parentId: NotRequired[int | str | None]
    """The id of its folder, or its number; null moves it to the top."""
    order: NotRequired[int | None]
    """Its place in its folder, which begins with the smallest number."""
    hidden: NotRequired[bool | None]
    """Whether visitors don't see it."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class NavigationItem(TypedDict):
    """An entry for visitors."""

    id: str
    """The id of the entry."""
    label: str
    """The text of the entry."""
    path: str | None
    """The path or address; null for a folder. A custom page has its slug."""
    isCustom: bool
    """Whether it leads to a custom page."""
    customPageId: NotRequired[int]
    """The id of the custom page."""
    order: int
    """Its place in its folder, which begins with the smallest number."""
    isFolder: NotRequired[bool]
    """Whether it is a folder."""
    children: NotRequired[list[NavigationItem]]
    """The entries of the folder."""


class NavigationListQuery(TypedDict):
    """The query parameters of `navigation.list`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class NewApiToken(TypedDict):
    """A new API token."""

    name: str
    """The name, which the history and the audit log show beside the user."""
    permissions: list[str]
    """The permissions that the token has as long as the user has them. Each has to be one of your own."""
    approves: NotRequired[list[str] | None]
    """The content types that the token may approve as long as the user may. By default none."""
    expiresAt: str
    """The time from which it is invalid, at most `masthead.apitokens.max_days` ahead."""


class NewPreviewLink(TypedDict):
    """The options of a new preview link."""

    hours: NotRequired[int]
    """The number of hours for which the link is valid; by default `masthead.preview.hours`, at most `masthead.preview.max_hours`."""
    once: NotRequired[bool]
    """Whether the link opens the preview a single time. By default it does not."""
    endOnChange: NotRequired[bool]
    """Whether the link ends as soon as anybody changes the item. By default it does not."""
    note: NotRequired[str | None]
    """A note for staff, such as the name of the person who gets the link."""


class NewSingleSignOnLink(TypedDict):
    """A person at the provider, who becomes a user."""

    userId: int
    """The id of the user."""
    subject: str
    """The provider's name of the person, the claim `sub`."""
    issuer: NotRequired[str]
    """The provider; by default the first one of the settings."""


class NewsArticle(TypedDict):
    """A news article, as the public sees it."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    category: str | None
    """The section that it belongs to."""
    imageUrl: str | None
    """The address of its image."""
    image: StoredImage | None
    """The image at the address beside it; null for one that isn't stored here."""
    publishedAt: str
    """The date that readers see; by default the time of its first publishing."""
    content: str | None
    """The text itself, as HTML."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    tags: list[Tag]
    """Its tags, by name."""
    author: Author | None
    """The user who created it; null for one without a name to show."""
    updatedAt: str
    """The time since which the public sees it as it is."""
    related: NotRequired[list[NewsArticleRelated]]
    """Its related items, if they are included."""


class NewsArticleCreate(TypedDict):
    """A news article to create, as a draft."""

    title: str
    """Its title, in one line."""
    slug: NotRequired[str | None]
    """Its part of an address, which is unique among the items of this type; null or blank in a body means one from the title."""
    description: NotRequired[str | None]
    """A short text for lists and previews."""
    lang: NotRequired[str | None]
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: NotRequired[str | None]
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: NotRequired[str | None]
    """The time from which the public no longer sees it; null for none."""
    category: NotRequired[str | None]
    """The section that it belongs to."""
    imageUrl: NotRequired[str | None]
    """The address of its image."""
    publishedAt: NotRequired[str | None]
    """The date that readers see; by default the time of its first publishing."""
    content: NotRequired[str | None]
    """The text itself, as HTML."""
    tagIds: NotRequired[list[int] | None]
    """The ids of its tags, which replace all earlier ones."""
    published: NotRequired[bool | None]
    """Whether the public sees it: false unpublishes it at once, and true needs an approved item. A new item is never published."""
    takeOver: NotRequired[bool | None]
    """Whether it may have the former slug of another item, which then no longer leads there."""


class NewsArticleLive(TypedDict):
    """The fields that the public sees."""

    title: str
    """Its title, in one line."""
    slug: str | None
    """Its part of an address, which is unique among the items of this type; null or blank in a body means one from the title."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: str | None
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: str | None
    """The time from which the public no longer sees it; null for none."""
    category: str | None
    """The section that it belongs to."""
    imageUrl: str | None
    """The address of its image."""
    publishedAt: str | None
    """The date that readers see; by default the time of its first publishing."""
    content: str | None
    """The text itself, as HTML."""
    tagIds: list[int]
    """The ids of its tags."""


class NewsArticleRelated(TypedDict):
    """A news article that is related to another one."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    category: str | None
    """The section that it belongs to."""
    imageUrl: str | None
    """The address of its image."""
    image: StoredImage | None
    """The image at the address beside it; null for one that isn't stored here."""
    publishedAt: str
    """The date that readers see; by default the time of its first publishing."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""


class NewsArticleStaff(TypedDict):
    """A news article, as staff see it."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str | None
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: str | None
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: str | None
    """The time from which the public no longer sees it; null for none."""
    category: str | None
    """The section that it belongs to."""
    imageUrl: str | None
    """The address of its image."""
    publishedAt: str | None
    """The date that readers see; by default the time of its first publishing."""
    content: str | None
    """The text itself, as HTML."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    published: bool
    """Whether it is published."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    approvalRequestedAt: str | None
    """The time of the last request."""
    approvalRequestedBy: int | None
    """The id of the user who requested it."""
    approvedAt: str | None
    """The time of the last approval."""
    approvedBy: int | None
    """The id of the user who approved it."""
    rejectedAt: str | None
    """The time of the last rejection."""
    rejectedBy: int | None
    """The id of the user who rejected it."""
    rejectionReason: str | None
    """The reason of the last rejection."""
    approvalComment: str | None
    """The comment of the last request or approval."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    createdBy: UserReference | None
    """The user who created it."""
    editedBy: UserReference | None
    """The user who made the last edit."""
    approvalRequestedByUser: UserReference | None
    """The user who requested the approval."""
    approvedByUser: UserReference | None
    """The user who approved it."""
    rejectedByUser: UserReference | None
    """The user who rejected it."""
    visibility: Literal["hidden", "scheduled", "visible", "expired"]
    """Whether the public sees it now: `hidden` is not published, `scheduled` and `expired` are published, but before or after their time."""
    tags: list[Tag]
    """Its tags, by name."""
    staged: bool
    """Whether it has an edit that the public doesn't see yet; the fields show that edit."""
    live: NewsArticleLive | None
    """The fields that the public sees while an edit waits; null without an edit."""


class NewsArticleStaffSaved(TypedDict):
    """A news article, as staff see it. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str | None
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: str | None
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: str | None
    """The time from which the public no longer sees it; null for none."""
    category: str | None
    """The section that it belongs to."""
    imageUrl: str | None
    """The address of its image."""
    publishedAt: str | None
    """The date that readers see; by default the time of its first publishing."""
    content: str | None
    """The text itself, as HTML."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    published: bool
    """Whether it is published."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    approvalRequestedAt: str | None
    """The time of the last request."""
    approvalRequestedBy: int | None
    """The id of the user who requested it."""
    approvedAt: str | None
    """The time of the last approval."""
    approvedBy: int | None
    """The id of the user who approved it."""
    rejectedAt: str | None
    """The time of the last rejection."""
    rejectedBy: int | None
    """The id of the user who rejected it."""
    rejectionReason: str | None
    """The reason of the last rejection."""
    approvalComment: str | None
    """The comment of the last request or approval."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    createdBy: UserReference | None
    """The user who created it."""
    editedBy: UserReference | None
    """The user who made the last edit."""
    approvalRequestedByUser: UserReference | None
    """The user who requested the approval."""
    approvedByUser: UserReference | None
    """The user who approved it."""
    rejectedByUser: UserReference | None
    """The user who rejected it."""
    visibility: Literal["hidden", "scheduled", "visible", "expired"]
    """Whether the public sees it now: `hidden` is not published, `scheduled` and `expired` are published, but before or after their time."""
    tags: list[Tag]
    """Its tags, by name."""
    staged: bool
    """Whether it has an edit that the public doesn't see yet; the fields show that edit."""
    live: NewsArticleLive | None
    """The fields that the public sees while an edit waits; null without an edit."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class NewsArticleStaffSummary(TypedDict):
    """A news article, as staff see it in a list."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str | None
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: str | None
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: str | None
    """The time from which the public no longer sees it; null for none."""
    category: str | None
    """The section that it belongs to."""
    imageUrl: str | None
    """The address of its image."""
    publishedAt: str | None
    """The date that readers see; by default the time of its first publishing."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    published: bool
    """Whether it is published."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    approvalRequestedAt: str | None
    """The time of the last request."""
    approvalRequestedBy: int | None
    """The id of the user who requested it."""
    approvedAt: str | None
    """The time of the last approval."""
    approvedBy: int | None
    """The id of the user who approved it."""
    rejectedAt: str | None
    """The time of the last rejection."""
    rejectedBy: int | None
    """The id of the user who rejected it."""
    rejectionReason: str | None
    """The reason of the last rejection."""
    approvalComment: str | None
    """The comment of the last request or approval."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    createdBy: UserReference | None
    """The user who created it."""
    editedBy: UserReference | None
    """The user who made the last edit."""
    approvalRequestedByUser: UserReference | None
    """The user who requested the approval."""
    approvedByUser: UserReference | None
    """The user who approved it."""
    rejectedByUser: UserReference | None
    """The user who rejected it."""
    visibility: Literal["hidden", "scheduled", "visible", "expired"]
    """Whether the public sees it now: `hidden` is not published, `scheduled` and `expired` are published, but before or after their time."""
    staged: bool
    """Whether it has an edit that the public doesn't see yet; the fields show that edit."""


class NewsArticleSummary(TypedDict):
    """A news article in a list."""

    id: int
    """Its id, which never changes."""
    title: str
    """Its title, in one line."""
    slug: str
    """Its part of an address, which is unique among the items of this type."""
    description: str | None
    """A short text for lists and previews."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    category: str | None
    """The section that it belongs to."""
    imageUrl: str | None
    """The address of its image."""
    image: StoredImage | None
    """The image at the address beside it; null for one that isn't stored here."""
    publishedAt: str
    """The date that readers see; by default the time of its first publishing."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    tags: list[Tag]
    """Its tags, by name."""
    author: Author | None
    """The user who created it; null for one without a name to show."""
    updatedAt: str
    """The time since which the public sees it as it is."""
    content: NotRequired[str | None]
    """The text itself, as HTML."""
    related: NotRequired[list[NewsArticleRelated]]
    """Its related items, if they are included."""


class NewsArticleUpdate(TypedDict):
    """Changes of a news article: a field that is left out stays as it is."""

    title: NotRequired[str]
    """Its title, in one line."""
    slug: NotRequired[str | None]
    """Its part of an address, which is unique among the items of this type; null or blank in a body means one from the title."""
    description: NotRequired[str | None]
    """A short text for lists and previews."""
    lang: NotRequired[str | None]
    """The tag of its language; null means that of the organisation."""
    scheduledPublishAt: NotRequired[str | None]
    """The time from which the public sees it, or at which a staged edit goes live."""
    scheduledUnpublishAt: NotRequired[str | None]
    """The time from which the public no longer sees it; null for none."""
    category: NotRequired[str | None]
    """The section that it belongs to."""
    imageUrl: NotRequired[str | None]
    """The address of its image."""
    publishedAt: NotRequired[str | None]
    """The date that readers see; by default the time of its first publishing."""
    content: NotRequired[str | None]
    """The text itself, as HTML."""
    tagIds: NotRequired[list[int] | None]
    """The ids of its tags, which replace all earlier ones."""
    published: NotRequired[bool | None]
    """Whether the public sees it: false unpublishes it at once, and true needs an approved item. A new item is never published."""
    takeOver: NotRequired[bool | None]
    """Whether it may have the former slug of another item, which then no longer leads there."""
    stage: NotRequired[bool | None]
    """Whether an edit of a published item waits for approval even if the caller could make it live."""
    live: NotRequired[bool | dict[str, Any] | None]
    """Whether the edit goes live even if another edit waits for approval, which takes it over except for the fields that it has changed itself. Only for callers who could make an edit live. An object, such as that of an answer, is ignored."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class NewsListQuery(TypedDict):
    """The query parameters of `news.list`."""

    tag: NotRequired[str]
    """The slug of a tag of the items."""
    search: NotRequired[str]
    """Words that an item has to have, each at the start of a word of its text."""
    ids: NotRequired[list[int]]
    """Only the items with these ids; unknown ones are left out."""
    updatedSince: NotRequired[str]
    """Only the items whose `updatedAt` is this time or later."""
    sort: NotRequired[list[Literal["publishedAt", "-publishedAt", "title", "-title", "updatedAt", "-updatedAt", "id", "-id"]]]
    """The fields that the list is sorted by; a minus before one means descending."""
    fields: NotRequired[list[Literal["id", "title", "slug", "description", "lang", "category", "imageUrl", "image", "publishedAt", "content", "dir", "tags", "author", "updatedAt", "related"]]]
    """The fields of the answer; others are left out, also required ones."""
    include: NotRequired[list[Literal["content", "related", "tags"]]]
    """Further fields of the answer."""
    html: NotRequired[Literal["absolute"]]
    """Whether the addresses in HTML are absolute; by default, some are paths."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class NewsRelatedQuery(TypedDict):
    """The query parameters of `news.related`."""

    limit: NotRequired[int]
    """The maximum number of items, 3 by default, at most 20."""
    fields: NotRequired[list[Literal["id", "title", "slug", "description", "lang", "category", "imageUrl", "image", "publishedAt", "dir"]]]
    """The fields of the answer; others are left out, also required ones."""


class NewsShowQuery(TypedDict):
    """The query parameters of `news.show`."""

    fields: NotRequired[list[Literal["id", "title", "slug", "description", "lang", "category", "imageUrl", "image", "publishedAt", "content", "dir", "tags", "author", "updatedAt", "related"]]]
    """The fields of the answer; others are left out, also required ones."""
    include: NotRequired[list[Literal["content", "related", "tags"]]]
    """Further fields of the answer."""
    html: NotRequired[Literal["absolute"]]
    """Whether the addresses in HTML are absolute; by default, some are paths."""


class Newsletter(TypedDict):
    """A newsletter."""

    id: int
    """Its id, which never changes."""
    title: str
    """The title for editors."""
    subject: str
    """The subject, with placeholders such as `{{name}}`."""
    html_content: str
    """The text as HTML, with placeholders such as `{{name}}`."""
    text_content: str | None
    """The text without HTML; by default it is made from the HTML."""
    language: str | None
    """The tag of its language; null for that of the organisation."""
    mjml_content: str | None
    """The text as MJML, which becomes the HTML."""
    public: bool
    """Whether everybody may read it in the archive, once it is sent."""
    audience_topics: list[str] | None
    """Topics of which a recipient has at least one; null for all subscribers."""
    audience_sources: list[str] | None
    """The sources of recipients; null for all."""
    audience_languages: list[str] | None
    """The languages of recipients; null for all."""
    audience_since: str | None
    """The time since which recipients have been subscribers; null for any time."""
    audience_engaged_since: str | None
    """The time since which recipients have followed a link; null for all."""
    audience_idle_since: str | None
    """The time since which recipients have followed no link; null for all."""
    audience_fields: dict[str, Any] | None
    """Values of fields by name: a recipient has one of the values of each; null for all."""
    notes: str | None
    """Remarks of staff, which no recipient sees."""
    scheduled_send_at: str | None
    """The time at which it is to be sent; null for none."""
    status: Literal["draft", "scheduled", "sent"]
    """The state of the sending."""
    sent_at: str | None
    """The time at which it was sent."""
    published: bool
    """Whether it is approved."""
    staged: bool
    """Whether an approved one has an edit that waits for approval."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    approval_requested_at: str | None
    """The time of the last request."""
    approval_requested_by: int | None
    """The id of the user who requested it."""
    approved_at: str | None
    """The time of the last approval."""
    approved_by: int | None
    """The id of the user who approved it."""
    rejected_at: str | None
    """The time of the last rejection."""
    rejected_by: int | None
    """The id of the user who rejected it."""
    rejection_reason: str | None
    """The reason of the last rejection."""
    approval_comment: str | None
    """The comment of the last request or approval."""
    approval_requested_by_user: UserReference | None
    """The user who requested the approval."""
    approved_by_user: UserReference | None
    """The user who approved it."""
    rejected_by_user: UserReference | None
    """The user who rejected it."""
    created_by: UserReference | None
    """The user who created it."""
    edited_by: UserReference | None
    """The user who made the last edit."""
    created_at: str
    """The time of its creation."""
    updated_at: str
    """The time of its last change."""


class NewsletterAudience(TypedDict):
    """The size of the audience."""

    count: int
    """The number of subscribers who would get it now."""


class NewsletterCreate(TypedDict):
    """A newsletter to create."""

    title: str
    """The title for editors."""
    subject: str
    """The subject, with placeholders such as `{{name}}`."""
    html_content: NotRequired[str]
    """The text as HTML, with placeholders such as `{{name}}`."""
    text_content: NotRequired[str | None]
    """The text without HTML; by default it is made from the HTML."""
    language: NotRequired[str | None]
    """The tag of its language; null for that of the organisation."""
    mjml_content: NotRequired[str | None]
    """The text as MJML, which becomes the HTML."""
    public: NotRequired[bool | None]
    """Whether everybody may read it in the archive, once it is sent."""
    audience_topics: NotRequired[list[str] | None]
    """Topics of which a recipient has at least one; null for all subscribers."""
    audience_sources: NotRequired[list[str] | None]
    """The sources of recipients; null for all."""
    audience_languages: NotRequired[list[str] | None]
    """The languages of recipients; null for all."""
    audience_since: NotRequired[str | None]
    """The time since which recipients have been subscribers; null for any time."""
    audience_engaged_since: NotRequired[str | None]
    """The time since which recipients have followed a link; null for all."""
    audience_idle_since: NotRequired[str | None]
    """The time since which recipients have followed no link; null for all."""
    audience_fields: NotRequired[dict[str, Any] | None]
    """Values of fields by name: a recipient has one of the values of each; null for all."""
    notes: NotRequired[str | None]
    """Remarks of staff, which no recipient sees."""
    scheduled_send_at: NotRequired[str | None]
    """The time at which it is to be sent; null for none."""


class NewsletterSaved(TypedDict):
    """A newsletter. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    title: str
    """The title for editors."""
    subject: str
    """The subject, with placeholders such as `{{name}}`."""
    html_content: str
    """The text as HTML, with placeholders such as `{{name}}`."""
    text_content: str | None
    """The text without HTML; by default it is made from the HTML."""
    language: str | None
    """The tag of its language; null for that of the organisation."""
    mjml_content: str | None
    """The text as MJML, which becomes the HTML."""
    public: bool
    """Whether everybody may read it in the archive, once it is sent."""
    audience_topics: list[str] | None
    """Topics of which a recipient has at least one; null for all subscribers."""
    audience_sources: list[str] | None
    """The sources of recipients; null for all."""
    audience_languages: list[str] | None
    """The languages of recipients; null for all."""
    audience_since: str | None
    """The time since which recipients have been subscribers; null for any time."""
    audience_engaged_since: str | None
    """The time since which recipients have followed a link; null for all."""
    audience_idle_since: str | None
    """The time since which recipients have followed no link; null for all."""
    audience_fields: dict[str, Any] | None
    """Values of fields by name: a recipient has one of the values of each; null for all."""
    notes: str | None
    """Remarks of staff, which no recipient sees."""
    scheduled_send_at: str | None
    """The time at which it is to be sent; null for none."""
    status: Literal["draft", "scheduled", "sent"]
    """The state of the sending."""
    sent_at: str | None
    """The time at which it was sent."""
    published: bool
    """Whether it is approved."""
    staged: bool
    """Whether an approved one has an edit that waits for approval."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    approval_requested_at: str | None
    """The time of the last request."""
    approval_requested_by: int | None
    """The id of the user who requested it."""
    approved_at: str | None
    """The time of the last approval."""
    approved_by: int | None
    """The id of the user who approved it."""
    rejected_at: str | None
    """The time of the last rejection."""
    rejected_by: int | None
    """The id of the user who rejected it."""
    rejection_reason: str | None
    """The reason of the last rejection."""
    approval_comment: str | None
    """The comment of the last request or approval."""
    approval_requested_by_user: UserReference | None
    """The user who requested the approval."""
    approved_by_user: UserReference | None
    """The user who approved it."""
    rejected_by_user: UserReference | None
    """The user who rejected it."""
    created_by: UserReference | None
    """The user who created it."""
    edited_by: UserReference | None
    """The user who made the last edit."""
    created_at: str
    """The time of its creation."""
    updated_at: str
    """The time of its last change."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class NewsletterSchedule(TypedDict):
    """The time of a newsletter."""

    scheduled_send_at: str | None
    """The time at which it is to be sent; null makes it a draft again."""


class NewsletterTest(TypedDict):
    """The recipient of a test."""

    email: str
    """The address that gets the test."""


class NewsletterTested(TypedDict):
    """The test was sent."""

    success: bool
    """Always true; an error has another answer."""
    mistakes: list[str]
    """Mistakes in the letter, for humans."""


class NewsletterUpdate(TypedDict):
    """Changes of a newsletter: a field that is left out stays as it is."""

    title: NotRequired[str]
    """The title for editors."""
    subject: NotRequired[str]
    """The subject, with placeholders such as `{{name}}`."""
    html_content: NotRequired[str]
    """The text as HTML, with placeholders such as `{{name}}`."""
    text_content: NotRequired[str | None]
    """The text without HTML; by default it is made from the HTML."""
    language: NotRequired[str | None]
    """The tag of its language; null for that of the organisation."""
    mjml_content: NotRequired[str | None]
    """The text as MJML, which becomes the HTML."""
    public: NotRequired[bool | None]
    """Whether everybody may read it in the archive, once it is sent."""
    audience_topics: NotRequired[list[str] | None]
    """Topics of which a recipient has at least one; null for all subscribers."""
    audience_sources: NotRequired[list[str] | None]
    """The sources of recipients; null for all."""
    audience_languages: NotRequired[list[str] | None]
    """The languages of recipients; null for all."""
    audience_since: NotRequired[str | None]
    """The time since which recipients have been subscribers; null for any time."""
    audience_engaged_since: NotRequired[str | None]
    """The time since which recipients have followed a link; null for all."""
    audience_idle_since: NotRequired[str | None]
    """The time since which recipients have followed no link; null for all."""
    audience_fields: NotRequired[dict[str, Any] | None]
    """Values of fields by name: a recipient has one of the values of each; null for all."""
    notes: NotRequired[str | None]
    """Remarks of staff, which no recipient sees."""
    scheduled_send_at: NotRequired[str | None]
    """The time at which it is to be sent; null for none."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class NewslettersListQuery(TypedDict):
    """The query parameters of `newsletters.list`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class NotRetried(TypedDict):
    """The numbers of deliveries that stay."""

    suppressed: int
    """Those with the reason or state `suppressed`."""
    unsubscribed: int
    """Those with the reason or state `unsubscribed`."""
    paused: int
    """Those with the reason or state `paused`."""
    erased: int
    """Those with the reason or state `erased`."""


class Notification(TypedDict):
    """A message of Masthead to the caller."""

    id: int
    """The id of the notification."""
    type: Literal["approval_request", "approval_approved", "approval_rejected", "approval_returned", "system"]
    """The event that it reports."""
    title: str
    """A short text."""
    message: str
    """The whole text."""
    contentType: str | None
    """The content type of the item that it is about; null for none."""
    contentId: int | None
    """The id of the item that it is about; null for none."""
    item: NotificationItem | None
    """The item that it is about; null for none."""
    read: bool
    """Whether it was read."""
    createdAt: str
    """The time of the event."""
    readAt: str | None
    """The time at which it was read."""


class NotificationItem(TypedDict):
    """The item that a notification is about."""

    contentType: str
    """Its content type."""
    id: int
    """Its id."""
    title: str | None
    """Its title; null if the reader may not see it."""
    path: str | None
    """The path of the endpoint that shows it to staff."""


class NotificationsListQuery(TypedDict):
    """The query parameters of `notifications.list`."""

    unreadOnly: NotRequired[bool]
    """Whether to leave out what was read."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class OidcListLinksQuery(TypedDict):
    """The query parameters of `oidc.list_links`."""

    userId: NotRequired[int]
    """The id of the user."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class OidcListOwnLinksQuery(TypedDict):
    """The query parameters of `oidc.list_own_links`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class OpenedPreview(TypedDict):
    """An item as the public would see it after its approval."""

    type: str
    """The name of its content type or resource."""
    expiresAt: str
    """The time from which the link is invalid."""
    item: Any
    """The item as the public endpoint for one item of its type would answer it."""


class OrganisationDefaults(TypedDict):
    """The facts that settings give."""

    name: str
    """The name of the organisation."""
    language: str
    """The language of its texts."""
    timeZone: str
    """The time zone in which it shows times."""


class OrganisationUpdate(TypedDict):
    """Changed facts about the organisation."""

    name: NotRequired[str | None]
    """The name of the organisation."""
    tagline: NotRequired[str | None]
    """A short line below the name."""
    description: NotRequired[str | None]
    """A short text about it."""
    language: NotRequired[str | None]
    """The language of its texts."""
    timeZone: NotRequired[str | None]
    """The time zone in which it shows times."""
    social: NotRequired[list[SocialLinkInput] | None]
    """Links to it elsewhere."""
    email: NotRequired[str | None]
    """Its e-mail address for visitors."""
    phone: NotRequired[str | None]
    """Its telephone number for visitors."""
    address: NotRequired[str | None]
    """Its postal address."""
    footer: NotRequired[str | None]
    """The text at the end of each page."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class OtherPresence(TypedDict):
    """Another user who has the item open."""

    user: UserReference
    """The user who has it open."""
    since: str
    """The time since which it is open."""
    editing: bool
    """Whether the user is changing it."""


class OwnPresence(TypedDict):
    """A sign that the item is open."""

    editing: NotRequired[bool]
    """Whether you are changing the item; by default not."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class Page(TypedDict):
    """A page, as the public sees it."""

    id: int
    """Its id, which never changes."""
    title: str
    """The title."""
    slug: str
    """Its part of an address, which is unique; blank in a body means one from the title."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    content: str | None
    """The text itself, as HTML."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    updatedAt: str
    """The time of its last change."""


class PageCreate(TypedDict):
    """A page to create."""

    title: str
    """The title."""
    slug: NotRequired[str | None]
    """Its part of an address, which is unique; blank in a body means one from the title."""
    published: NotRequired[bool | None]
    """Whether the public sees it."""
    lang: NotRequired[str | None]
    """The tag of its language; null means that of the organisation."""
    content: NotRequired[str | None]
    """The text itself, as HTML."""
    takeOver: NotRequired[bool | None]
    """Whether it may have the former slug of another item, which then no longer leads there."""


class PageStaff(TypedDict):
    """A page, as staff see it."""

    id: int
    """Its id, which never changes."""
    title: str
    """The title."""
    slug: str
    """Its part of an address, which is unique; blank in a body means one from the title."""
    published: bool
    """Whether the public sees it."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    content: str | None
    """The text itself, as HTML."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""


class PageStaffSaved(TypedDict):
    """A page, as staff see it. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    title: str
    """The title."""
    slug: str
    """Its part of an address, which is unique; blank in a body means one from the title."""
    published: bool
    """Whether the public sees it."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    content: str | None
    """The text itself, as HTML."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class PageStaffSummary(TypedDict):
    """A page, as staff see it in a list."""

    id: int
    """Its id, which never changes."""
    title: str
    """The title."""
    slug: str
    """Its part of an address, which is unique; blank in a body means one from the title."""
    published: bool
    """Whether the public sees it."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""


class PageUpdate(TypedDict):
    """Changes of a page: a field that is left out stays as it is."""

    title: NotRequired[str]
    """The title."""
    slug: NotRequired[str | None]
    """Its part of an address, which is unique; blank in a body means one from the title."""
    published: NotRequired[bool | None]
    """Whether the public sees it."""
    lang: NotRequired[str | None]
    """The tag of its language; null means that of the organisation."""
    content: NotRequired[str | None]
    """The text itself, as HTML."""
    takeOver: NotRequired[bool | None]
    """Whether it may have the former slug of another item, which then no longer leads there."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class PagesShowQuery(TypedDict):
    """The query parameters of `pages.show`."""

    fields: NotRequired[list[Literal["id", "title", "slug", "lang", "content", "dir", "updatedAt"]]]
    """The fields of the answer; others are left out, also required ones."""
    include: NotRequired[list[Literal["content"]]]
    """Further fields of the answer."""
    html: NotRequired[Literal["absolute"]]
    """Whether the addresses in HTML are absolute; by default, some are paths."""


class PasswordChange(TypedDict):
    """The present password and a new one."""

    currentPassword: str
    """The present password."""
    newPassword: str
    """The new password."""


class PasswordRecovery(TypedDict):
    """The user who has forgotten the password."""

    username: str
    """The username, or the e-mail address."""


class PasswordRecoveryStarted(TypedDict):
    """The request was received; known and unknown users get the same answer."""

    success: bool
    """Always true; an error has another answer."""
    message: str
    """A sentence for the user, the same for known and unknown users."""


class PasswordReset(TypedDict):
    """A mailed token and the new password."""

    token: str
    """The token of the mailed link."""
    newPassword: str
    """The new password."""


class PendingItem(TypedDict):
    """An item that waits for an approval."""

    contentType: str
    """The content type."""
    label: str
    """The label of the type."""
    id: int
    """The id of the item."""
    title: str
    """Its title, also of a staged edit."""
    requestedAt: str | None
    """The time of the request."""
    requestedBy: UserReference | None
    """The user who requested it."""
    staged: bool
    """Whether an edit of a published item waits."""
    comment: str | None
    """The comment of the request."""
    etag: str
    """The revision, for the approval."""
    mayApprove: bool
    """Whether the caller may approve it, not twice nor one's own if so set."""
    approvals: int
    """The number of users who have approved its present revision."""
    required: int
    """The number of users who have to approve it."""
    reviewer: UserReference | None
    """The user who was asked to approve it."""
    deadline: str | None
    """The time at which others are notified that nobody has decided; null for none."""


class PeopleListQuery(TypedDict):
    """The query parameters of `people.list`."""

    ids: NotRequired[list[int]]
    """Only the items with these ids; unknown ones are left out."""
    updatedSince: NotRequired[str]
    """Only the items whose `updatedAt` is this time or later."""
    sort: NotRequired[list[Literal["id", "-id", "name", "-name", "role", "-role", "imageUrl", "-imageUrl", "briefMessage", "-briefMessage", "displayOrder", "-displayOrder", "lang", "-lang", "dir", "-dir", "updatedAt", "-updatedAt"]]]
    """The fields that the list is sorted by; a minus before one means descending."""
    fields: NotRequired[list[Literal["id", "name", "role", "imageUrl", "image", "briefMessage", "displayOrder", "lang", "dir", "updatedAt"]]]
    """The fields of the answer; others are left out, also required ones."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class Person(TypedDict):
    """A person, as the public sees it."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name."""
    role: str
    """The part that the person plays."""
    imageUrl: str | None
    """The address of a portrait."""
    image: StoredImage | None
    """The image at the address beside it; null for one that isn't stored here."""
    briefMessage: str | None
    """A few words of the person."""
    displayOrder: int
    """Its place in lists, which begin with the smallest number."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    updatedAt: str
    """The time of its last change."""


class PersonCreate(TypedDict):
    """A person to create."""

    name: str
    """The name."""
    role: str
    """The part that the person plays."""
    imageUrl: NotRequired[str | None]
    """The address of a portrait."""
    briefMessage: NotRequired[str | None]
    """A few words of the person."""
    displayOrder: NotRequired[int | None]
    """Its place in lists, which begin with the smallest number."""
    published: NotRequired[bool | None]
    """Whether the public sees it."""
    lang: NotRequired[str | None]
    """The tag of its language; null means that of the organisation."""


class PersonData(TypedDict):
    """All that the plugins know about a person."""

    email: str | None
    """The e-mail address of the person."""
    addresses: list[str]
    """All addresses of the person."""
    leftOutAddresses: list[str]
    """Former addresses that belong to somebody else now."""
    data: dict[str, Any]
    """The data about the person, by kind."""
    leftOut: list[str]
    """The kinds of data that the caller may not read."""
    notSearched: list[str]
    """The disabled or removed plugins whose tables are still there, and may hold data of the person."""


class PersonStaff(TypedDict):
    """A person, as staff see it."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name."""
    role: str
    """The part that the person plays."""
    imageUrl: str | None
    """The address of a portrait."""
    briefMessage: str | None
    """A few words of the person."""
    displayOrder: int
    """Its place in lists, which begin with the smallest number."""
    published: bool
    """Whether the public sees it."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""


class PersonStaffSaved(TypedDict):
    """A person, as staff see it. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name."""
    role: str
    """The part that the person plays."""
    imageUrl: str | None
    """The address of a portrait."""
    briefMessage: str | None
    """A few words of the person."""
    displayOrder: int
    """Its place in lists, which begin with the smallest number."""
    published: bool
    """Whether the public sees it."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class PersonUpdate(TypedDict):
    """Changes of a person: a field that is left out stays as it is."""

    name: NotRequired[str]
    """The name."""
    role: NotRequired[str]
    """The part that the person plays."""
    imageUrl: NotRequired[str | None]
    """The address of a portrait."""
    briefMessage: NotRequired[str | None]
    """A few words of the person."""
    displayOrder: NotRequired[int | None]
    """Its place in lists, which begin with the smallest number."""
    published: NotRequired[bool | None]
    """Whether the public sees it."""
    lang: NotRequired[str | None]
    """The tag of its language; null means that of the organisation."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class PluginVersion(TypedDict):
    """An enabled plugin."""

    name: str
    """The name of the plugin."""
    version: str
    """The version of the plugin."""


class Presence(TypedDict):
    """The users who have an item open."""

    others: list[OtherPresence]
    """The other users who have it open, the first first."""
    seconds: int
    """The seconds within which to repeat the request."""


class Preview(TypedDict):
    """A letter as its reader gets it."""

    subject: str
    """The subject."""
    html: str | None
    """The part as HTML; null for none."""
    text: str
    """The part as plain text."""
    mistakes: list[str]
    """The mistakes that prevent the sending."""


class PreviewLink(TypedDict):
    """A preview link that is still valid."""

    id: int
    """The id of the preview link."""
    createdAt: str
    """The time at which it was made."""
    expiresAt: str
    """The time from which it is invalid."""
    user: UserReference
    """The user who made it."""
    once: bool
    """Whether the link opens the preview a single time."""
    endOnChange: bool
    """Whether the link ends as soon as anybody changes the item."""
    note: str | None
    """A note for staff, such as the name of the person who gets the link."""


class PreviewOptions(TypedDict):
    """Texts that aren't saved, instead of the stored ones, and the reader."""

    subscriber_id: NotRequired[int | None]
    """The id of the subscriber whose values fill the placeholders."""
    subject: NotRequired[str | None]
    """The subject."""
    html_content: NotRequired[str | None]
    """The content as HTML."""
    mjml_content: NotRequired[str | None]
    """The content as MJML."""
    text_content: NotRequired[str | None]
    """The content as plain text."""
    html_wrapper: NotRequired[str | None]
    """The HTML around the content."""
    mjml_wrapper: NotRequired[str | None]
    """The MJML around the content."""
    language: NotRequired[str | None]
    """The language of the letter."""


class PreviewRow(TypedDict):
    """A row as it is understood."""

    row: int
    """The line where the row starts, from 1."""
    values: dict[str, Any]
    """The values of the row by field."""


class PreviewToken(TypedDict):
    """The token of a preview link."""

    token: str
    """The token of the link."""
    html: NotRequired[Literal["absolute"]]
    """Whether the addresses in HTML are absolute; by default, some are paths."""


class Problem(TypedDict):
    """A wrong field of a request."""

    path: str
    """The wrong field: a member of the body such as `mission.content`, with the indexes of arrays from 0 such as `columns.3.field`, a query parameter, or a field of the form."""
    code: Literal["required", "invalid", "not_a_string", "not_an_integer", "not_a_number", "not_a_boolean", "not_an_array", "not_an_object", "not_an_option", "not_a_date", "not_a_date_time", "not_an_email", "not_an_address", "not_a_language", "not_a_time_zone", "not_an_image", "too_long", "too_short", "too_many", "too_few", "too_complex", "out_of_range", "forbidden_characters", "wrong_form", "wrong_password", "unknown_id", "unknown_name", "already_exists", "repeated", "conflicting", "not_allowed", "changed", "key_reused"]
    """The kind of problem, for programs. Later versions may add codes."""
    message: str
    """The problem, for humans."""
    limit: NotRequired[int]
    """The largest or least size in the message."""
    minimum: NotRequired[int]
    """The least number that is accepted."""
    maximum: NotRequired[int]
    """The largest number that is accepted."""
    options: NotRequired[list[str | int]]
    """The accepted values."""


class Profile(TypedDict):
    """The caller's own profile."""

    id: int
    """The id of the user."""
    username: str
    """The name to log in with, which is unique."""
    email: str | None
    """The e-mail address, which is unique."""
    displayName: str | None
    """The name that the public and colleagues see."""
    roles: list[str]
    """The names of the user's roles."""
    createdAt: str
    """The time of the user's creation."""
    updatedAt: str
    """The time of the user's last change."""
    language: str | None
    """The tag of the language of mails to the user; null for that of the organisation."""


class ProfileUpdate(TypedDict):
    """Changes of the caller's profile: a field that is left out stays as it is."""

    username: NotRequired[str]
    """The name to log in with, which is unique."""
    email: NotRequired[str | None]
    """The e-mail address, which is unique."""
    displayName: NotRequired[str | None]
    """The name that the public and colleagues see."""
    language: NotRequired[str | None]
    """The tag of the language of mails to the user; null for that of the organisation."""
    password: NotRequired[str]
    """A new password; a change also needs `currentPassword`."""
    currentPassword: NotRequired[str]
    """The present password, which a change of the password or the address needs."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class ProgressionEntry(TypedDict):
    """A stage that a contact has reached, with the user who logged it."""

    id: int
    """The id of the entry."""
    stage: str
    """The name of the stage."""
    interactionType: str | None
    """The kind of the interaction."""
    notes: str | None
    """Remarks of staff."""
    createdAt: str
    """The time of the interaction."""
    createdBy: UserReference | None
    """The user who logged it."""


class ProgressionEntryCreate(TypedDict):
    """A stage that a contact reaches, to log."""

    stageId: int
    """The id of the stage that the contact reaches."""
    interactionType: NotRequired[str | None]
    """The kind of the interaction."""
    notes: NotRequired[str | None]
    """Remarks of staff."""


class ProgressionStage(TypedDict):
    """A progression stage."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name, which is unique."""
    description: str
    """Its meaning."""
    order: int
    """Its place, which begins with the smallest number."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""


class ProgressionStageCreate(TypedDict):
    """A progression stage to create."""

    name: str
    """The name, which is unique."""
    description: NotRequired[str | None]
    """Its meaning."""
    order: NotRequired[int | None]
    """Its place, which begins with the smallest number."""


class ProgressionStageSaved(TypedDict):
    """A progression stage. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    name: str
    """The name, which is unique."""
    description: str
    """Its meaning."""
    order: int
    """Its place, which begins with the smallest number."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class ProgressionStageUpdate(TypedDict):
    """Changes of a progression stage: a field that is left out stays as it is."""

    name: NotRequired[str]
    """The name, which is unique."""
    description: NotRequired[str | None]
    """Its meaning."""
    order: NotRequired[int | None]
    """Its place, which begins with the smallest number."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class Proposal(TypedDict):
    """A proposal."""

    id: int
    """Its id, which never changes."""
    title: str
    """The title that the visitor suggests."""
    description: str
    """The idea in a few sentences."""
    imageUrls: list[str]
    """The addresses of images about it."""
    contactName: str
    """The name of the visitor."""
    contactEmail: str
    """The address of the visitor."""
    contactPhone: str | None
    """The telephone number of the visitor."""
    status: Literal["new", "reviewed", "rejected", "accepted"]
    """The state of the work on it."""
    notes: str | None
    """Remarks of staff, which the visitor can't read."""
    acceptedAt: str | None
    """The time at which it became an action."""
    content: str | None
    """The whole text, as HTML."""
    actionId: int | None
    """The id of the action that was made from it; null for none."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""


class ProposalForm(TypedDict):
    """The proposal of a visitor."""

    title: str
    """The title that the visitor suggests."""
    description: str
    """The idea in a few sentences."""
    content: NotRequired[str | None]
    """The whole text, as HTML."""
    imageUrls: NotRequired[list[str] | None]
    """The addresses of images about it."""
    contactName: str
    """The name of the visitor."""
    contactEmail: str
    """The address of the visitor."""
    contactPhone: NotRequired[str | None]
    """The telephone number of the visitor."""
    website: NotRequired[str | None]
    """Has to be blank: spam programs fill it in."""


class ProposalReceived(TypedDict):
    """The proposal was received."""

    success: bool
    """Always true; an error has another answer."""
    message: str
    """A sentence for the visitor."""
    id: int
    """The id of the proposal."""


class ProposalSummary(TypedDict):
    """A proposal in a list."""

    id: int
    """Its id, which never changes."""
    title: str
    """The title that the visitor suggests."""
    description: str
    """The idea in a few sentences."""
    imageUrls: list[str]
    """The addresses of images about it."""
    contactName: str
    """The name of the visitor."""
    contactEmail: str
    """The address of the visitor."""
    contactPhone: str | None
    """The telephone number of the visitor."""
    status: Literal["new", "reviewed", "rejected", "accepted"]
    """The state of the work on it."""
    notes: str | None
    """Remarks of staff, which the visitor can't read."""
    acceptedAt: str | None
    """The time at which it became an action."""
    actionId: int | None
    """The id of the action that was made from it; null for none."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""


class ProposalUpdate(TypedDict):
    """Changes of a proposal: a field that is left out stays as it is."""

    status: NotRequired[Literal["new", "reviewed", "rejected", "accepted"] | None]
    """The state of the work on it."""
    notes: NotRequired[str | None]
    """Remarks of staff, which the visitor can't read."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class PublicAboutValue(TypedDict):
    """A value of the organisation, as the public sees it."""

    id: int
    """The id of the value."""
    title: str
    """The value, in a word or two."""
    description: str
    """The value, in a sentence."""
    icon: str
    """The name of an icon of the website."""
    colorClass: str
    """The CSS classes of its colours."""


class Readiness(TypedDict):
    """The instance can serve requests."""

    status: Literal["ok"]
    """The state of the instance."""
    checks: dict[str, Any]
    """The result of each check by name: `ok`, or the trouble."""


class Received(TypedDict):
    """The form of a visitor was received."""

    success: bool
    """Always true; an error has another answer."""
    message: str
    """A sentence for the visitor."""


class Recipient(TypedDict):
    """A recipient, and the state of the delivery."""

    email: str
    """The address."""
    state: Literal["queued", "sending", "sent", "failed", "skipped"]
    """The state of the delivery."""
    failure: Literal["recipient-gone", "mailbox-full", "content-refused", "sender-refused", "policy", "transient", "unknown"] | None
    """The class of the failure; null for none."""
    error: str | None
    """The reason of the last failure."""
    attempts: int
    """The number of attempts."""
    nextTryAt: str | None
    """The time of the next attempt."""
    at: str | None
    """The time of the last attempt."""


class RecoveryCodes(TypedDict):
    """New recovery codes."""

    recoveryCodes: list[str | None]
    """Codes that replace the app, each once; only this answer shows them."""


Redirect = TypedDict(
    "Redirect",
    {
        "from": str,
        "to": str,
    },
)


class RedirectsListQuery(TypedDict):
    """The query parameters of `redirects.list`."""

    from_: NotRequired[str]
    """A former path or address; only its redirect is listed."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class Rejection(TypedDict):
    """An item to reject, and the reason."""

    contentType: Literal["actions", "newsletters", "events", "news"]
    """The content type of the item."""
    contentId: int
    """The id of the item."""
    reason: NotRequired[str | None]
    """The reason, for the author."""


class RestoredItem(TypedDict):
    """An item that is restored from the trash."""

    success: bool
    """Always true; an error has another answer."""
    contentType: str
    """The name of its content type or resource."""
    contentId: int
    """Its id, which is the former one."""
    path: str
    """The address at which staff read it."""
    title: str
    """Its title; blank if it has none."""
    slug: str | None
    """Its slug, with a number if another item has the former one now."""
    etag: str
    """Its revision."""
    unfit: list[UnfitField]
    """The fields whose values are left out."""


class Revision(TypedDict):
    """A state of an item."""

    number: int
    """The number of the revision among those of the item, from 1."""
    copy: Literal["live", "staged"]
    """The copy that it shows: the live one, or a staged edit."""
    beganAt: str
    """The time of its first save."""
    at: str
    """The time of its last save."""
    saves: int
    """The number of its saves; 0 for a state that was there before them."""
    user: UserReference | None
    """The user who saved it; null if unknown."""
    client: str | None
    """The program that saved it, as it names itself in `User-Agent`."""
    changed: list[str]
    """The fields that it has changed."""
    restoredFrom: int | None
    """The number of the revision whose values it has restored."""
    approvedAt: str | None
    """The time at which this state was approved; null if never."""
    digest: str
    """The SHA-256 digest of its values, by which equal states are recognised."""
    values: dict[str, Any]
    """The values that fit, by field."""
    names: dict[str, Any]
    """The names of rows that values refer to, by field and id."""
    unfit: list[UnfitField]
    """The fields whose values don't fit the items of today."""


RevisionComparison = TypedDict(
    "RevisionComparison",
    {
        "from": int,
        "to": int,
        "differences": list[FieldDifference],
        "unfit": list["UnfitField"],
    },
)


class RevisionRestore(TypedDict):
    """The part of a revision to restore."""

    fields: NotRequired[list[str] | None]
    """The fields to restore; by default all whose edits are approved, but not `published` and the time of publication."""
    etag: NotRequired[str | None]
    """The revision of the item that the client has read, instead of the header If-Match; another one is refused."""


class RevisionRestored(TypedDict):
    """The result of restoring a revision."""

    success: bool
    """Always true; an error has another answer."""
    restored: list[str]
    """The fields that have the values of the revision now."""
    unfit: list[UnfitField]
    """The fields whose values don't fit the items of today."""
    number: int | None
    """The number of the newest revision; null for none."""


class RevisionSummary(TypedDict):
    """A state of an item in a list."""

    number: int
    """The number of the revision among those of the item, from 1."""
    copy: Literal["live", "staged"]
    """The copy that it shows: the live one, or a staged edit."""
    beganAt: str
    """The time of its first save."""
    at: str
    """The time of its last save."""
    saves: int
    """The number of its saves; 0 for a state that was there before them."""
    user: UserReference | None
    """The user who saved it; null if unknown."""
    client: str | None
    """The program that saved it, as it names itself in `User-Agent`."""
    changed: list[str]
    """The fields that it has changed."""
    restoredFrom: int | None
    """The number of the revision whose values it has restored."""
    approvedAt: str | None
    """The time at which this state was approved; null if never."""
    digest: str
    """The SHA-256 digest of its values, by which equal states are recognised."""


class Role(TypedDict):
    """A role, which gives its permissions to users."""

    id: int
    """The id of the role."""
    name: str
    """The name of the role, which is unique."""
    description: str | None
    """The purpose of the role."""
    permissions: list[str]
    """The permissions that holders of the role have."""
    builtIn: bool
    """Whether Masthead made the role; it can't be renamed or deleted."""


class RoleCreate(TypedDict):
    """A role to create."""

    name: str
    """The name of the role, which is unique."""
    description: NotRequired[str | None]
    """The purpose of the role."""
    permissions: NotRequired[list[str] | None]
    """The permissions that holders of the role have."""


class RoleUpdate(TypedDict):
    """Changes of a role: a field that is left out stays as it is."""

    name: NotRequired[str]
    """The name of the role, which is unique."""
    description: NotRequired[str | None]
    """The purpose of the role."""
    permissions: NotRequired[list[str] | None]
    """The permissions that holders of the role have."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class Root(TypedDict):
    """The place of the documentation."""

    name: str
    """The name of the organisation."""
    software: str
    """Always Masthead."""
    openapi: str | None
    """The address of the OpenAPI document."""
    documentation: str | None
    """The address of the documentation; null if there is none."""


class RowError(TypedDict):
    """A row that can't be imported."""

    row: int
    """The line where the row starts, from 1."""
    error: str
    """The reason."""


class ScheduleListQuery(TypedDict):
    """The query parameters of `schedule.list`."""

    from_: NotRequired[str]
    """The begin of the span; by default it is now. A date without a time is that day in the organisation's time zone."""
    to: NotRequired[str]
    """The end of the span; by default it has none. A date without a time is that day in the organisation's time zone, which is included."""
    types: NotRequired[list[Literal["actions", "newsletters", "events", "news"]]]
    """The types whose items to list; by default all that the caller may read."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class ScheduledChange(TypedDict):
    """A change that happens by itself at a time."""

    at: str
    """The time, in UTC."""
    localTime: str
    """The same time in the organisation's time zone, with its offset then."""
    timeZone: str
    """The organisation's time zone."""
    change: str
    """`published`: the item appears. `withdrawn`: it vanishes. `edited`: a staged edit goes live. `sent`: a newsletter is sent. Plugins may add others."""
    contentType: str
    """The content type."""
    label: str
    """The label of the type."""
    id: int
    """The id of the item."""
    title: str
    """Its title, also of a staged edit."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"]
    """The state of the approval."""
    happens: bool
    """Whether it happens if nobody does anything: the item or the edit is approved, and the item is published."""


class SearchCount(TypedDict):
    """The hits of one type."""

    type: Literal["actions", "events", "news", "people", "pages"]
    """The name of the content type or resource."""
    count: int
    """The number of its hits."""


class SearchHit(TypedDict):
    """A published item that a search finds."""

    type: Literal["actions", "events", "news", "people", "pages"]
    """The name of the content type or resource."""
    id: int
    """Its id, which never changes."""
    slug: str | None
    """Its slug; null for an item without a page of its own, such as a person."""
    title: str
    """Its title."""
    url: str
    """The address at which the website shows it."""
    snippet: str
    """A part of its text as safe HTML, in which the found words are marked."""
    image: StoredImage | None
    """Its image; null for one without a stored image."""
    rank: float
    """How well it fits, from 0 to 1."""
    date: str
    """Its date: that of its type, or of its last change."""
    lang: str | None
    """The tag of its language; null means that of the organisation."""
    dir: Literal["ltr", "rtl"] | None
    """The direction of its script; null if `lang` is."""


class SearchListQuery(TypedDict):
    """The query parameters of `search.list`."""

    q: NotRequired[str]
    """Words that an item has to have, each at the start of a word of its text."""
    types: NotRequired[list[Literal["actions", "events", "news", "people", "pages"]]]
    """The content types and resources to search in; by default all of them."""
    tag: NotRequired[str]
    """The slug of a tag of the items."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class SearchResults(TypedDict):
    """The hits of a search."""

    items: list[SearchHit]
    """The hits, the best first."""
    types: list[SearchCount]
    """The number of hits of each type."""


class SecondStepCode(TypedDict):
    """A code."""

    code: str
    """A code of the app, or a recovery code."""


class SecondStepPassword(TypedDict):
    """The caller's password."""

    currentPassword: str
    """The present password."""


class SecondStepProof(TypedDict):
    """The caller's password and a code."""

    currentPassword: str
    """The present password."""
    code: str
    """A code of the app, or a recovery code."""


class SecondStepSetup(TypedDict):
    """A new secret; it counts once a first code has confirmed it."""

    secret: str | None
    """The secret of the app in Base32, to type it in."""
    uri: str | None
    """The address with the secret to show as a QR code."""
    recoveryCodes: list[str | None]
    """Codes that replace the app, each once; only this answer shows them."""


class SecondStepState(TypedDict):
    """The second step of the caller's logins."""

    enabled: bool
    """Whether logins need a code of an authenticator app."""
    required: bool
    """Whether the caller's roles need an app."""
    confirmedAt: str | None
    """The time of the confirmation; null without an app."""
    recoveryCodes: int
    """The number of recovery codes that are left."""


class SecondStepToken(TypedDict):
    """The token with which a user sets up an app before the first login with it."""

    token: str
    """The `stepToken` of the answer to the login."""


class SendingPause(TypedDict):
    """The reason why a sending waits."""

    reason: Literal["outbox-paused", "paused", "retrying", "queued"] | None
    """The reason why the sending waits; null if it doesn't."""
    retrying: int
    """The number of deliveries that will be tried again."""
    nextTryAt: str | None
    """The time of the next attempt."""


class SignedInUser(TypedDict):
    """The user of a token, with everything that the user may do."""

    id: int
    """The id of the user."""
    username: str
    """The name to log in with, which is unique."""
    email: str | None
    """The e-mail address, which is unique."""
    displayName: str | None
    """The name that the public and colleagues see."""
    roles: list[str]
    """The names of the user's roles."""
    createdAt: str
    """The time of the user's creation."""
    updatedAt: str
    """The time of the user's last change."""
    permissions: list[str]
    """The permissions of all roles together."""
    approves: list[str]
    """The content types whose items the user may approve."""


class SingleSignOn(TypedDict):
    """The ways to log in."""

    enabled: bool
    """Whether staff can log in at a provider."""
    passwordLogins: bool
    """Whether staff can log in by password."""
    providers: list[str]
    """The names of the providers."""


class SingleSignOnLink(TypedDict):
    """A person at a provider, who is a user."""

    id: int
    """The id."""
    user: UserReference
    """The user."""
    issuer: str
    """The provider."""
    subject: str
    """The provider's name of the person."""
    createdAt: str
    """The time of the linking."""
    lastLoginAt: str | None
    """The time of the last login; null before the first."""


class SingleSignOnLinkTicket(TypedDict):
    """The proof of the person who is to be linked."""

    ticket: str
    """The ticket in the fragment of the address."""


class SingleSignOnLinking(TypedDict):
    """The wish to log in at a provider."""

    provider: NotRequired[str]
    """The name of the provider; by default the first one."""
    returnTo: NotRequired[str]
    """The address of the page to which the browser returns; by default the first one of masthead.oidc.return_addresses."""
    currentPassword: NotRequired[str]
    """The present password; not needed within ten minutes after a login at a provider."""
    code: NotRequired[str | None]
    """The code of the second step, if the answer to the login without it asks for one."""


class SingleSignOnLinkingAddress(TypedDict):
    """The beginning of a link."""

    url: str
    """The address that the browser has to open."""


class SingleSignOnLoggedOut(TypedDict):
    """The end of a login."""

    url: str | None
    """The address at the provider to which the browser has to go to end the session there; null if there is none."""


class SingleSignOnLogout(TypedDict):
    """A logout at the provider."""

    returnTo: NotRequired[str]
    """The address of the page to which the browser returns; by default the first one of masthead.oidc.return_addresses."""


class SingleSignOnTicket(TypedDict):
    """The proof of a login at the provider."""

    ticket: str
    """The ticket in the fragment of the address."""
    code: NotRequired[str | None]
    """The code of the second step, if the answer to the login without it asks for one."""


class Site(TypedDict):
    """The organisation, the images at fixed places, and the navigation."""

    name: str
    """The name of the organisation."""
    tagline: str | None
    """A short line below the name."""
    description: str | None
    """A short text about it."""
    language: str
    """The language of its texts."""
    timeZone: str
    """The time zone in which it shows times."""
    social: list[SocialLink] | None
    """Links to it elsewhere."""
    email: str | None
    """Its e-mail address for visitors."""
    phone: str | None
    """Its telephone number for visitors."""
    address: str | None
    """Its postal address."""
    footer: str | None
    """The text at the end of each page."""
    dir: Literal["ltr", "rtl"]
    """The direction of the script of its language."""
    images: list[SiteImage]
    """The images at fixed places."""
    navigation: list[NavigationItem]
    """The navigation."""


class SiteImage(TypedDict):
    """An image at a fixed place of the website."""

    id: str
    """The place of the image."""
    name: str
    """The name for editors."""
    description: str
    """The use of the image."""
    imageUrl: str
    """The address of the image; blank for none."""
    image: StoredImage | None
    """The image at the address beside it; null for one that isn't stored here."""
    recommendedFormat: str
    """The format that suits the place."""
    recommendedSize: str
    """The size that suits the place, in pixels."""
    contentDescription: str | None
    """The description of the image for readers who can't see it."""


class SkipNumbers(TypedDict):
    """The numbers of skipped deliveries."""

    suppressed: int
    """Those with the reason or state `suppressed`."""
    unsubscribed: int
    """Those with the reason or state `unsubscribed`."""
    cancelled: int
    """Those with the reason or state `cancelled`."""
    paused: int
    """Those with the reason or state `paused`."""
    other: int
    """Those with the reason or state `other`."""


class SocialLink(TypedDict):
    """A link to the organisation elsewhere."""

    label: str
    """The text of the link."""
    kind: NotRequired[str | None]
    """The service, for an icon, such as `mastodon`."""
    url: str
    """Its address."""


class SocialLinkInput(TypedDict):
    """A link to the organisation elsewhere."""

    label: str
    """The text of the link."""
    kind: NotRequired[str | None]
    """The service, for an icon, such as `mastodon`."""
    url: str
    """Its address."""


class StaffAboutCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.about.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffAboutRevisionsQuery(TypedDict):
    """The query parameters of `staff.about.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffActionsCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.actions.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffActionsListQuery(TypedDict):
    """The query parameters of `staff.actions.list`."""

    search: NotRequired[str]
    """Words that an item has to have, each at the start of a word of its text."""
    approvalStatus: NotRequired[Literal["draft", "pending", "approved", "rejected"]]
    """Only items in this state of approval."""
    published: NotRequired[bool]
    """Only published items, or only others."""
    staged: NotRequired[bool]
    """Only items with an edit that waits, or only others."""
    createdBy: NotRequired[int]
    """Only items that the user with this id created."""
    editedBy: NotRequired[int]
    """Only items whose last edit this user made."""
    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    visibility: NotRequired[Literal["hidden", "scheduled", "visible", "expired"]]
    """Only items that the public sees, or doesn't see."""
    tag: NotRequired[str]
    """Only items with the tag of this slug."""
    sort: NotRequired[Literal["title", "createdAt", "updatedAt", "displayOrder", "-title", "-createdAt", "-updatedAt", "-displayOrder"]]
    """The order; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffActionsRevisionsQuery(TypedDict):
    """The query parameters of `staff.actions.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffChange(TypedDict):
    """A change of an item."""

    change: Literal["created", "changed", "deleted"]
    """The change of the item."""
    publicChange: Literal["published", "changed", "moved", "withdrawn"] | None
    """The change for the public; null for none. `published`: it became visible. `changed`, `moved`: it has other values, or another slug too. `withdrawn`: it is no longer visible."""
    contentType: Literal["actions", "events", "news", "newsletters", "people", "pages"]
    """The content type or resource of the item."""
    id: int
    """The id of the item."""
    slug: str | None
    """Its slug then; null for an item without one."""
    formerSlug: str | None
    """Its slug before; null if it is the same."""
    at: str
    """The time of the change."""


class StaffChanges(TypedDict):
    """A part of the change log."""

    changes: list[StaffChange]
    """The changes in the order in which they happened."""
    cursor: str
    """The value of `since` for the next request."""
    more: bool
    """Whether further changes are there already."""


class StaffChangesListQuery(TypedDict):
    """The query parameters of `staff.changes.list`."""

    since: NotRequired[str]
    """The cursor of the last answer. Without it, the answer has no changes and the cursor of the present end: take it before you load everything."""
    types: NotRequired[list[Literal["actions", "events", "news", "newsletters", "people", "pages"]]]
    """The content types and resources whose changes to return; by default all."""
    limit: NotRequired[int]
    """The maximum number of changes; by default 100."""


class StaffComposeEmailsCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.compose-emails.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffComposeEmailsListQuery(TypedDict):
    """The query parameters of `staff.compose-emails.list`."""

    updated_since: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["created_at", "updated_at", "-created_at", "-updated_at"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffComposeEmailsRecipientsQuery(TypedDict):
    """The query parameters of `staff.compose-emails.recipients`."""

    state: NotRequired[Literal["queued", "sending", "sent", "failed", "skipped"]]
    """Only deliveries in this state."""
    failure: NotRequired[Literal["recipient-gone", "mailbox-full", "content-refused", "sender-refused", "policy", "transient", "unknown"]]
    """Only failures of this class."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffComposeEmailsRevisionsQuery(TypedDict):
    """The query parameters of `staff.compose-emails.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffContactImportMappingsCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.contact-import-mappings.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffContactImportMappingsListQuery(TypedDict):
    """The query parameters of `staff.contact-import-mappings.list`."""

    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["name", "createdAt", "updatedAt", "-name", "-createdAt", "-updatedAt"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffContactImportMappingsRevisionsQuery(TypedDict):
    """The query parameters of `staff.contact-import-mappings.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffContactMessagesListQuery(TypedDict):
    """The query parameters of `staff.contact-messages.list`."""

    status: NotRequired[Literal["new", "read", "archived"]]
    """Only items with this value. The state of the work on it."""
    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["createdAt", "updatedAt", "-createdAt", "-updatedAt"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffContactsDuplicatesListQuery(TypedDict):
    """The query parameters of `staff.contacts.duplicates.list`."""

    reason: NotRequired[Literal["email", "name-and-phone", "phone", "name-and-tag"]]
    """Only groups with this reason."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffContactsExportAllQuery(TypedDict):
    """The query parameters of `staff.contacts.export-all`."""

    format: NotRequired[Literal["csv", "vcard"]]
    """The format of the file."""


class StaffContactsImportForm(TypedDict):
    """The fields of `staff.contacts.import`."""

    charset: NotRequired[str]
    """The character encoding of the file, if it can't be recognised."""
    map: NotRequired[str]
    """The field of each column as a JSON object, instead of the names of the columns."""
    mapping: NotRequired[str]
    """The name of a stored mapping."""
    sheet: NotRequired[str]
    """The name of the sheet of a workbook."""


class StaffContactsImportQuery(TypedDict):
    """The query parameters of `staff.contacts.import`."""

    dryRun: NotRequired[bool]
    """Whether only to check the file and to store nothing."""
    refused: NotRequired[bool]
    """Whether to answer the refused rows as a table."""
    repeat: NotRequired[bool]
    """Whether to import a file again that was imported before."""
    map: NotRequired[str]
    """The field of each column as a JSON object, instead of the names of the columns."""
    mapping: NotRequired[str]
    """The name of a stored mapping."""
    sheet: NotRequired[str]
    """The name of the sheet of a workbook."""


class StaffContactsListQuery(TypedDict):
    """The query parameters of `staff.contacts.list`."""

    status: NotRequired[Literal["Contact", "Member", "Event Attendee", "Prospect", "Inactive"]]
    """Only items with this value. The relation to the organisation."""
    deliverable: NotRequired[bool]
    """Only items with this value. Whether to list the contacts that mail reaches, or the others."""
    progressionStage: NotRequired[str]
    """Only items with this value. Only contacts at the stage with this name."""
    tag: NotRequired[str]
    """Only items with this value. Only contacts with this tag."""
    search: NotRequired[str]
    """Words that an item has to have, each at the start of a word of its text."""
    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffContactsProgressionListQuery(TypedDict):
    """The query parameters of `staff.contacts.progression.list`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffEmailTemplatesCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.email-templates.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffEmailTemplatesListQuery(TypedDict):
    """The query parameters of `staff.email-templates.list`."""

    category: NotRequired[str]
    """Only items with this value. The use, such as newsletter or invite."""
    updated_since: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["created_at", "updated_at", "-created_at", "-updated_at"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffEmailTemplatesRevisionsQuery(TypedDict):
    """The query parameters of `staff.email-templates.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffEventsCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.events.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffEventsListQuery(TypedDict):
    """The query parameters of `staff.events.list`."""

    search: NotRequired[str]
    """Words that an item has to have, each at the start of a word of its text."""
    approvalStatus: NotRequired[Literal["draft", "pending", "approved", "rejected"]]
    """Only items in this state of approval."""
    published: NotRequired[bool]
    """Only published items, or only others."""
    staged: NotRequired[bool]
    """Only items with an edit that waits, or only others."""
    createdBy: NotRequired[int]
    """Only items that the user with this id created."""
    editedBy: NotRequired[int]
    """Only items whose last edit this user made."""
    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    visibility: NotRequired[Literal["hidden", "scheduled", "visible", "expired"]]
    """Only items that the public sees, or doesn't see."""
    tag: NotRequired[str]
    """Only items with the tag of this slug."""
    sort: NotRequired[Literal["title", "createdAt", "updatedAt", "startDate", "-title", "-createdAt", "-updatedAt", "-startDate"]]
    """The order; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffEventsRevisionsQuery(TypedDict):
    """The query parameters of `staff.events.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffFollowUpRulesCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.follow-up-rules.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffFollowUpRulesListQuery(TypedDict):
    """The query parameters of `staff.follow-up-rules.list`."""

    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["createdAt", "updatedAt", "-createdAt", "-updatedAt"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffFollowUpRulesRevisionsQuery(TypedDict):
    """The query parameters of `staff.follow-up-rules.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffImagesDeleteQuery(TypedDict):
    """The query parameters of `staff.images.delete`."""

    force: NotRequired[bool]
    """Whether to delete an image that is used."""


class StaffImagesListQuery(TypedDict):
    """The query parameters of `staff.images.list`."""

    search: NotRequired[str]
    """Words in the file name or the description."""
    contentType: NotRequired[Literal["image/jpeg", "image/png", "image/webp", "image/gif"]]
    """Only images of this media type."""
    submitted: NotRequired[bool]
    """Only images that visitors have sent, or only others."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffNavigationListQuery(TypedDict):
    """The query parameters of `staff.navigation.list`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffNewsCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.news.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffNewsListQuery(TypedDict):
    """The query parameters of `staff.news.list`."""

    search: NotRequired[str]
    """Words that an item has to have, each at the start of a word of its text."""
    approvalStatus: NotRequired[Literal["draft", "pending", "approved", "rejected"]]
    """Only items in this state of approval."""
    published: NotRequired[bool]
    """Only published items, or only others."""
    staged: NotRequired[bool]
    """Only items with an edit that waits, or only others."""
    createdBy: NotRequired[int]
    """Only items that the user with this id created."""
    editedBy: NotRequired[int]
    """Only items whose last edit this user made."""
    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    visibility: NotRequired[Literal["hidden", "scheduled", "visible", "expired"]]
    """Only items that the public sees, or doesn't see."""
    tag: NotRequired[str]
    """Only items with the tag of this slug."""
    sort: NotRequired[Literal["title", "createdAt", "updatedAt", "publishedAt", "-title", "-createdAt", "-updatedAt", "-publishedAt"]]
    """The order; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffNewsRevisionsQuery(TypedDict):
    """The query parameters of `staff.news.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffNewsletterSubscribersExportQuery(TypedDict):
    """The query parameters of `staff.newsletter-subscribers.export`."""

    status: NotRequired[Literal["subscribed", "unsubscribed"]]
    """Only subscribers with this status."""


class StaffNewsletterSubscribersImportForm(TypedDict):
    """The fields of `staff.newsletter-subscribers.import`."""

    source: NotRequired[str]
    """The source of rows without one."""
    charset: NotRequired[str]
    """The character encoding of the file, if it can't be recognised."""
    ignore: NotRequired[str]
    """The names of columns to leave out, separated by commas."""


class StaffNewsletterSubscribersImportQuery(TypedDict):
    """The query parameters of `staff.newsletter-subscribers.import`."""

    dryRun: NotRequired[bool]
    """Whether only to check the file and to store nothing."""


class StaffNewsletterSubscribersListQuery(TypedDict):
    """The query parameters of `staff.newsletter-subscribers.list`."""

    status: NotRequired[Literal["subscribed", "unsubscribed"]]
    """Only items with this value. Whether they get newsletters."""
    deliverable: NotRequired[bool]
    """Only items with this value. Whether to list the subscribers that mail reaches, or the others."""
    language: NotRequired[str]
    """Only items with this value. Only subscribers who read in this language."""
    paused: NotRequired[bool]
    """Only items with this value. Whether to list the subscribers who pause, or the others."""
    search: NotRequired[str]
    """Words that an item has to have, each at the start of a word of its text."""
    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["createdAt", "updatedAt", "-createdAt", "-updatedAt"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffNewslettersCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.newsletters.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffNewslettersListQuery(TypedDict):
    """The query parameters of `staff.newsletters.list`."""

    approvalStatus: NotRequired[Literal["draft", "pending", "approved", "rejected"]]
    """Only items with this value. Only newsletters in this state of approval."""
    status: NotRequired[Literal["draft", "scheduled", "sent"]]
    """Only items with this value. Only newsletters in this state of the sending."""
    created_by: NotRequired[int]
    """Only items with this value. Only newsletters that the user with this id created."""
    edited_by: NotRequired[int]
    """Only items with this value. Only newsletters whose last edit this user made."""
    updated_since: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["title", "created_at", "updated_at", "scheduled_send_at", "sent_at", "-title", "-created_at", "-updated_at", "-scheduled_send_at", "-sent_at"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffNewslettersRecipientsQuery(TypedDict):
    """The query parameters of `staff.newsletters.recipients`."""

    state: NotRequired[Literal["queued", "sending", "sent", "failed", "skipped"]]
    """Only deliveries in this state."""
    failure: NotRequired[Literal["recipient-gone", "mailbox-full", "content-refused", "sender-refused", "policy", "transient", "unknown"]]
    """Only failures of this class."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffNewslettersRevisionsQuery(TypedDict):
    """The query parameters of `staff.newsletters.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffPagesCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.pages.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffPagesListQuery(TypedDict):
    """The query parameters of `staff.pages.list`."""

    search: NotRequired[str]
    """Words that an item has to have, each at the start of a word of its text."""
    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["createdAt", "updatedAt", "-createdAt", "-updatedAt"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffPagesRevisionsQuery(TypedDict):
    """The query parameters of `staff.pages.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffPeopleCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.people.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffPeopleListQuery(TypedDict):
    """The query parameters of `staff.people.list`."""

    search: NotRequired[str]
    """Words that an item has to have, each at the start of a word of its text."""
    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["displayOrder", "createdAt", "updatedAt", "-displayOrder", "-createdAt", "-updatedAt"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffPeopleRevisionsQuery(TypedDict):
    """The query parameters of `staff.people.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffProgressionStagesCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.progression-stages.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffProgressionStagesListQuery(TypedDict):
    """The query parameters of `staff.progression-stages.list`."""

    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["order", "createdAt", "updatedAt", "-order", "-createdAt", "-updatedAt"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffProgressionStagesRevisionsQuery(TypedDict):
    """The query parameters of `staff.progression-stages.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffProposalsListQuery(TypedDict):
    """The query parameters of `staff.proposals.list`."""

    status: NotRequired[Literal["new", "reviewed", "rejected", "accepted"]]
    """Only items with this value. The state of the work on it."""
    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["createdAt", "updatedAt", "-createdAt", "-updatedAt"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffSiteCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.site.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffSiteRevisionsQuery(TypedDict):
    """The query parameters of `staff.site.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffStaticImagesCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.static-images.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffStaticImagesListQuery(TypedDict):
    """The query parameters of `staff.static-images.list`."""

    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["id", "createdAt", "updatedAt", "-id", "-createdAt", "-updatedAt"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffStaticImagesRevisionsQuery(TypedDict):
    """The query parameters of `staff.static-images.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffSuppressionsListQuery(TypedDict):
    """The query parameters of `staff.suppressions.list`."""

    kind: NotRequired[Literal["recipient-gone", "complaint", "repeated", "manual"]]
    """Only suppressions of this kind."""
    newsletterId: NotRequired[int]
    """Only suppressions that the newsletter with this id led to."""
    composedEmailId: NotRequired[int]
    """Only suppressions that the composed e-mail with this id led to."""
    since: NotRequired[str]
    """Only suppressions since this time."""
    search: NotRequired[str]
    """A part of the address."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffTagsListQuery(TypedDict):
    """The query parameters of `staff.tags.list`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffValuesCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.values.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffValuesListQuery(TypedDict):
    """The query parameters of `staff.values.list`."""

    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["order", "createdAt", "updatedAt", "-order", "-createdAt", "-updatedAt"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffValuesRevisionsQuery(TypedDict):
    """The query parameters of `staff.values.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffWebhooksCompareRevisionsQuery(TypedDict):
    """The query parameters of `staff.webhooks.compare-revisions`."""

    from_: NotRequired[int]
    """The number of the first revision; by default the one before the second."""
    to: NotRequired[int]
    """The number of the second revision; by default the newest."""


class StaffWebhooksDeliveriesQuery(TypedDict):
    """The query parameters of `staff.webhooks.deliveries`."""

    state: NotRequired[Literal["waiting", "sending", "delivered", "failed", "superseded"]]
    """Only deliveries in this state."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffWebhooksListQuery(TypedDict):
    """The query parameters of `staff.webhooks.list`."""

    updatedSince: NotRequired[str]
    """Only items that changed at this time or later."""
    sort: NotRequired[Literal["createdAt", "updatedAt", "-createdAt", "-updatedAt"]]
    """The order of the list; a minus means descending."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaffWebhooksRevisionsQuery(TypedDict):
    """The query parameters of `staff.webhooks.revisions`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaticImage(TypedDict):
    """A static image, as the public sees it."""

    id: str
    """Its id, which never changes."""
    name: str
    """The name for editors."""
    description: str
    """The place where the website shows it."""
    imageUrl: str
    """The address of the image; blank for none."""
    image: StoredImage | None
    """The image at the address beside it; null for one that isn't stored here."""
    recommendedFormat: str
    """The format that suits the place."""
    recommendedSize: str
    """The size that suits the place, in pixels."""
    contentDescription: str | None
    """The description of the image for readers who can't see it."""


class StaticImageCreate(TypedDict):
    """A static image to create."""

    id: str
    """Its id, which never changes."""
    name: str
    """The name for editors."""
    description: NotRequired[str | None]
    """The place where the website shows it."""
    imageUrl: NotRequired[str | None]
    """The address of the image; blank for none."""
    recommendedFormat: NotRequired[str | None]
    """The format that suits the place."""
    recommendedSize: NotRequired[str | None]
    """The size that suits the place, in pixels."""
    contentDescription: NotRequired[str | None]
    """The description of the image for readers who can't see it."""


class StaticImageStaff(TypedDict):
    """A static image, as staff see it."""

    id: str
    """Its id, which never changes."""
    name: str
    """The name for editors."""
    description: str
    """The place where the website shows it."""
    imageUrl: str
    """The address of the image; blank for none."""
    recommendedFormat: str
    """The format that suits the place."""
    recommendedSize: str
    """The size that suits the place, in pixels."""
    contentDescription: str | None
    """The description of the image for readers who can't see it."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""


class StaticImageStaffSaved(TypedDict):
    """A static image, as staff see it. This is the answer to a change."""

    id: str
    """Its id, which never changes."""
    name: str
    """The name for editors."""
    description: str
    """The place where the website shows it."""
    imageUrl: str
    """The address of the image; blank for none."""
    recommendedFormat: str
    """The format that suits the place."""
    recommendedSize: str
    """The size that suits the place, in pixels."""
    contentDescription: str | None
    """The description of the image for readers who can't see it."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class StaticImageUpdate(TypedDict):
    """Changes of a static image: a field that is left out stays as it is."""

    name: NotRequired[str]
    """The name for editors."""
    description: NotRequired[str | None]
    """The place where the website shows it."""
    imageUrl: NotRequired[str | None]
    """The address of the image; blank for none."""
    recommendedFormat: NotRequired[str | None]
    """The format that suits the place."""
    recommendedSize: NotRequired[str | None]
    """The size that suits the place, in pixels."""
    contentDescription: NotRequired[str | None]
    """The description of the image for readers who can't see it."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class StaticImagesListQuery(TypedDict):
    """The query parameters of `static-images.list`."""

    sort: NotRequired[list[Literal["id", "-id", "name", "-name", "description", "-description", "imageUrl", "-imageUrl", "recommendedFormat", "-recommendedFormat", "recommendedSize", "-recommendedSize", "contentDescription", "-contentDescription"]]]
    """The fields that the list is sorted by; a minus before one means descending."""
    fields: NotRequired[list[Literal["id", "name", "description", "imageUrl", "image", "recommendedFormat", "recommendedSize", "contentDescription"]]]
    """The fields of the answer; others are left out, also required ones."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class StaticImagesShowQuery(TypedDict):
    """The query parameters of `static-images.show`."""

    fields: NotRequired[list[Literal["id", "name", "description", "imageUrl", "image", "recommendedFormat", "recommendedSize", "contentDescription"]]]
    """The fields of the answer; others are left out, also required ones."""


class Status(TypedDict):
    """The results of all checks."""

    status: Literal["ok", "trouble"]
    """Whether all checks have passed."""
    checks: dict[str, Any]
    """The result of each check by name: `ok`, or the trouble."""
    remedies: dict[str, Any]
    """The remedy for each failed check, by name."""


class StoredImage(TypedDict):
    """An image that is stored here."""

    url: str
    """The path or address of the image."""
    alt: str | None
    """The text for readers who can't see it; null for none."""
    width: int
    """Its width in pixels."""
    height: int
    """Its height in pixels."""
    widths: list[int]
    """The smaller widths that `?w=` after its address serves."""
    type: str
    """Its media type."""


class StoredOrganisation(TypedDict):
    """The facts about the organisation that staff have set."""

    name: str | None
    """The name of the organisation."""
    tagline: str | None
    """A short line below the name."""
    description: str | None
    """A short text about it."""
    language: str | None
    """The language of its texts."""
    timeZone: str | None
    """The time zone in which it shows times."""
    social: list[SocialLink] | None
    """Links to it elsewhere."""
    email: str | None
    """Its e-mail address for visitors."""
    phone: str | None
    """Its telephone number for visitors."""
    address: str | None
    """Its postal address."""
    footer: str | None
    """The text at the end of each page."""
    defaults: OrganisationDefaults
    """The values that apply where none is set."""


class StreamedEvent(TypedDict):
    """One of the server-sent events of a stream."""

    id: NotRequired[str | None]
    """The id of the event, for `Last-Event-ID`."""
    event: str
    """The kind of the event."""
    data: str
    """The values of the event, as JSON."""


class SubmittedImage(TypedDict):
    """A visitor's image."""

    url: str
    """The address of the image, for fields such as `imageUrl`."""
    key: str
    """Its key in the storage."""
    filename: str
    """The name of the uploaded file."""


class Subscriber(TypedDict):
    """A subscriber."""

    id: int
    """Its id, which never changes."""
    email: str
    """The address, in lower case."""
    name: str | None
    """The name."""
    status: Literal["subscribed", "unsubscribed"]
    """Whether they get newsletters."""
    source: str
    """The place where they subscribed."""
    fields: dict[str, Any] | None
    """The values of the fields of `masthead.email.fields`, which letters can use."""
    topics: list[str] | None
    """The topics that interest them."""
    language: str | None
    """The tag of the language in which they read; null if it isn't known."""
    pausedUntil: str | None
    """The time before which they get no newsletters; null for no pause."""
    subscribedAt: str | None
    """The time at which they asked for the newsletter."""
    subscribedIp: str | None
    """The IP address that asked for it."""
    confirmedAt: str | None
    """The time of the confirmation by a link in a mail."""
    confirmedIp: str | None
    """The IP address that confirmed."""
    unsubscribedAt: str | None
    """The time at which the status became unsubscribed."""
    unsubscribeKind: Literal["pending", "removed", "unsubscribed", "bounced", "complained"] | None
    """The reason for the status unsubscribed; null if it isn't known."""
    unsubscribeReason: str | None
    """The words of the person about the reason."""
    engagedAt: str | None
    """The last day on which they followed a link; null while links aren't tracked."""
    trackingRefused: bool
    """Whether they don't want that day to be stored."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    deliverable: bool
    """Whether mail reaches the address."""
    suppression: Suppression | None
    """The reason why the address receives no mail; null if it receives mail."""


class SubscriberBulkOperation(TypedDict):
    """An operation on many subscribers."""

    operation: Literal["unsubscribe", "delete", "set-source", "set-language"]
    """The operation."""
    ids: list[int]
    """The ids of the subscribers."""
    source: NotRequired[str | None]
    """The new source."""
    language: NotRequired[str | None]
    """The tag of the new language."""


class SubscriberCreate(TypedDict):
    """A subscriber to add."""

    email: str
    """The address."""
    name: NotRequired[str | None]
    """The name."""
    source: NotRequired[str | None]
    """The place of the subscription."""
    language: NotRequired[str | None]
    """The tag of the language in which they read."""
    fields: NotRequired[dict[str, Any] | None]
    """The values of the fields of `masthead.email.fields`."""
    topics: NotRequired[list[str] | None]
    """The topics that interest them."""


class SubscriberImport(TypedDict):
    """A file of subscribers, and how to read it."""

    source: NotRequired[str]
    """The source of rows without one."""
    charset: NotRequired[str]
    """The character encoding of the file, if it can't be recognised."""
    ignore: NotRequired[str]
    """The names of columns to leave out, separated by commas."""
    file: bytes
    """The file."""


class SubscriberImportReport(TypedDict):
    """The result of an import of subscribers."""

    success: bool
    """Always true; an error has another answer."""
    imported: int
    """The number of new items."""
    skipped: int
    """The number of rows whose item exists already."""
    errorCount: int
    """The number of rows that can't be imported."""
    errors: list[RowError]
    """The first 1,000 rows that can't be imported."""
    columns: list[UsedColumn]
    """The columns that are used."""
    ignoredColumns: list[str]
    """The columns that are left out."""
    ignoredRows: list[IgnoredRow]
    """The first rows that are no part of the table, such as notes and totals."""
    preview: list[PreviewRow]
    """Of the first three rows that could be read, those without errors, as they are understood."""
    updated: int
    """The number of subscribers who exist and were changed."""


class SubscriberUpdate(TypedDict):
    """Changes of a subscriber: a field that is left out stays as it is."""

    name: NotRequired[str | None]
    """The name."""
    status: NotRequired[Literal["subscribed", "unsubscribed"]]
    """Whether they get newsletters."""
    fields: NotRequired[dict[str, Any] | None]
    """The values of the fields of `masthead.email.fields`, which letters can use."""
    topics: NotRequired[list[str] | None]
    """The topics that interest them."""
    language: NotRequired[str | None]
    """The tag of the language in which they read; null if it isn't known."""
    pausedUntil: NotRequired[str | None]
    """The time before which they get no newsletters; null for no pause."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class SubscriptionForm(TypedDict):
    """A person who subscribes."""

    email: str
    """The address."""
    name: NotRequired[str | None]
    """The name."""
    source: NotRequired[str | None]
    """The place of the subscription."""
    language: NotRequired[str | None]
    """The tag of the language in which they read."""
    website: NotRequired[str | None]
    """Has to be blank: spam programs fill it in."""


class Success(TypedDict):
    """The operation is done."""

    success: bool
    """Always true; an error has another answer."""


class SuppressedAddress(TypedDict):
    """An address that receives no mail."""

    email: str
    """The address."""
    kind: Literal["recipient-gone", "complaint", "repeated", "manual"]
    """The kind of the reason."""
    reason: str
    """The reason, for humans."""
    since: str
    """The time since which no mail is sent."""
    mail: SuppressingMail | None
    """The mail that led to it; null for none."""


class SuppressedAddressCreate(TypedDict):
    """An address to suppress."""

    email: str
    """The address."""
    reason: NotRequired[str | None]
    """The reason, for colleagues."""


class SuppressingMail(TypedDict):
    """The mail after which an address receives no more mail."""

    kind: str
    """The kind of the mail."""
    id: int | None
    """The id of the newsletter or composed e-mail; null for another mail."""
    subject: str
    """The subject."""


class Suppression(TypedDict):
    """The reason why an address receives no mail."""

    kind: str
    """The kind of the reason. Plugins add kinds."""
    reason: str | None
    """The reason, for readers with the permission to see it."""
    since: str
    """The time since which no mail is sent."""
    mail: CausingMail | None
    """The mail that led to it; null for none."""


class SuppressionRelease(TypedDict):
    """The suppressions to release: those that match all filters."""

    kind: NotRequired[Literal["recipient-gone", "complaint", "repeated", "manual"]]
    """Only suppressions of this kind."""
    newsletterId: NotRequired[int]
    """Only suppressions that the newsletter with this id led to."""
    composedEmailId: NotRequired[int]
    """Only suppressions that the composed e-mail with this id led to."""
    since: NotRequired[str]
    """Only suppressions since this time."""
    search: NotRequired[str]
    """A part of the address."""


class SuppressionReleased(TypedDict):
    """The addresses were released."""

    success: bool
    """Always true; an error has another answer."""
    released: int
    """The number of addresses that receive mail again."""


class System(TypedDict):
    """The state of the running system."""

    version: str
    """The version of Masthead."""
    database: str
    """The database and its version."""
    maintenance: bool
    """Whether writes are refused."""
    plugins: list[PluginVersion]
    """The enabled plugins."""
    disk: Disk
    """The disk with the data folder."""
    workers: list[Worker]
    """The workers that are alive."""
    jobs: list[Job]
    """The background jobs."""
    figures: list[Figure]
    """Figures that the database knows, such as the length of queues."""


class Tag(TypedDict):
    """A word that items can be found by."""

    id: int
    """The id of the tag."""
    name: str
    """The name, which is unique."""
    slug: str
    """Its part of an address, which follows the name."""


class TagCreate(TypedDict):
    """A tag to create, or its new name."""

    name: str
    """The name, which is unique."""
    slug: NotRequired[str | None]
    """Its part of an address; null or blank means one from the name."""
    takeOver: NotRequired[bool | None]
    """Whether it may have the former slug of another item, which then no longer leads there."""


class TagCreateInput(TypedDict):
    """A tag to create, or its new name."""

    name: str
    """The name, which is unique."""
    slug: NotRequired[str | None]
    """Its part of an address; null or blank means one from the name."""
    takeOver: NotRequired[bool | None]
    """Whether it may have the former slug of another item, which then no longer leads there."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class TagsListQuery(TypedDict):
    """The query parameters of `tags.list`."""

    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class TokenCheck(TypedDict):
    """The user of a valid token."""

    user: SignedInUser
    """The user of the token."""


class TrashListQuery(TypedDict):
    """The query parameters of `trash.list`."""

    contentType: NotRequired[Literal["actions", "events", "news", "newsletters", "email-templates", "people", "pages"]]
    """Only items of this content type or resource."""
    search: NotRequired[str]
    """A part of the title."""
    limit: NotRequired[int]
    """The number of items in the answer; more than 500 count as 500. Lists without a default answer all items, up to 10,000."""
    offset: NotRequired[int]
    """The number of items to skip."""


class TrashOperation(TypedDict):
    """An operation on many items in the trash."""

    operation: Literal["restore", "purge"]
    """The operation."""
    ids: list[int]
    """The numbers of the items in the trash."""


class TrashedItem(TypedDict):
    """A deleted item, as staff saw it."""

    id: int
    """The number of the item in the trash."""
    contentType: str
    """The name of its content type or resource."""
    contentId: int
    """The id that it had, and has again once it is restored."""
    title: str
    """Its title; blank if it has none."""
    deletedAt: str
    """The time of its delete."""
    deletedBy: UserReference | None
    """The user who deleted it; null if unknown."""
    client: str | None
    """The program that deleted it, as it names itself in `User-Agent`."""
    purgeAt: str
    """The time from which it is deleted for good, unless it is restored."""
    available: bool
    """Whether its plugin is enabled; otherwise it can't be restored now."""
    mayRestore: bool
    """Whether the caller may restore it now."""
    approvalStatus: Literal["draft", "pending", "approved", "rejected"] | None
    """The state of its approval; null if it needs none."""
    published: bool | None
    """Whether it was published; null if that isn't known."""
    values: dict[str, Any]
    """The values that fit, by field."""
    names: dict[str, Any]
    """The names of rows that values refer to, by field and id."""
    unfit: list[UnfitField]
    """The fields whose values don't fit the items of today."""


class TrashedItemSummary(TypedDict):
    """A deleted item in a list."""

    id: int
    """The number of the item in the trash."""
    contentType: str
    """The name of its content type or resource."""
    contentId: int
    """The id that it had, and has again once it is restored."""
    title: str
    """Its title; blank if it has none."""
    deletedAt: str
    """The time of its delete."""
    deletedBy: UserReference | None
    """The user who deleted it; null if unknown."""
    client: str | None
    """The program that deleted it, as it names itself in `User-Agent`."""
    purgeAt: str
    """The time from which it is deleted for good, unless it is restored."""
    available: bool
    """Whether its plugin is enabled; otherwise it can't be restored now."""
    mayRestore: bool
    """Whether the caller may restore it now."""


class Type(TypedDict):
    """A content type or resource."""

    name: str
    """The name, which is unique."""
    kind: Literal["content", "resource"]
    """Whether it has drafts, tags, slugs and staged edits, or is a plain resource."""
    label: str
    """The name for readers, in English."""
    pluralLabel: str
    """The name in the plural."""
    description: str
    """Its meaning; blank for none."""
    path: str
    """The path of its list."""
    publicPath: str | None
    """The path of its public list; null for none."""
    idKind: Literal["integer", "text"]
    """The kind of its ids."""
    schemas: dict[str, Any]
    """The names of its schemas in the OpenAPI document, by operation."""
    operations: list[str]
    """The operations that exist."""
    trash: bool
    """Whether deleted items go to the trash; otherwise nothing brings them back."""
    permissions: TypePermissions
    """The permissions that they need."""
    may: TypeAllowed
    """The operations that the caller may perform."""
    approval: TypeApproval | None
    """The approval workflow; null for none."""
    fields: list[TypeField]
    """The fields that bodies can contain."""
    filters: list[TypeFilter]
    """The filters of its list."""
    order: list[str]
    """The fields that the list is ordered by; a minus means descending."""


class TypeAllowed(TypedDict):
    """The operations that the caller may perform."""

    read: bool
    """Whether the caller may list and show items."""
    write: bool
    """Whether the caller may create, change and delete items."""
    approve: bool
    """Whether the caller may approve and reject items."""
    editLive: bool
    """Whether the caller's edits of published items need no approval."""


class TypeApproval(TypedDict):
    """The approval workflow of a kind of items."""

    contentType: str
    """The name in the approval calls."""
    states: list[Literal["draft", "pending", "approved", "rejected"]]
    """The states of an item."""
    moves: list[TypeMove]
    """The moves between them."""
    fourEyes: bool
    """Whether an item needs the approval of somebody other than its editor."""
    required: int
    """The number of users who have to approve an item."""


class TypeElement(TypedDict):
    """The elements of a list."""

    kind: Literal["text", "html", "link", "email", "password", "language", "choice", "boolean", "reference", "references", "integer", "decimal", "number", "date", "date-time", "json", "list", "object"]
    """The kind of the value."""
    widget: str
    """The control of a form that suits the value. Plugins add controls: use that of the kind for one that you don't know."""
    min: int | None
    """The smallest number; null for none."""
    max: int | None
    """The largest number; null for none."""
    minLength: int | None
    """The smallest number of characters or elements; null for none."""
    maxLength: int | None
    """The largest number of characters or elements; null for none."""
    enum: list[str] | None
    """The values that it can have; null for any."""
    members: list[TypeMember] | None
    """The members of an object; null otherwise."""


class TypeField(TypedDict):
    """A field of a content type or resource."""

    name: str
    """The name in bodies and answers."""
    kind: Literal["text", "html", "link", "email", "password", "language", "choice", "boolean", "reference", "references", "integer", "decimal", "number", "date", "date-time", "json", "list", "object"]
    """The kind of the value."""
    widget: str
    """The control of a form that suits the value. Plugins add controls: use that of the kind for one that you don't know."""
    min: int | None
    """The smallest number; null for none."""
    max: int | None
    """The largest number; null for none."""
    minLength: int | None
    """The smallest number of characters or elements; null for none."""
    maxLength: int | None
    """The largest number of characters or elements; null for none."""
    enum: list[str] | None
    """The values that it can have; null for any."""
    target: str | None
    """The `name` of the content type or resource whose ids a reference holds; null for another kind. It may be missing here if its plugin is disabled."""
    element: TypeElement | None
    """The elements of a list; null otherwise."""
    members: list[TypeMember] | None
    """The members of an object; null otherwise."""
    required: bool
    """Whether a create must contain it."""
    nullable: bool
    """Whether null clears it, or sets its default."""
    creatable: bool
    """Whether a create can contain it."""
    editable: bool
    """Whether an update can contain it."""
    listed: bool | None
    """Whether lists show it; null if it is no stored field."""
    public: bool | None
    """Whether the public sees it; null if it is no stored field."""
    staged: bool | None
    """Whether an edit of a published item waits for approval; null if it is no stored field."""
    defaultValue: Any
    """The value of a new item without one; null for none."""
    help: str
    """Its meaning, for editors; blank for none."""


class TypeFilter(TypedDict):
    """A filter of a list."""

    name: str
    """The query parameter."""
    kind: Literal["text", "html", "link", "email", "password", "language", "choice", "boolean", "reference", "references", "integer", "decimal", "number", "date", "date-time", "json", "list", "object"]
    """The kind of the value."""
    widget: str
    """The control of a form that suits the value. Plugins add controls: use that of the kind for one that you don't know."""
    min: int | None
    """The smallest number; null for none."""
    max: int | None
    """The largest number; null for none."""
    maxLength: int | None
    """The largest number of characters or elements; null for none."""
    enum: list[str] | None
    """The values that it can have; null for any."""
    target: str | None
    """The `name` of the content type or resource whose ids a reference holds; null for another kind. It may be missing here if its plugin is disabled."""
    help: str
    """Its meaning; blank for none."""


class TypeMember(TypedDict):
    """A member of the objects that a field holds."""

    name: str
    """The name of the member."""
    kind: Literal["text", "html", "link", "email", "password", "language", "choice", "boolean", "reference", "references", "integer", "decimal", "number", "date", "date-time", "json", "list", "object"]
    """The kind of the value."""
    widget: str
    """The control of a form that suits the value. Plugins add controls: use that of the kind for one that you don't know."""
    min: int | None
    """The smallest number; null for none."""
    max: int | None
    """The largest number; null for none."""
    minLength: int | None
    """The smallest number of characters or elements; null for none."""
    maxLength: int | None
    """The largest number of characters or elements; null for none."""
    enum: list[str] | None
    """The values that it can have; null for any."""
    required: bool
    """Whether an object must have it."""
    nullable: bool
    """Whether it can be null."""
    help: str
    """Its meaning; blank for none."""


TypeMove = TypedDict(
    "TypeMove",
    {
        "name": str,
        "from": list[str],
        "to": str,
        "allowed": bool,
    },
)


class TypePermissions(TypedDict):
    """The permissions that the operations need."""

    read: list[str]
    """The permissions to list and show."""
    write: list[str]
    """The permissions to create, change and delete."""


class UnfitField(TypedDict):
    """A field whose value of a revision doesn't fit the items of today."""

    field: str
    """The name of the field."""
    reason: Literal["removed", "added", "invalid"]
    """`removed`: the items have no such field any more; `added`: the field is younger than the revision; `invalid`: the value isn't accepted now."""
    message: str
    """The reason, for humans."""


class UnsubscriptionForm(TypedDict):
    """A person who unsubscribes."""

    email: str
    """The address."""


class UploadedImage(TypedDict):
    """An image that was stored."""

    url: str
    """The address of the image, for fields such as `imageUrl`."""
    key: str
    """Its key in the storage."""
    filename: str
    """The name of the uploaded file."""
    duplicate: bool
    """Whether the same bytes were stored already."""


class UsedColumn(TypedDict):
    """A column of a file, and its field."""

    column: str
    """The name of the column in the file."""
    field: str
    """The field that it becomes."""


class User(TypedDict):
    """A user, as administrators see it."""

    id: int
    """The id of the user."""
    username: str
    """The name to log in with, which is unique."""
    email: str | None
    """The e-mail address, which is unique."""
    displayName: str | None
    """The name that the public and colleagues see."""
    roles: list[str]
    """The names of the user's roles."""
    createdAt: str
    """The time of the user's creation."""
    updatedAt: str
    """The time of the user's last change."""
    language: str | None
    """The tag of the language of mails to the user; null for that of the organisation."""
    disabled: bool
    """Whether the user can't log in."""


class UserCreate(TypedDict):
    """A user to create."""

    username: str
    """The name to log in with, which is unique."""
    email: str
    """The e-mail address, which is unique."""
    password: str
    """The first password."""
    displayName: NotRequired[str | None]
    """The name that the public and colleagues see."""
    language: NotRequired[str | None]
    """The tag of the language of mails to the user; null for that of the organisation."""
    roles: NotRequired[list[str] | None]
    """The names of the user's roles."""
    disabled: NotRequired[bool | None]
    """Whether the user can't log in."""


class UserReference(TypedDict):
    """A user, as the answers about other things name one."""

    id: int
    """The id of the user."""
    username: str
    """The name by which the user logs in."""
    displayName: str | None
    """The name that the public sees."""


class UserUpdate(TypedDict):
    """Changes of a user: a field that is left out stays as it is."""

    username: NotRequired[str]
    """The name to log in with, which is unique."""
    email: NotRequired[str | None]
    """The e-mail address, which is unique."""
    password: NotRequired[str]
    """A new password, which ends all tokens of the user."""
    displayName: NotRequired[str | None]
    """The name that the public and colleagues see."""
    language: NotRequired[str | None]
    """The tag of the language of mails to the user; null for that of the organisation."""
    roles: NotRequired[list[str] | None]
    """The names of the user's roles."""
    disabled: NotRequired[bool | None]
    """Whether the user can't log in."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class Visitor(TypedDict):
    """The caller, as the server sees it."""

    address: str
    """The address of the caller, as the server sees it."""
    scheme: str
    """The scheme of the request, as the server sees it."""


class Webhook(TypedDict):
    """A webhook."""

    id: int
    """Its id, which never changes."""
    url: str
    """The address that is called."""
    description: str
    """Its purpose."""
    events: list[Literal["*", "content.*", "content.published", "content.changed", "content.withdrawn", "approval.*", "approval.request", "approval.vote", "approval.approve", "approval.reject", "approval.withdraw", "approval.publish"]]
    """The events that it is called for."""
    contentTypes: list[str]
    """The content types and public resources that it is called for; empty for all."""
    latestOnly: bool
    """Whether only the last of the calls that wait is made."""
    active: bool
    """Whether it is called."""
    switchedOff: str | None
    """The reason why Masthead has switched it off; null if it has not."""
    failingSince: str | None
    """The time of the first failure since the last success."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    secret: str | None
    """The key of its signatures, which only the answer to the creation shows."""


class WebhookCreate(TypedDict):
    """A webhook to create."""

    url: str
    """The address that is called."""
    description: NotRequired[str | None]
    """Its purpose."""
    events: list[Literal["*", "content.*", "content.published", "content.changed", "content.withdrawn", "approval.*", "approval.request", "approval.vote", "approval.approve", "approval.reject", "approval.withdraw", "approval.publish"]]
    """The events that it is called for."""
    contentTypes: NotRequired[list[str] | None]
    """The content types and public resources that it is called for; empty for all."""
    latestOnly: NotRequired[bool | None]
    """Whether only the last of the calls that wait is made."""
    active: NotRequired[bool | None]
    """Whether it is called."""


class WebhookDelivery(TypedDict):
    """A call of a webhook."""

    id: int
    """The id of the delivery."""
    messageId: str
    """The id of the message, which a repetition has, too."""
    event: str
    """The event."""
    payload: str
    """The body that is sent, as text."""
    state: Literal["waiting", "sending", "delivered", "failed", "superseded"]
    """The state of the delivery."""
    attempts: int
    """The number of attempts."""
    createdAt: str
    """The time of the event."""
    nextTryAt: str | None
    """The time of the next attempt."""
    status: int | None
    """The status of the last answer."""
    error: str | None
    """The reason of the last failure."""
    duration: int | None
    """The milliseconds until the last answer."""
    response: str | None
    """The beginning of the last answer."""
    doneAt: str | None
    """The time at which it ended."""


class WebhookQueued(TypedDict):
    """A delivery that was just queued."""

    id: int
    """The id of the delivery."""
    messageId: str
    """The id of the message, which a repetition has, too."""
    event: str
    """The event."""
    payload: str
    """The body that is sent, as text."""
    state: Literal["waiting", "sending", "delivered", "failed", "superseded"]
    """The state of the delivery."""
    attempts: int
    """The number of attempts."""
    createdAt: str
    """The time of the event."""
    nextTryAt: str | None
    """The time of the next attempt."""
    status: int | None
    """The status of the last answer."""
    error: str | None
    """The reason of the last failure."""
    duration: int | None
    """The milliseconds until the last answer."""
    response: str | None
    """The beginning of the last answer."""


class WebhookSaved(TypedDict):
    """A webhook. This is the answer to a change."""

    id: int
    """Its id, which never changes."""
    url: str
    """The address that is called."""
    description: str
    """Its purpose."""
    events: list[Literal["*", "content.*", "content.published", "content.changed", "content.withdrawn", "approval.*", "approval.request", "approval.vote", "approval.approve", "approval.reject", "approval.withdraw", "approval.publish"]]
    """The events that it is called for."""
    contentTypes: list[str]
    """The content types and public resources that it is called for; empty for all."""
    latestOnly: bool
    """Whether only the last of the calls that wait is made."""
    active: bool
    """Whether it is called."""
    switchedOff: str | None
    """The reason why Masthead has switched it off; null if it has not."""
    failingSince: str | None
    """The time of the first failure since the last success."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""
    secret: str | None
    """The key of its signatures, which only the answer to the creation shows."""
    merged: NotRequired[list[str]]
    """The fields that others have changed since the revision that the request names, if the change was merged."""


class WebhookSecret(TypedDict):
    """The new key of a webhook."""

    secret: str | None
    """The new key of the signatures."""
    formerUntil: str | None
    """The time until which calls are signed with the former key, too."""


class WebhookSummary(TypedDict):
    """A webhook in a list."""

    id: int
    """Its id, which never changes."""
    url: str
    """The address that is called."""
    description: str
    """Its purpose."""
    events: list[Literal["*", "content.*", "content.published", "content.changed", "content.withdrawn", "approval.*", "approval.request", "approval.vote", "approval.approve", "approval.reject", "approval.withdraw", "approval.publish"]]
    """The events that it is called for."""
    contentTypes: list[str]
    """The content types and public resources that it is called for; empty for all."""
    latestOnly: bool
    """Whether only the last of the calls that wait is made."""
    active: bool
    """Whether it is called."""
    switchedOff: str | None
    """The reason why Masthead has switched it off; null if it has not."""
    failingSince: str | None
    """The time of the first failure since the last success."""
    createdAt: str
    """The time of its creation."""
    updatedAt: str
    """The time of its last change."""


class WebhookUpdate(TypedDict):
    """Changes of a webhook: a field that is left out stays as it is."""

    url: NotRequired[str]
    """The address that is called."""
    description: NotRequired[str | None]
    """Its purpose."""
    events: NotRequired[list[Literal["*", "content.*", "content.published", "content.changed", "content.withdrawn", "approval.*", "approval.request", "approval.vote", "approval.approve", "approval.reject", "approval.withdraw", "approval.publish"]]]
    """The events that it is called for."""
    contentTypes: NotRequired[list[str] | None]
    """The content types and public resources that it is called for; empty for all."""
    latestOnly: NotRequired[bool | None]
    """Whether only the last of the calls that wait is made."""
    active: NotRequired[bool | None]
    """Whether it is called."""
    merge: NotRequired[bool]
    """Whether to save the fields that nobody else has changed, if the item has changed since the revision that you name. If you and somebody else have changed the same field, nothing is saved."""
    etag: NotRequired[str | None]
    """The revision that the client has read, instead of the header If-Match; another one is refused."""


class Withdrawal(TypedDict):
    """An item whose request to withdraw."""

    contentType: Literal["actions", "newsletters", "events", "news"]
    """The content type of the item."""
    contentId: int
    """The id of the item."""


class Worker(TypedDict):
    """A process that runs background jobs."""

    host: str
    """The name of the machine."""
    pid: int
    """The number of the process."""
    seenAt: str
    """The time of its last sign of life."""