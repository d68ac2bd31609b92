"""Plugins with one mistake each, and the line that names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PLUGIN = 'plugin = Plugin("zebras", hooks=(__name__,))\n'
HEAD = """\
from datetime import timedelta
from masthead import *
import masthead
from sqlalchemy.orm import DeclarativeBase, Mapped
"""
MODEL = """\
class Base(DeclarativeBase):
    metadata = plugin_metadata("zebras")


class Zebra(ContentItem, Base):
    __tablename__ = "zebras_zebra"
    stripes: Mapped[int] = masthead.field(Int(1), required=True)


"""
WITH_BASE = 'plugin = Plugin("zebras", hooks=(__name__,), base=Base)\n'
AT = "zebras/plugin.py"
FAILS = "plugin zebras fails in"
CANNOT = "plugin zebras can't be imported:"
CORRECT = "; correct the plugin, or leave it out of masthead.plugins"


@dataclass(frozen=True)
class Broken:
    """A plugin with a mistake."""

    code: str
    """The lines of the plugin's module below the imports."""
    message: str
    """The expected error, with ``{line}`` for the line that contains ``# here``."""
    head: str = HEAD
    files: Mapping[str, str] = field(default_factory=dict)
    """Further files of the distribution by path."""

    @property
    def text(self) -> str:
        """The content of ``zebras/plugin.py``."""
        return self.head + self.code

    @property
    def expected(self) -> str:
        """The expected line."""
        lines = [n for n, each in enumerate(self.text.splitlines(), 1) if "# here" in each]
        return self.message.replace("{line}", str(lines[0]) if lines else "?")


def hook(name: str, answer: str, arguments: str = "", above: str = "@hookimpl") -> str:
    """Return the code of a hook with an answer, and the plugin."""
    return f"{above}  # here\ndef {name}({arguments}):\n    return {answer}\n\n\n{PLUGIN}"


def raising(name: str, arguments: str = "") -> str:
    """Return the code of a hook that raises, and the plugin."""
    code = f"@hookimpl\ndef {name}({arguments}):\n    raise LookupError('no zebra')  # here\n\n\n"
    return code + PLUGIN


def route(options: str) -> str:
    """Return the code of a plugin with an endpoint."""
    view = "def show(request):\n    return {}\n\n\n"
    shared = 'permission=masthead.PUBLIC, returns="text/plain", view=show'
    return view + hook("masthead_routes", f"[Endpoint({shared}, {options})]")


def content(options: str, here: str = "@hookimpl") -> str:
    """Return the code of a plugin with a content type; the error is in the line with ``here``."""
    kind = f"KIND = ContentType(model=Zebra, {options})\n\n\n"
    listed = "@hookimpl\ndef masthead_content_types():\n    return [KIND]\n\n\n"
    lines = (MODEL + kind + listed + WITH_BASE).splitlines()
    return "\n".join(f"{line}  # here" if here in line else line for line in lines) + "\n"


def in_hook(name: str, message: str) -> str:
    """Return the error of a hook."""
    return f"plugin zebras fails in {name}: {message} ({AT}:{{line}}){CORRECT}"


