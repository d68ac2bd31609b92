"""The mutants of a plugin: mistakes of authors, each of which the contract has to find."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

RECIPES = Path(__file__).with_name("recipes")
_PACKAGE = RECIPES / "masthead_recipes"
MODELS, PLUGIN = "models.py", "plugin.py"
MIGRATION = "migrations/versions/0001_first_tables.py"
START = ""
"""Instead of a test: the plugin can't even be imported."""
_TABLE = '    __tablename__ = "recipes_recipe"\n'
_TYPE = '    order="-createdAt",\n'
_INDEX = '["servings"], unique=False)\n'
_HOOK = "@hookimpl\ndef masthead_content_types"
_MIGRATIONS = "the_migrations_make_what_the_model_declares"
_STRANGERS = "endpoints_show_strangers_nothing_but_public_content"
_WRITING_STRANGERS = "who_write_nothing_of_hidden_items"
_BODIES = "take_any_body_and_change_nothing_that_they_refuse"
_TWICE = "are_named_twice"
_DEMO = "its_demo_is_created_and_its_endpoints_answer"
_HOOK_ON_MOVES = """@hookimpl
def masthead_transitioned(session: Session, event: Any) -> None:
    if event.transition == "{}":
        {}


{}"""
_CHANGE = """with request.instance.database.transaction() as own:
            own.execute(update(Recipe).values(servings=Recipe.id + 40))
        """
_PUBLISH = "session.get(Recipe, event.content_id).published = True"
_LINKS = """\
    op.execute("DROP TABLE recipes_recipe_tag")
    op.create_table(
        "recipes_recipe_tag",
        sa.Column("item_id", sa.BigInteger(), nullable=False),
        sa.Column("tag_id", sa.BigInteger(), nullable=False),
        sa.Column("position", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("item_id", "tag_id", name="pk_recipes_recipe_tag"),
        sa.ForeignKeyConstraint(["item_id"], ["recipes_recipe.id"]),
        sa.ForeignKeyConstraint(["tag_id"], ["core_tag.id"]),
    )
    columns = ["tag_id", "position", "item_id"]
    op.create_index("ix_recipes_recipe_tag_list", "recipes_recipe_tag", columns)
"""


@dataclass(frozen=True)
class PluginMutant:
    """A mistake in the plugin."""

    name: str
    killer: str
    """A part of the name of the test that finds it."""
    changes: tuple[tuple[str, str, str], ...]
    """The changed texts: a file of the package, a text in it, and its replacement."""

    def break_package(self, folder: Path) -> None:
        """Apply the changes to a copy of the plugin."""
        for file, text, other in self.changes:
            path = folder / _PACKAGE.name / file
            source = path.read_text("utf-8")
            assert text in source, f"{self.name}: {text!r} isn't in {file}"
            path.write_text(source.replace(text, other), "utf-8")


def _mutant(name: str, killer: str, *changes: tuple[str, str, str]) -> PluginMutant:
    return PluginMutant(name, killer, changes)


def _after(file: str, text: str, added: str) -> tuple[str, str, str]:
    return file, text, text + added


def _migrated(added: str) -> tuple[str, str, str]:
    """Add lines at the end of the revision."""
    return _after(MIGRATION, _INDEX, added)


def _on_move(transition: str, effect: str) -> tuple[str, str, str]:
    return PLUGIN, _HOOK, _HOOK_ON_MOVES.format(transition, effect, _HOOK)


