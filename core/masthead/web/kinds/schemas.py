"""The answer of the endpoint."""

from __future__ import annotations

from masthead.approval.declaration import STATUSES
from masthead.schemas.common import AnyValue
from masthead.schemas.field_types import DESCRIPTION, Anything, Bool, Choice, Int, Str
from masthead.schemas.schema import ListOf, Nullable, Object, required, schema
from masthead.web.kinds.controls import KINDS_OF_VALUES

CONTENT, RESOURCE = "content", "resource"


_VALUE = {
    "kind": required(Choice(*KINDS_OF_VALUES), help="The kind of the value."),
    "widget": required(
        Str(),
        help="The control of a form that suits the value. Plugins add controls: use that of the"
        " kind for one that you don't know.",
        example="text",
    ),
    "min": required(Int(), nullable=True, help="The smallest number; null for none."),
    "max": required(Int(), nullable=True, help="The largest number; null for none."),
    "minLength": required(
        Int(), nullable=True, help="The smallest number of characters or elements; null for none."
    ),
    "maxLength": required(
        Int(), nullable=True, help="The largest number of characters or elements; null for none."
    ),
    "enum": required(
        Nullable(ListOf(Str())), help="The values that it can have; null for any.", example=None
    ),
}
_TARGET = {
    "target": required(
        Str(),
        nullable=True,
        help="The `name` of the content type or resource whose ids a reference holds; null for"
        " another kind. It may be missing here if its plugin is disabled.",
        example="venues",
    ),
}
_MEMBER = schema(
    {
        "name": required(Str(), help="The name of the member.", example="column"),
        **_VALUE,
        "required": required(Bool(), help="Whether an object must have it."),
        "nullable": required(Bool(), help="Whether it can be null."),
        "help": required(Str(DESCRIPTION, min_length=0), help="Its meaning; blank for none."),
    },
    name="TypeMember",
    help="A member of the objects that a field holds.",
)
_ELEMENT = schema(
    {
        **_VALUE,
        "members": required(
            Nullable(ListOf(Object(_MEMBER))), help="The members of an object; null otherwise."
        ),
    },
    name="TypeElement",
    help="The elements of a list.",
)
_FIELD = schema(
    {
        "name": required(Str(), help="The name in bodies and answers.", example="imageUrl"),
        **_VALUE,
        **_TARGET,
        "element": required(
            Nullable(Object(_ELEMENT)), help="The elements of a list; null otherwise."
        ),
        "members": required(
            Nullable(ListOf(Object(_MEMBER))), help="The members of an object; null otherwise."
        ),
        "required": required(Bool(), help="Whether a create must contain it."),
        "nullable": required(Bool(), help="Whether null clears it, or sets its default."),
        "creatable": required(Bool(), help="Whether a create can contain it."),
        "editable": required(Bool(), help="Whether an update can contain it."),
        "listed": required(
            Bool(), nullable=True, help="Whether lists show it; null if it is no stored field."
        ),
        "public": required(
            Bool(), nullable=True, help="Whether the public sees it; null if it is no stored field."
        ),
        "staged": required(
            Bool(),
            nullable=True,
            help="Whether an edit of a published item waits for approval; null if it is no stored"
            " field.",
        ),
        "defaultValue": required(
            AnyValue(), help="The value of a new item without one; null for none."
        ),
        "help": required(
            Str(DESCRIPTION, min_length=0),
            help="Its meaning, for editors; blank for none.",
            example="The address of its image.",
        ),
    },
    name="TypeField",
    help="A field of a content type or resource.",
)
_FILTER = schema(
    {
        "name": required(Str(), help="The query parameter.", example="status"),
        # A blank filter counts as none.
        **{name: value for name, value in _VALUE.items() if name != "minLength"},
        **_TARGET,
        "help": required(Str(DESCRIPTION, min_length=0), help="Its meaning; blank for none."),
    },
    name="TypeFilter",
    help="A filter of a list.",
)
_MOVE = schema(
    {
        "name": required(
            Str(), help="The move: the end of the path of its call.", example="request"
        ),
        "from": required(
            ListOf(Str()),
            help="The states in which it is possible.",
            example=["draft", "rejected"],
        ),
        "to": required(Str(), help="The state that it leads to.", example="pending"),
        "allowed": required(Bool(), help="Whether the caller has the permission for it."),
    },
    name="TypeMove",
    help="A move of the approval workflow.",
)
_APPROVAL = schema(
    {
        "contentType": required(Str(), help="The name in the approval calls.", example="news"),
        "states": required(
            ListOf(Choice(*STATUSES)), help="The states of an item.", example=[*STATUSES]
        ),
        "moves": required(ListOf(Object(_MOVE)), help="The moves between them."),
        "fourEyes": required(
            Bool(), help="Whether an item needs the approval of somebody other than its editor."
        ),
        "required": required(
            Int(1), help="The number of users who have to approve an item.", example=1
        ),
    },
    name="TypeApproval",
    help="The approval workflow of a kind of items.",
)
_PERMISSIONS = schema(
    {
        "read": required(
            ListOf(Str()), help="The permissions to list and show.", example=["news.read"]
        ),
        "write": required(
            ListOf(Str()),
            help="The permissions to create, change and delete.",
            example=["news.write"],
        ),
    },
    name="TypePermissions",
    help="The permissions that the operations need.",
)
_MAY = schema(
    {
        "read": required(Bool(), help="Whether the caller may list and show items."),
        "write": required(Bool(), help="Whether the caller may create, change and delete items."),
        "approve": required(Bool(), help="Whether the caller may approve and reject items."),
        "editLive": required(
            Bool(), help="Whether the caller's edits of published items need no approval."
        ),
    },
    name="TypeAllowed",
    help="The operations that the caller may perform.",
)
KIND = schema(
    {
        "name": required(Str(), help="The name, which is unique.", example="news"),
        "kind": required(
            Choice(CONTENT, RESOURCE),
            help="Whether it has drafts, tags, slugs and staged edits, or is a plain resource.",
        ),
        "label": required(Str(), help="The name for readers, in English.", example="News Article"),
        "pluralLabel": required(Str(), help="The name in the plural.", example="News Articles"),
        "description": required(
            Str(DESCRIPTION, min_length=0),
            help="Its meaning; blank for none.",
            example="A news article.",
        ),
        "path": required(Str(), help="The path of its list.", example="/api/staff/news"),
        "publicPath": required(
            Str(),
            nullable=True,
            help="The path of its public list; null for none.",
            example="/api/news",
        ),
        "idKind": required(Choice("integer", "text"), help="The kind of its ids."),
        "schemas": required(
            Anything(),
            help="The names of its schemas in the OpenAPI document, by operation.",
            example={"show": "NewsArticleStaff", "create": "NewsArticleCreate"},
        ),
        "operations": required(
            ListOf(Str()), help="The operations that exist.", example=["list", "show", "create"]
        ),
        "trash": required(
            Bool(),
            help="Whether deleted items go to the trash; otherwise nothing brings them back.",
        ),
        "permissions": required(Object(_PERMISSIONS), help="The permissions that they need."),
        "may": required(Object(_MAY), help="The operations that the caller may perform."),
        "approval": required(
            Nullable(Object(_APPROVAL)), help="The approval workflow; null for none."
        ),
        "fields": required(ListOf(Object(_FIELD)), help="The fields that bodies can contain."),
        "filters": required(ListOf(Object(_FILTER)), help="The filters of its list."),
        "order": required(
            ListOf(Str()),
            help="The fields that the list is ordered by; a minus means descending.",
            example=["-publishedAt"],
        ),
    },
    name="Type",
    help="A content type or resource.",
)
KINDS = ListOf(Object(KIND))