DECLARING = (
    "masthead_settings",
    "masthead_content_types",
    "masthead_resources",
    "masthead_permissions",
    "masthead_navigation",
    "masthead_routes",
    "masthead_checks",
    "masthead_jobs",
)
ZEBRAS = 'name="zebras", label="Zebra", order="-createdAt"'
GET = 'name="zebras.show", method="GET"'
HOOKS_OF_CLASS = """\
class Hooks:
    @hookimpl  # here
    def masthead_settings(self):
        return []


plugin = Plugin("zebras", hooks=(Hooks,))
"""
JOB = """\
@hookimpl
def masthead_jobs():
    return [Job("zebras.count")]  # here


"""
UNMARKED = """\
def masthead_routes():  # here
    return []


"""
TWICE = """\
@hookimpl
def masthead_content_types():
    return [ContentType("zebras", "Zebra", Zebra), ContentType("zebus", "Zebu", Zebra)]  # here


"""
CHECK = """\
def trouble(instance):
    raise LookupError("no zebra")  # here


@hookimpl
def masthead_checks():
    return [Check("zebras", trouble, start=True)]


"""
BROKEN: dict[str, Broken] = {
    "raises at its import": Broken(
        "raise RuntimeError('no\\nzebra')  # here\n",
        f"{CANNOT} RuntimeError: no zebra ({AT}:{{line}}){CORRECT}",
    ),
    "imports a missing module": Broken(
        "import zoology  # here\n",
        f"{CANNOT} ModuleNotFoundError: No module named 'zoology' ({AT}:{{line}}){CORRECT}",
    ),
    "has wrong syntax in another module": Broken(
        "import zebras.other\n",
        f"{CANNOT} SyntaxError: '(' was never closed (zebras/other.py:2){CORRECT}",
        files={"zebras/other.py": "a = 1\nx = (\n"},
    ),
    "ends the program at its import": Broken(
        "import sys\nsys.exit(3)  # here\n", f"{CANNOT} SystemExit: 3 ({AT}:{{line}}){CORRECT}"
    ),
    "lacks the object of its entry point": Broken(
        "",
        f"{CANNOT} AttributeError: module 'zebras.plugin' has no attribute 'plugin'"
        f" (zebras.plugin:plugin){CORRECT}",
    ),
    "has another name than its entry point": Broken(
        'plugin = Plugin("horses", hooks=())\n',
        "entry point zebras (zebras.plugin:plugin) is not a Plugin of that name",
    ),
    "names a hook's module without a tuple": Broken(
        'plugin = Plugin("zebras", hooks=__name__)  # here\n',
        f"{CANNOT} TypeError: hooks must be a tuple, such as hooks=(__name__,) ({AT}:{{line}})"
        + CORRECT,
    ),
    "declares a wrong kind of column": Broken(
        content(ZEBRAS, "stripes").replace("Int(1)", "int"),
        f"{CANNOT} A column can't hold the kind type ({AT}:{{line}}){CORRECT}",
    ),
    "has hooks of a class instead of an object": Broken(
        HOOKS_OF_CLASS,
        in_hook(
            "masthead_settings",
            "TypeError: Hooks.masthead_settings() missing 1 required positional argument: 'self'",
        ),
    ),
    "misspells a hook": Broken(
        hook("masthead_rotues", "[]"),
        f"plugin zebras implements the unknown hook masthead_rotues ({AT}:{{line}});"
        " did you mean masthead_routes?",
    ),
    "forgets the marker of a hook": Broken(
        UNMARKED + PLUGIN,
        f"plugin zebras has the function masthead_routes without @hookimpl ({AT}:{{line}});"
        " add the marker",
    ),
    "demands an argument that a hook lacks": Broken(
        hook("masthead_settings", "[]", "request"),
        "plugin zebras implements masthead_settings wrongly: Argument(s) {'request'} are declared"
        f" in the hookimpl but can not be found in the hookspec ({AT}:{{line}});"
        " docs/hooks.md has its arguments",
    ),
    **{
        f"raises in {name}": Broken(raising(name), in_hook(name, "LookupError: no zebra"))
        for name in DECLARING
    },
    "returns None": Broken(
        hook("masthead_settings", "None"),
        in_hook("masthead_settings", "it returns None instead of list[Setting[Any]]"),
    ),
    "returns a dict": Broken(
        hook("masthead_routes", "{}"),
        in_hook("masthead_routes", "it returns a dict instead of list[Endpoint]"),
    ),
    "returns a class": Broken(
        hook("masthead_content_types", "[ContentType]"),
        in_hook(
            "masthead_content_types",
            "it returns the class ContentType instead of an object of it",
        ),
    ),
    "returns texts": Broken(
        hook("masthead_permissions", "['zebras.read']"),
        in_hook("masthead_permissions", "it returns a str in its list, not list[Permission]"),
    ),
    "builds a job without its interval": Broken(
        JOB + PLUGIN,
        in_hook(
            "masthead_jobs",
            "TypeError: Job.__init__() missing 2 required positional arguments: 'every' and 'run'",
        ),
    ),
    "writes a method in small letters": Broken(
        route('name="zebras.show", method="get", path="/api/zebras"'),
        "plugin zebras: get /api/zebras (zebras.show): the method is one of GET, POST, PUT, PATCH,"
        f" DELETE, in capitals ({AT}:{{line}}){CORRECT}",
    ),
    "writes a path without its slash": Broken(
        route(f'{GET}, path="api/zebras"'),
        "plugin zebras: GET api/zebras (zebras.show): the path begins with a slash"
        f" ({AT}:{{line}}){CORRECT}",
    ),
    "repeats a placeholder": Broken(
        route(f'{GET}, path="/api/{{a}}/{{a}}"'),
        "plugin zebras: GET /api/{a}/{a} (zebras.show): each placeholder of a path has a name of"
        f" its own ({AT}:{{line}}){CORRECT}",
    ),
    "has a path of core": Broken(
        route(f'{GET}, path="/api/tags"'),
        f"core and zebras both declare GET /api/tags (zebras.show) ({AT}:{{line}});"
        " rename it in zebras",
    ),
    "has the name of an endpoint of core": Broken(
        route('name="tags.list", method="GET", path="/api/zebras"'),
        f"core and zebras both declare GET /api/zebras (tags.list) ({AT}:{{line}});"
        " rename it in zebras",
    ),
    "requires a permission that nobody declares": Broken(
        route(f'{GET}, path="/api/zebras"').replace("masthead.PUBLIC", '"zebras.raed"'),
        "plugin zebras: zebras.show requires zebras.raed, which is not declared"
        f" ({AT}:{{line}}); declare it in masthead_permissions, or correct its name",
    ),
    "requires a plugin that isn't installed": Broken(
        'plugin = Plugin("zebras", hooks=(), requires=("horses",))\n',
        "plugin zebras requires horses, which is not installed; install it",
    ),
    "has a content type with an address of core": Broken(
        content('name="tags", label="Zebra", order="-createdAt"'),
        "plugin zebras: its tags has an address of core, GET /api/staff/tags"
        f" ({AT}:{{line}}); choose another name",
    ),
    "has a content type with the name of another plugin's": Broken(
        content('name="people", label="Zebra", order="-createdAt"'),
        "people and zebras both declare the content type or resource people"
        f" ({AT}:{{line}}); rename it in zebras",
    ),
    "declares two content types of one model": Broken(
        MODEL + TWICE + WITH_BASE,
        in_hook(
            "masthead_content_types",
            "Zebra has a content type already; declare it once, outside of the hook",
        ),
    ),
    "names a content type with a sign": Broken(
        content('name="Zebras!", label="Zebra"', "KIND ="),
        f"{CANNOT} 'Zebras!' is no name for a content type: use a-z, 0-9 and -, beginning with a"
        f" letter ({AT}:{{line}}){CORRECT}",
    ),
    "leaves an option of a content type out": Broken(
        content('name="zebras"', "KIND ="),
        f"{CANNOT} TypeError: ContentType.__init__() missing 1 required positional argument:"
        f" 'label' ({AT}:{{line}}){CORRECT}",
    ),
    "has a table without its prefix": Broken(
        content(ZEBRAS).replace("zebras_zebra", "zebra"),
        f"plugin zebras: its table zebra must be named zebras_…{CORRECT}",
    ),
    "has a base class without its metadata": Broken(
        content(ZEBRAS).replace('metadata = plugin_metadata("zebras")', "pass"),
        'plugin zebras: its base class must have metadata = plugin_metadata("zebras")' + CORRECT,
    ),
    "has a setting without its prefix": Broken(
        hook("masthead_settings", '[Setting("masthead.stripes", masthead.text, "", "Stripes.")]'),
        "plugin zebras: its setting masthead.stripes must be named masthead.zebras.…"
        f" ({AT}:{{line}}){CORRECT}",
    ),
    "has a wrong default": Broken(
        hook(
            "masthead_settings", '[Setting("masthead.zebras.n", masthead.integer(1, 2), "7", "")]'
        ),
        "the default of masthead.zebras.n: expected a whole number from 1 to 2, got '7'",
    ),
    "has a permission of core": Broken(
        hook("masthead_permissions", '[Permission("admin", "Do all.")]'),
        f"core and zebras both declare the permission admin ({AT}:{{line}}); rename it in zebras",
    ),
    "has a job of core": Broken(
        hook("masthead_jobs", '[Job("content.search", timedelta(hours=1), print)]'),
        f"core and zebras both declare the job content.search ({AT}:{{line}}); rename it in zebras",
    ),
    "raises in a check of the start": Broken(
        CHECK + PLUGIN,
        f"plugin zebras fails in its check zebras: LookupError: no zebra ({AT}:{{line}}){CORRECT}",
    ),
    "names missing migrations": Broken(
        'plugin = Plugin("zebras", hooks=(), migrations="zebras.migrations")\n',
        "plugin zebras names the package zebras.migrations as its migrations: ModuleNotFoundError:"
        f" No module named 'zebras.migrations'{CORRECT}",
    ),
    "names a package without templates": Broken(
        'plugin = Plugin("zebras", hooks=(), texts="zebras")\n',
        "plugin zebras: its package zebras (texts) has no folder templates or translations"
        + CORRECT,
    ),
}