MUTANTS = (
    _mutant(
        "a migration lacks an index",
        _MIGRATIONS,
        (
            MIGRATION,
            '        batch_op.create_index(batch_op.f("ix_recipes_recipe_servings"), ' + _INDEX,
            "        pass\n",
        ),
    ),
    _mutant(
        "a migration lacks a column",
        "a_draft_is_invisible",
        (MIGRATION, '        sa.Column("season", sa.Text(), nullable=True),\n', ""),
    ),
    _mutant(
        "a migration lacks the unique slug",
        _MIGRATIONS,
        _migrated(
            '    with op.batch_alter_table("recipes_recipe") as batch_op:\n'
            '        batch_op.drop_constraint("uq_recipes_recipe_slug")\n'
        ),
    ),
    _mutant(
        "a migration allows null",
        _MIGRATIONS,
        (MIGRATION, '"difficulty", sa.Text(), nullable=False', '"difficulty", sa.Text()'),
    ),
    _mutant("a migration lets links to tags stay", _MIGRATIONS, _migrated(_LINKS)),
    _mutant(
        "ids are used again",
        _MIGRATIONS,
        _after(MODELS, _TABLE, "    __table_args__ = {}\n"),
    ),
    _mutant(
        "the table is private, so that the cache is never told",
        "many_are_published_taken_down",
        _after(
            MODELS,
            _TABLE,
            '    __table_args__ = {"sqlite_autoincrement": True, "info": PRIVATE}\n',
        ),
        (MODELS, "import Choice", "import PRIVATE, Choice"),
    ),
    _mutant(
        "an export loses the table",
        "an_export_brings_all_rows",
        _after(
            MODELS,
            _TABLE,
            '    __table_args__ = {"sqlite_autoincrement": True, "info": NOT_EXPORTED}\n',
        ),
        (MODELS, "import Choice", "import NOT_EXPORTED, Choice"),
    ),
    _mutant(
        "the hook doesn't return the type",
        "a_draft_is_invisible",
        (PLUGIN, "return [RECIPES]", "return []"),
    ),
    _mutant(
        "a check refuses valid values",
        "a_draft_is_invisible",
        (PLUGIN, "> 100:", "< 100:"),
    ),
    _mutant(
        "the area is that of another plugin",
        "its_permissions_belong_to_it",
        _after(PLUGIN, _TYPE, '    area="news",\n'),
    ),
    _mutant(
        "no edit needs an approval",
        _TWICE,
        (MODELS, "index=True)", "index=True, staged=False)"),
        (MODELS, "required=True)", "required=True, staged=False)"),
        (MODELS, "field(Str())", "field(Str(), staged=False)"),
        (MODELS, "public=False)", "public=False, staged=False)"),
    ),
    _mutant(
        "nothing is searched",
        "a_search_finds_it_by_its_title",
        _after(PLUGIN, _TYPE, "    search_fields=(),\n"),
    ),
    _mutant("a staff-only field is public", _TWICE, (MODELS, ", public=False", "")),
    _mutant(
        "an own endpoint shows drafts",
        _STRANGERS,
        (
            PLUGIN,
            "    found = reader.read_newest(request.db.connection(), 100)\n",
            "    found = [vars(each) for each in reader and request.db.scalars(select(Recipe))]\n",
        ),
    ),
    _mutant(
        "an own endpoint answers with a field that it doesn't declare",
        _DEMO,
        (
            PLUGIN,
            'return [item for item in shown if wanted in (None, item["difficulty"])]',
            'return json.dumps([{**item, "wanted": wanted} for item in shown]).encode()',
        ),
        (PLUGIN, "from collections.abc", "import json\nfrom collections.abc"),
    ),
    _mutant(
        "an own endpoint shows everybody the numbers of drafts",
        _STRANGERS,
        (PLUGIN, "/api/staff/recipes-in-work", "/api/recipes-in-work"),
        (PLUGIN, "permission=RECIPES.read_permission", "permission=PUBLIC"),
    ),
    _mutant(
        "an own endpoint shows the holders of another permission the numbers of drafts",
        _STRANGERS,
        (PLUGIN, "permission=RECIPES.read_permission", 'permission="tags.write"'),
    ),
    _mutant(
        "an own endpoint that writes tells the titles of drafts",
        _WRITING_STRANGERS,
        (PLUGIN, "if recipe is None or not is_visible(recipe, utcnow()):", "if recipe is None:"),
    ),
    _mutant(
        "an own endpoint that writes answers otherwise for drafts than for missing items",
        _WRITING_STRANGERS,
        (
            PLUGIN,
            'raise Refused("There is no such recipe")',
            'raise Refused("It is a draft" if recipe else "There is no such recipe")',
        ),
    ),
    _mutant(
        "an own endpoint that writes tells the titles of staged edits",
        "who_write_nothing_of_staged_edits",
        (
            PLUGIN,
            'return {"title": recipe.title}',
            'return {"title": (recipe.staged or {}).get("title", recipe.title)}',
        ),
    ),
    _mutant(
        "an own endpoint that writes fails for a body without an optional member",
        _BODIES,
        (PLUGIN, 'request.data.get("servings") or recipe.servings', 'request.data["servings"]'),
    ),
    _mutant(
        "an own endpoint changes an item although it refuses the request",
        _BODIES,
        (
            PLUGIN,
            'raise Refused("There is no such recipe")',
            _CHANGE + 'raise Refused("There is no such recipe")',
        ),
        (PLUGIN, "import func, select", "import func, select, update"),
    ),
    _mutant(
        "an own staff endpoint is public",
        "its_staff_endpoints_are_closed",
        (PLUGIN, "permission=RECIPES.read_permission", "permission=PUBLIC"),
    ),
    _mutant(
        "a column needs a value that nothing sets",
        "a_draft_is_invisible",
        _after(MODELS, _TABLE, "    origin: Mapped[str] = mapped_column(Text())\n"),
        (MODELS, "import DeclarativeBase, Mapped", "import DeclarativeBase, Mapped, mapped_column"),
        (MODELS, "from sqlalchemy.orm", "from sqlalchemy import Text\nfrom sqlalchemy.orm"),
        (
            MIGRATION,
            "        kit=1,",
            '        sa.Column("origin", sa.Text(), nullable=False),\n        kit=1,',
        ),
    ),
    _mutant(
        "the table's name has another prefix",
        "its_tables_begin_with_its_name",
        (MODELS, "recipes_recipe", "kitchen_recipe"),
        (MIGRATION, "recipes_recipe", "kitchen_recipe"),
    ),
    _mutant(
        "the demo is broken",
        _DEMO,
        (PLUGIN, '"difficulty": "easy", "tags"', '"difficulty": "medium", "tags"'),
    ),
    _mutant(
        "a hook refuses approvals",
        "an_approved_item_is_public",
        _on_move("approve", 'raise Invalid("No")'),
    ),
    _mutant(
        "a hook publishes at the request",
        "an_approved_item_is_public",
        _on_move("request", _PUBLISH),
    ),
    _mutant(
        "a callback changes the item",
        "an_edit_of_published_content_is_staged",
        (
            PLUGIN,
            "    before_change=check_recipe,\n",
            '    before_change=lambda _, it: it.item and setattr(it.item, "title", "Saved"),\n',
        ),
    ),
    _mutant(
        "a migration has another type",
        _MIGRATIONS,
        (MIGRATION, '"servings", sa.BigInteger()', '"servings", sa.Text()'),
    ),
    _mutant(
        "public lists show one item",
        "many_are_published",
        _after(PLUGIN, _TYPE, "    page=1,\n"),
    ),
    _mutant(
        "a feed shows a staff-only field",
        START,
        (PLUGIN, 'date="firstPublishedAt"', 'date="firstPublishedAt", image="kitchenNote"'),
    ),
    _mutant(
        "a migration drops the reference to the author",
        _MIGRATIONS,
        _migrated(
            '    with op.batch_alter_table("recipes_recipe") as batch_op:\n'
            '        batch_op.drop_constraint("fk_recipes_recipe_created_by", type_="foreignkey")\n'
        ),
    ),
    _mutant(
        "a job raises",
        "its_jobs_and_checks_run",
        (PLUGIN, "select(func.count()).select_from(Recipe))", "Recipe.missing)"),
    ),
    _mutant(
        "a check raises",
        "its_jobs_and_checks_run",
        (PLUGIN, "connection.scalar(_COUNT)", "connection.scalar(None)"),
    ),
)
"""The mutants. Two are left out, because they harm nothing: a mutable default that items share, and
an own endpoint at the address of an item, as the kit reserves such slugs."""
