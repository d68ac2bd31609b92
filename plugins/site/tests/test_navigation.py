"""The navigation: entries of plugins and of staff, their folders, order and visibility."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.audit.models import AuditEntry
from masthead.core_plugin import plugin as core
from masthead.instance import open_instance
from masthead.testing import Client
from masthead_site.plugin import plugin as site
from masthead_site.services.navigation import read_items

NAVIGATION = "/api/staff/navigation"
STATIC = ["static-home", "static-plants", "static-tours", "static-about", "static-contact"]
MakePage = Callable[..., Any]


def test_the_entries_of_plugins_exist_from_the_start(app: Client, editor: Any) -> None:
    answer = app.get("/api/navigation")

    assert [item["id"] for item in answer.json] == STATIC
    assert answer.json[0] == {
        "id": "static-home",
        "label": "Home",
        "path": "/",
        "isCustom": False,
        "order": 10,
    }
    assert [item["id"] for item in editor.all()] == STATIC
    assert app.get("/api/navigation", {"limit": 1, "offset": 1}).json == answer.json[1:2]
    assert answer.headers["X-Total-Count"] == "5"


def test_an_entry_of_a_page_follows_the_page(
    editor: Any, staff: Client, make_page: MakePage
) -> None:
    page = make_page("Our story")
    entry = editor.add(customPageId=page["id"])

    assert editor.shown()[-1] == {
        "id": entry["id"],
        "label": "Our story",
        "path": "our-story",
        "isCustom": True,
        "customPageId": page["id"],
        "order": 80,
    }
    assert entry["id"].startswith("custom-")
    staff.put_json(f"/api/staff/pages/{page['id']}", {"title": "The story"})
    assert editor.shown()[-1]["label"] == "The story"
    assert editor.change(entry["id"], label="Story")["label"] == "Story"
    assert editor.change(entry["id"], label=None)["label"] == "The story"


def test_the_entry_of_a_page_goes_with_it(editor: Any, staff: Client, make_page: MakePage) -> None:
    page = make_page()
    entry = editor.add(customPageId=page["id"])["id"]
    path = f"/api/staff/pages/{page['id']}"

    staff.put_json(path, {"published": False})
    assert editor.outline() == STATIC
    assert [item["id"] for item in editor.all()] == [*STATIC, entry]
    staff.put_json(path, {"published": True})
    assert editor.outline() == [*STATIC, entry]
    staff.delete(path)
    assert editor.outline() == STATIC
    assert [item["id"] for item in editor.all()] == STATIC


def test_a_page_may_be_in_several_places_and_an_entry_may_change_its_page(
    editor: Any, make_page: MakePage
) -> None:
    first, second = make_page("First"), make_page("Second")
    entries = [editor.add(customPageId=first["id"])["id"] for _ in range(2)]

    changed = editor.change(entries[0], customPageId=second["id"])

    assert changed["id"] == entries[0]
    assert [item["label"] for item in editor.shown()[-2:]] == ["Second", "First"]


def test_a_link_leads_where_it_says(editor: Any) -> None:
    link = editor.add("Shop", path="https://shop.example.org/a?b=c")

    assert link == {
        "id": link["id"],
        "label": "Shop",
        "path": "https://shop.example.org/a?b=c",
        "isCustom": True,
        "customPageId": None,
        "isFolder": False,
        "order": 80,
        "hidden": False,
        "parentId": None,
    }
    assert link["id"].startswith("custom-")
    assert editor.change(link["id"], path="/shop", label=" Stall ")["label"] == "Stall"
    assert editor.shown()[-1]["path"] == "/shop"


def test_new_entries_come_last_and_an_order_moves_them(editor: Any) -> None:
    a = editor.add("A", path="/a")["id"]
    b = editor.add("B", path="/b", order=10)["id"]
    c = editor.add("C", path="/c", order=10)["id"]
    first = editor.add("First", path="/f", order=-1)["id"]

    # Among entries of equal order, those of plugins come first, then older ones.
    assert editor.outline() == [first, "static-home", b, c, *STATIC[1:], a]
    editor.change(b, order=None)
    assert editor.outline() == [first, "static-home", c, *STATIC[1:], a, b]


def test_folders_contain_the_entries_that_are_moved_into_them(
    editor: Any, make_page: MakePage
) -> None:
    outer = editor.folder("Outer")
    inner = editor.folder("Inner", outer)
    page = editor.add(customPageId=make_page()["id"], parentId=inner)["id"]
    editor.change("static-about", parentId=outer)

    assert outer.startswith("nav-")
    assert editor.outline() == [
        *STATIC[:3],
        "static-contact",
        (outer, ["static-about", (inner, [page])]),
    ]
    folder = editor.shown()[-1]
    assert {name: folder[name] for name in folder if name != "children"} == {
        "id": outer,
        "label": "Outer",
        "path": None,
        "isCustom": False,
        "isFolder": True,
        "order": 80,
    }
    assert [(item["id"], item["parentId"]) for item in editor.all()[-4:]] == [
        (outer, None),
        ("static-about", outer),
        (inner, outer),
        (page, inner),
    ]


def test_an_entry_is_known_by_its_number_under_each_prefix(editor: Any) -> None:
    folder = editor.folder()
    number = folder.removeprefix("nav-")
    link = editor.add("Link", path="/l")["id"]

    for parent in (folder, number, f"custom-{number}", int(number)):
        editor.change(link, parentId=None)
        assert editor.change(link, parentId=parent)["parentId"] == folder
    for name in (folder, number, f"custom-{number}"):
        assert editor.change(name, label=name)["id"] == folder
    assert editor.delete(f"nav-{link.removeprefix('custom-')}") == {"success": True}
    assert editor.outline() == [*STATIC, (folder, [])]


def test_static_entries_can_be_relabelled_ordered_hidden_and_put_back(editor: Any) -> None:
    folder = editor.folder()

    changed = editor.change("static-home", label="Start", order=75, hidden=True, parentId=folder)

    assert changed["id"] == "static-home"
    assert changed["path"] == "/"
    assert editor.outline() == [*STATIC[1:], (folder, [])]
    editor.change("static-home", hidden=False)
    assert editor.shown()[-1]["children"] == [
        {"id": "static-home", "label": "Start", "path": "/", "isCustom": False, "order": 75}
    ]
    back = editor.change("static-home", label=None, order=None, parentId=None)
    assert (back["label"], back["order"], back["parentId"]) == ("Home", 10, None)
    assert editor.outline() == [*STATIC, (folder, [])]


def test_null_shows_an_entry_again(editor: Any) -> None:
    entry = editor.add("Shop", path="/shop", isFolder=None, hidden=True)["id"]

    assert editor.change(entry, hidden=None)["hidden"] is False
    assert editor.outline() == [*STATIC, entry]


def test_the_entries_of_a_hidden_folder_are_hidden_too(editor: Any) -> None:
    outer = editor.folder("Outer")
    inner = editor.folder("Inner", outer)
    editor.add("Link", path="/l", parentId=inner)
    editor.change("static-home", parentId=inner)

    editor.change(outer, hidden=True)

    assert editor.outline() == STATIC[1:]
    assert len(editor.all()) == len(STATIC) + 3
    editor.change(outer, hidden=0)
    assert len(editor.outline()) == len(STATIC)


def test_the_entries_of_a_deleted_folder_move_to_its_place(editor: Any, session: Session) -> None:
    outer = editor.folder("Outer")
    inner = editor.folder("Inner", outer)
    innermost = editor.folder("Innermost", inner)
    editor.change("static-home", parentId=inner)

    assert editor.delete(inner) == {"success": True}
    assert editor.outline() == [*STATIC[1:], (outer, ["static-home", (innermost, [])])]
    assert editor.delete(outer) == {"success": True}
    assert editor.outline() == [*STATIC, (innermost, [])]
    [entry, _] = session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
    assert (entry.action, entry.content_type) == ("content.delete", "navigation")
    assert (f"nav-{entry.content_id}", entry.detail) == (inner, {"label": "Inner"})


def test_folders_nest_to_five_levels(editor: Any, make_page: MakePage) -> None:
    folders: list[str] = []
    for level in range(5):
        folders.append(editor.folder(f"Level {level}", folders[-1] if folders else None))
    for folder in folders:
        editor.add(customPageId=make_page(folder)["id"], parentId=folder)
    refused = "parentId: Folders nest to 5 levels"

    assert editor.refuse("post", label="X", isFolder=True, parentId=folders[4]) == refused
    two = editor.folder("Two")
    editor.folder("One", two)
    assert editor.refuse("put", two, parentId=folders[3]) == refused
    assert editor.change(two, parentId=folders[2])["parentId"] == folders[2]

    level, labels = editor.shown()[-1], []
    while level:
        labels.append(level["label"])
        level = next((child for child in level["children"] if "children" in child), None)
    assert labels == [f"Level {level}" for level in range(5)]


def test_a_folder_is_never_inside_itself(editor: Any) -> None:
    outer = editor.folder("Outer")
    inner = editor.folder("Inner", outer)
    refused = "parentId: A folder can't be inside itself"

    assert editor.refuse("put", outer, parentId=outer) == refused
    assert editor.refuse("put", outer, parentId=inner) == refused
    assert editor.outline() == [*STATIC, (outer, [(inner, [])])]


def test_an_answer_can_be_sent_back_unchanged(editor: Any, make_page: MakePage) -> None:
    folder = editor.folder()
    editor.add(customPageId=make_page()["id"], parentId=folder)
    editor.add("Link", path="/l")

    for item in editor.all():
        assert editor.change(item["id"], **item) == item


def test_a_page_that_is_renamed_keeps_naming_its_entry_after_a_save(
    editor: Any, staff: Client, make_page: MakePage
) -> None:
    page = make_page()
    entry = editor.add(customPageId=page["id"])
    editor.change(entry["id"], **entry)

    staff.put_json(f"/api/staff/pages/{page['id']}", {"title": "Legal notice"})

    assert editor.shown()[-1]["label"] == "Legal notice"


def test_a_static_entry_cannot_be_deleted(editor: Any) -> None:
    editor.change("static-home", label="Start")

    for entry in ("static-home", "static-about"):
        assert editor.refuse("delete", entry) == "A static entry can be hidden, but not deleted"
    assert editor.outline() == STATIC


def test_the_entry_of_a_plugin_that_is_switched_off_comes_back_as_it_was(
    editor: Any, database_url: str, settings: dict[str, str]
) -> None:
    editor.change("static-plants", label="Flowers")
    ini = {"masthead.database.url": database_url, "masthead.plugins": "site", **settings}

    without = open_instance(ini, {}, {"core": core, "site": site})
    with without.database.session() as session:
        ids = [item.id for item in read_items(session)]
    without.close()

    assert ids == [name for name in STATIC if name not in ("static-plants", "static-tours")]
    assert editor.shown()[1]["label"] == "Flowers"
