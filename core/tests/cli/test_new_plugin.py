"""``masthead new-plugin`` writes a plugin that works."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from runpy import run_path
from zipfile import ZipFile

import pytest
from click.testing import Result
from packaging.requirements import Requirement
from packaging.version import Version
from uv import find_uv_bin

from masthead.cli.plugin_fields import KINDS

LONGEST = 30
RULES = ["--select", "E,F,B,I,UP,D1,ANN", "--per-file-ignores", "**/versions/*:D1"]
ARGUMENTS = {
    "bool": "",
    "choice": ":easy,hard,ein wirklich langes Wort mit vielen Zeichen und noch mehr,weiter",
    "date": "",
    "email": "",
    "geo": "",
    "html": "",
    "int": ":0,60",
    "json": ":size,colour",
    "line": ":80",
    "list": "",
    "number": ":10.2",
    "ref": ":recipes",
    "refs": ":recipes",
    "sum": ":int_a,count",
    "text": "",
    "time": "",
    "url": "",
}
"""An argument for each kind of field; the name of a field is its kind."""
FURTHER = (
    "count:int",
    "whole:number:12.0",
    "loose:json",
    "weight:number",
    "shelf:ref:shelves",
    "sum_a:sum:int_a,count",
    "sum_b:sum:number_a,whole,weight",
)
"""Further fields, among them one of an unknown kind, one of the own kind, and sums."""
FILTERS = ["--filter", "choice_a", "--filter", "bool_a", "--filter", "int_a", "--filter", "date_a"]
FILTERS += ["--filter", "numberA", "--filter", "line_a", "--filter", "lang"]


@pytest.fixture
def recipes(run: Callable[..., Result], tmp_path: Path) -> Path:
    """Write a plugin by the command."""
    folder = tmp_path / "masthead_recipes"
    assert run("new-plugin", "recipes", folder).exit_code == 0
    return folder


def with_all_kinds() -> list[str]:
    """Return the options of a plugin with a field of each kind."""
    texts = [f"{kind}_a:{kind}{argument}" for kind, argument in ARGUMENTS.items() if kind != "sum"]
    return [part for text in [*texts, *FURTHER] for part in ("--field", text)]


def ended(command: list[str], folder: Path, environ: Mapping[str, str]) -> str:
    """Run a command, which has to succeed, and return its output."""
    done = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def installed_wheel(plugin: Path, folder: Path, environ: Mapping[str, str]) -> Path:
    """Build the wheel of a plugin, and return a folder with its installed files."""
    build = [find_uv_bin(), "build", "--wheel", "--no-build-isolation", "--quiet"]
    options = {"UV_PYTHON": sys.executable, "UV_PYTHON_DOWNLOADS": "never"}
    ended([*build, "--out-dir", str(folder), str(plugin)], plugin, {**environ, **options})
    [wheel] = folder.glob("*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


VARIANTS = pytest.mark.parametrize(
    ("kind", "options"),
    [
        pytest.param("content", [], marks=pytest.mark.exhaustive),
        ("content", [*with_all_kinds(), *FILTERS, "--expires", "time_a"]),
        pytest.param("resource", [], marks=pytest.mark.exhaustive),
        ("resource", [*with_all_kinds(), *FILTERS[:6]]),
        ("plain", []),
    ],
    ids=["content", "content-fields", "resource", "resource-fields", "plain"],
)


@pytest.mark.slow
@VARIANTS
def test_its_wheel_migrates_and_passes_its_tests(
    run: Callable[..., Result],
    tmp_path: Path,
    program: list[str],
    environ: Mapping[str, str],
    kind: str,
    options: list[str],
) -> None:
    recipes = tmp_path / "recipes"
    written = run("new-plugin", "recipes", recipes, "--kind", kind, *options)
    assert written.exit_code == 0, written.output
    site = installed_wheel(recipes, tmp_path / "wheel", environ)
    environ = {**environ, "PYTHONPATH": str(site), "MASTHEAD_PLUGINS": "recipes"}
    tests = str(shutil.copytree(recipes / "tests", tmp_path / "tests"))

    if kind != "plain":
        assert ended([*program, "db", "upgrade"], tmp_path, environ).startswith("Migrated core, re")
        checked = ended([*program, "db", "check"], tmp_path, environ)
        assert checked == "The tables equal the models\n"
    pytest_alone = [sys.executable, "-m", "pytest", "-q", "--rootdir", tests, tests]
    assert "passed" in ended(pytest_alone, tmp_path, environ)


@pytest.mark.slow
@pytest.mark.any_database
@VARIANTS
def test_linters_find_nothing_in_its_files(
    run: Callable[..., Result],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    environ: Mapping[str, str],
    kind: str,
    options: list[str],
) -> None:
    # ruff takes the options of the folder in which it runs.
    monkeypatch.chdir(tmp_path)
    recipes, python = tmp_path / "recipes", [sys.executable, "-m"]
    written = run("new-plugin", "recipes", recipes, "--kind", kind, *options)
    assert written.exit_code == 0, written.output

    ended([*python, "ruff", "check", *RULES, "."], recipes, environ)
    ended([*python, "ruff", "format", "--check", "."], recipes, environ)
    checked = {**environ, "MYPYPATH": str(recipes), "PYTHONPATH": str(recipes)}
    ended([*python, "mypy", "--strict", "-p", "masthead_recipes"], tmp_path, checked)
    ended([*python, "mypy", "--strict", str(recipes / "tests")], tmp_path, checked)


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("bookings", ['label="Booking",']),
        ("stories", ['label="Story",']),
        ("boxes", ['label="Box",']),
        ("staff", ['label="Staff",', 'plural="Staff",']),
    ],
)
def test_its_items_have_the_name_of_the_plugin_in_the_singular(
    run: Callable[..., Result], tmp_path: Path, name: str, labels: list[str]
) -> None:
    assert run("new-plugin", name, tmp_path / "new", "--kind", "resource").exit_code == 0

    lines = (tmp_path / f"new/masthead_{name}/plugin.py").read_text("utf-8").splitlines()
    assert [each.strip() for each in lines if re.match(r" +(label|plural)=", each)] == labels


@pytest.mark.parametrize("kind", ["content", "resource"])
def test_each_kind_of_field_has_a_column_in_the_migration(
    run: Callable[..., Result], tmp_path: Path, kind: str
) -> None:
    new = tmp_path / "new"

    written = run("new-plugin", "recipes", new, "--kind", kind, *with_all_kinds(), *FILTERS[:6])

    assert written.exit_code == 0, written.output
    assert written.stderr == "No installed plugin has shelves; the tests refer to none\n"
    assert ARGUMENTS.keys() == KINDS.keys()
    models = run_path(str(new / "masthead_recipes/models.py"))
    names = models["Item"].__table__.columns.keys()
    own = [name for name in names if re.search(r"_a(_|$)", name)]
    assert {*own} >= {f"{kind}_a" for kind in ARGUMENTS.keys() - {"ref", "refs", "sum"}}
    assert {*own} >= {"ref_a_id", "refs_a_ids"}
    migration = (new / "masthead_recipes/migrations/versions/0001_first_tables.py").read_text()
    # Only ruff, where it is installed, writes double quotes.
    columns = re.findall(r"sa\.Column\([\"'](\w+)", migration)
    assert {*own} <= {*columns}
    [test] = (new / "tests").iterdir()
    assert 'return ["recipes"]' in test.read_text("utf-8")
    assert [path for path in new.rglob("*") if path.suffix == ".pyc"] == []


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--field", "price"), "price: there is no kind ''; there are bool, choice, date"),
        (("--field", "price:nummer"), "there is no kind 'nummer'; did you mean number?"),
        (("--field", "Price:int"), "a name has the form opens_at, and at most 40 characters"),
        (("--field", f"{'a' * 41}:int"), "a name has the form opens_at, and at most 40"),
        (("--field", "class:int"), "a name has the form opens_at"),
        (("--field", "title:line"), "an item can't have a further title; choose another name"),
        (("--field", "list:list"), "an item can't have a further list; choose another name"),
        (("--field", "registry:line"), "an item can't have a further registry; choose another"),
        (("--field", "metadata:line"), "an item can't have a further metadata; choose another"),
        (("--kind", "resource", "--field", "name:line"), "an item can't have a further name"),
        (
            (
                "--kind",
                "resource",
                "--field",
                "a:int",
                "--field",
                "b:int",
                "--field",
                "name:sum:a,b",
            ),
            "an item can't have a further name",
        ),
        (("--kind", "resource", "--field", "published:line"), "can't have a further published"),
        (("--field", "live:bool"), "no field can be named live; reserved names are"),
        (("--field", "price:int", "--field", "price:number"), "there are two fields price"),
        (("--field", "a:ref:b", "--field", "a_id:int"), "there are two fields a_id"),
        (("--field", "price:number:10"), "the argument is the number of digits"),
        (("--field", "price:number:20.2"), "at most 12 before it and 6 after it"),
        (("--field", "hours:int:1"), "the least and the greatest number, such as 1,60"),
        (("--field", "hours:int:60,1"), "the least number comes first"),
        (("--field", "hours:int:0,99999999999999999999"), "the least and the greatest number"),
        (("--field", "level:choice"), "the argument has different words, such as easy,hard"),
        (("--field", "level:choice:easy,easy"), "the argument has different words"),
        (("--field", 'level:choice:"a",b'), "the argument has different words"),
        (("--field", "level:choice:easy, "), "the argument has different words"),
        (("--field", "level:choice:easy, easy"), "the argument has different words"),
        (("--field", "options:json:size, "), "the names of the members, such as size,colour"),
        (("--field", "hours:int:1, "), "the least and the greatest number, such as 1,60"),
        (("--field", "options:json:size,size"), "the names of the members, such as size,colour"),
        (("--field", "opens:date:2026"), "this kind takes no argument"),
        (("--field", "name:line:many"), "the maximum number of characters, such as 80"),
        (("--field", "venue:ref"), "the name of a content type or resource, such as venues"),
        (("--field", "a:int", "--field", "b:sum:a"), "the names of fields, such as cooking,baking"),
        (("--field", "b:sum:a,c"), "a sum names earlier fields that are all int, or all number"),
        (("--filter", "nothing"), "there is no field nothing; there are link"),
        (("--filter", "link"), "recipes: public_filters names link, but accepts only"),
        (("--expires", "link"), "expires names link, but accepts only a field of the type"),
        (("--kind", "plain", "--field", "a:int"), "a plain plugin has no --field"),
        (("--kind", "resource", "--expires", "a"), "--expires needs --kind content"),
        (
            ("--kind", "resource", "--field", "a:geo", "--filter", "a"),
            "recipes: order and filters can't name fields of JSON: a",
        ),
        (
            ("--field", f"{'a' * 40}:int", "--filter", "a" * 40),
            "databases take 63; choose a shorter name for it, the table or its columns",
        ),
    ],
)
def test_a_message_names_a_wrong_option_and_no_files_are_left(
    run: Callable[..., Result], tmp_path: Path, options: tuple[str, ...], line: str
) -> None:
    name = "recipes" if "a" * 40 not in options else "a" * LONGEST
    result = run("new-plugin", name, tmp_path / "new", *options)

    assert result.exit_code in (1, 2)
    [last] = [text for text in result.stderr.splitlines() if text.startswith("Error: ")]
    assert line in last
    assert not (tmp_path / "new").exists()
    assert f"masthead_{name}" not in sys.modules


def test_the_plugin_requires_this_minor_version_of_core(
    recipes: Path,
) -> None:
    project = tomllib.loads((recipes / "pyproject.toml").read_text("utf-8"))["project"]

    required = [Requirement(text) for text in project["dependencies"]]
    [versions] = [each.specifier for each in required if each.name == "masthead-core"]

    core = Version(version("masthead-core"))
    assert str(core) in versions
    assert f"{core.major}.{core.minor}.999" in versions
    assert f"{core.major}.{core.minor + 1}.0" not in versions


def test_the_longest_name_leaves_room_for_the_names_of_constraints(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    name = "a" * LONGEST

    assert run("new-plugin", name, tmp_path / "new").exit_code == 0

    models = run_path(str(tmp_path / "new" / f"masthead_{name}" / "models.py"))
    tables = models["Base"].metadata.tables.values()
    names = [each.name for table in tables for each in (*table.indexes, *table.constraints)]
    assert max(map(len, names)) <= 63


@pytest.mark.parametrize(
    "name", ["", "Recipes", "my-recipes", "1recipes", "a b", "ä", "../x", "a" * (LONGEST + 1)]
)
def test_an_invalid_name_is_a_usage_error(
    run: Callable[..., Result], tmp_path: Path, name: str
) -> None:
    result = run("new-plugin", name, tmp_path / "new")

    assert result.exit_code == 2
    assert not (tmp_path / "new").exists()


def test_blanks_around_the_parts_of_an_argument_do_not_count(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    texts = ("level:choice:easy, very hard ", "size:json:a, b", "one:int:0, 60", "two:int: 1,2")
    fields = [part for text in (*texts, "all:sum:one, two") for part in ("--field", text)]

    written = run("new-plugin", "recipes", tmp_path / "new", *fields, "--filter", "level")

    assert written.exit_code == 0, written.output
    models = (tmp_path / "new/masthead_recipes/models.py").read_text("utf-8")
    for code in ('Choice("easy", "very hard")', "Int(0, 60)", "Int(1, 2)", '"b": {"type"'):
        assert code in models
    plugin = (tmp_path / "new/masthead_recipes/plugin.py").read_text("utf-8")
    assert "table.c.one + table.c.two" in plugin


def test_lists_of_a_resource_can_be_filtered_by_the_name_that_it_always_has(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    written = run("new-plugin", "sheds", tmp_path / "new", "--kind", "resource", "--filter", "name")

    assert written.exit_code == 0, written.output
    plugin = (tmp_path / "new/masthead_sheds/plugin.py").read_text("utf-8")
    assert 'filters=("name",),' in plugin


def test_no_file_is_overwritten(run: Callable[..., Result], recipes: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in recipes.rglob("*") if path.is_file()}

    again = run("new-plugin", "podcast", recipes)
    taken = run("new-plugin", "core", tmp_path / "other")

    assert (again.exit_code, taken.exit_code) == (1, 1)
    assert before == {path: path.read_bytes() for path in recipes.rglob("*") if path.is_file()}
    assert not (tmp_path / "other").exists()
