"""Run the development commands of Masthead in an environment that is made on demand.

It needs only Python with pip. uv is in .dev/uv and the environment in .dev/venv; both are updated
when constraints.txt or a pyproject.toml changes.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
DEV = ROOT / ".dev"
UV = DEV / "uv"
VENV = DEV / "venv"
STAMP = VENV / "made-from"
RECEIVED = DEV / "received"
CONSTRAINTS = ROOT / "constraints.txt"
PROJECT = ROOT / "pyproject.toml"
DECLARATIONS = (
    "constraints.txt",
    "pyproject.toml",
    *(f"{each}/*.toml" for each in ("core", "plugins/*", "clients/*")),
)
DATABASES = ("sqlite", "postgresql")
PRODUCT, SLOW, NIGHTLY = "product", "slow", "nightly"
GROUPS = {"": f"not {PRODUCT} and not {SLOW}", PRODUCT: f"{PRODUCT} and not {SLOW}", SLOW: SLOW}
"""The tests that a word selects, as an expression of marks; see conftest.py."""
# The tests with random input, faults and large files, with more of them than in each run.
NIGHTLY_NUMBERS = {
    "MASTHEAD_TEST_ROUNDS": "200",
    "MASTHEAD_TEST_KILLS": "20",
    "MASTHEAD_TEST_WALKS": "30",
    "MASTHEAD_TEST_EXAMPLES": "40",
    "MASTHEAD_TEST_ENDS": "4",
    "MASTHEAD_TEST_MUTANTS": "all",
    "MASTHEAD_TEST_NUMBERS": "12",
    "MASTHEAD_TEST_UPGRADED": "2",
    "MASTHEAD_TEST_IMAGES": "20000",
    "MASTHEAD_TEST_SEARCHES": "2000",
    "MASTHEAD_TEST_BACKUPS": "50",
    "MASTHEAD_TEST_CHANGES": "100000",
    "MASTHEAD_TEST_OUTAGE": "10",
    "MASTHEAD_TEST_IMPORTED": "100000",
    "MASTHEAD_TEST_RECIPIENTS": "20000",
    "MASTHEAD_TEST_REQUESTS": "70000",
    "MASTHEAD_TEST_SOAK": "1200",
}
LINTERS = {
    "lint": (["ruff", "check"], ["ruff", "format", "--check"]),
    "types": (["mypy"],),
    "imports": (["lint-imports", "--no-logo"],),
    "english": (["python", "-m", "tools.english"],),
}
MIRROR = re.compile(r"^constraint-dependencies = \[\n(.*?)^\]\n", re.MULTILINE | re.DOTALL)


class StepError(Exception):
    """A step that failed; the message is one line for the terminal."""


def main() -> None:
    """Run the command that the arguments name; exit with 1 and one line if a step fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help=_describe())
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="arguments of the command")
    options = parser.parse_args()
    os.chdir(ROOT)
    path = os.environ.get("PATH", os.defpath)
    os.environ.update(PATH=f"{VENV / 'bin'}{os.pathsep}{path}", VIRTUAL_ENV=str(VENV))
    # Tests start hundreds of programs. Without stored bytecode, each would compile all its imports.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(DEV / "bytecode"))
    # uv then uses the certificates of the system, as pip does.
    os.environ.setdefault("UV_SYSTEM_CERTS", "true")
    try:
        COMMANDS[options.command](options.arguments)
    except StepError as error:
        sys.exit(f"dev.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def serve(arguments: list[str]) -> NoReturn:
    """Start Masthead by "masthead serve" with the same arguments."""
    run(["masthead", "serve", *arguments])


def test(arguments: list[str]) -> None:
    """Run the quick tests on SQLite; other words: product, slow, nightly, postgresql."""
    sync()
    known = (*DATABASES, *GROUPS, NIGHTLY)
    words = list(itertools.takewhile(lambda word: word in known, arguments))
    chosen = [word for word in words if word in DATABASES]
    database = [os.environ.get("MASTHEAD_TEST_DATABASE") or DATABASES[0], *chosen][-1]
    group = ["", *(word for word in words if word in GROUPS)][-1]
    named = arguments[len(words) :]
    if NIGHTLY in words:
        _test_at_length(database, named)
        return
    if named:
        options = [*(["-m", GROUPS[group]] if group else []), *named]
    else:
        options = _everything(database, group)
    # A worker without tests takes some of another one, whose last tests may be long.
    parallel = ["-n", "auto", "--dist", "worksteal"]
    if _call(["pytest", *parallel, *options], {"MASTHEAD_TEST_DATABASE": database}):
        raise StepError(f"tests failed on {database}")


def _test_at_length(database: str, named: list[str]) -> None:
    """Run all tests, or those named, with the numbers of a night."""
    marks = [] if database == DATABASES[0] or named else ["-m", "database"]
    # One after the other, because some measure times and others use the whole machine.
    numbers = {**NIGHTLY_NUMBERS, **os.environ, "MASTHEAD_TEST_DATABASE": database}
    if _call(["pytest", *marks, *named], numbers):
        raise StepError(f"tests failed on {database}")


def _everything(database: str, group: str) -> list[str]:
    """Return the options of a run that selects tests by marks only."""
    if database != DATABASES[0]:
        return ["-m", f"{GROUPS[group]} and database"]
    # The quick tests and those of the product together receive each declared answer.
    together = ["--received", str(RECEIVED)]
    if not group:
        RECEIVED.unlink(missing_ok=True)
    elif group == PRODUCT and RECEIVED.exists():
        together.append("--check-declared")
    return ["-m", GROUPS[group], *([] if group == SLOW else together)]


def lint(arguments: list[str]) -> None:
    """Check style, types, imports and English, or one of: lint, types, imports, english."""
    if unknown := set(arguments) - set(LINTERS):
        raise StepError(f"lint knows {', '.join(LINTERS)}, not {', '.join(sorted(unknown))}")
    sync()
    commands = [command for name in arguments or LINTERS for command in LINTERS[name]]
    failed = [" ".join(command) for command in commands if _call(command, {})]
    if failed:
        raise StepError(f"failed: {', '.join(failed)}")


def lock(arguments: list[str]) -> None:
    """Update constraints.txt and its mirror; --upgrade selects the newest versions."""
    if arguments not in ([], ["--upgrade"]):
        raise StepError("lock takes nothing but --upgrade")
    before = PROJECT.read_text("utf-8")
    if arguments:
        PROJECT.write_text(MIRROR.sub("constraint-dependencies = [\n]\n", before), "utf-8")
    try:
        fetch_uv()
        _uv("lock", "--quiet", *arguments)
        _uv("export", "--quiet", "--frozen", "--all-packages", "--all-extras", "--all-groups",
            "--no-emit-workspace", "--no-hashes", "--no-annotate", "--no-header",
            "--output-file", str(CONSTRAINTS))  # fmt: skip
    except (StepError, KeyboardInterrupt):
        PROJECT.write_text(before, "utf-8")
        raise
    pins = CONSTRAINTS.read_text("utf-8").splitlines()
    lines = "".join(f'    "{pin}",\n' for pin in pins)
    mirror = f"constraint-dependencies = [\n{lines}]\n"
    PROJECT.write_text(MIRROR.sub(lambda _: mirror, before), "utf-8")


def bench(arguments: list[str]) -> NoReturn:
    """Measure speed and memory; arguments select benchmarks, such as writers or reading."""
    run(["python", "-m", "tests.bench", *arguments])


def build(arguments: list[str]) -> NoReturn:
    """Build all wheels and sdists into dist/; --check checks, installs and tests them."""
    run(["python", "-m", "tools.build", *arguments])


def docs(arguments: list[str]) -> NoReturn:
    """Build the documentation's website into build/docs; --serve serves it locally."""
    run(["python", "-m", "tools.docs", *arguments])


def translations(arguments: list[str]) -> NoReturn:
    """Bring the catalogues of translations up to date; --check only names what is missing."""
    run(["python", "-m", "tools.translations", *arguments])


def version(arguments: list[str]) -> NoReturn:
    """Print the version; an argument such as 0.2.0 sets it in all files."""
    run(["python", "-m", "tools.version", *arguments])


def run(arguments: list[str]) -> NoReturn:
    """Run a program of the environment; it replaces the process of dev.py."""
    if not arguments:
        raise StepError("run needs a command, such as: run masthead settings")
    sync()
    try:
        os.execvp(arguments[0], arguments)  # noqa: S606 (no shell is meant)
    except OSError as error:
        raise StepError(f"{arguments[0]}: {error.strerror}") from None


COMMANDS = {
    "serve": serve,
    "test": test,
    "lint": lint,
    "bench": bench,
    "docs": docs,
    "build": build,
    "translations": translations,
    "version": version,
    "lock": lock,
    "run": run,
}


def sync() -> None:
    """Update the environment if a declaration, a pin or the version of Python changed."""
    wanted = _fingerprint()
    if STAMP.exists() and STAMP.read_text("utf-8") == wanted:
        return
    fetch_uv()
    print("dev.py: making the environment in .dev/venv", file=sys.stderr, flush=True)
    _uv("sync", "--quiet", "--all-packages", "--all-extras", "--all-groups",
        "--python", sys.executable)  # fmt: skip
    STAMP.write_text(wanted, "utf-8")


def fetch_uv() -> None:
    """Install the pinned version of uv into .dev/uv; --target works despite PEP 668."""
    pin = re.search(r"^uv==(\S+)", CONSTRAINTS.read_text("utf-8"), re.MULTILINE)
    if pin is None:
        raise StepError("constraints.txt has no line for uv")
    if (UV / f"uv-{pin[1]}.dist-info").is_dir():
        return
    print(f"dev.py: fetching uv {pin[1]} into .dev/uv", flush=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    if subprocess.run([*pip, "--version"], capture_output=True, check=False).returncode:
        raise StepError(f"{sys.executable} has no pip (on Debian: apt install python3-pip)")
    install = [*pip, "install", "--quiet", "--root-user-action=ignore", "--upgrade", "--no-deps"]
    if _call([*install, "--target", str(UV), f"uv=={pin[1]}"], {}):
        raise StepError("pip could not fetch uv")


def _uv(*arguments: str) -> None:
    environ = {"UV_PROJECT_ENVIRONMENT": str(VENV), "UV_PYTHON_DOWNLOADS": "never"}
    if _call([str(UV / "bin" / "uv"), *arguments], environ):
        raise StepError(f"uv {arguments[0]} failed")


def _call(command: list[str], environ: dict[str, str]) -> int:
    try:
        return subprocess.run(command, env={**os.environ, **environ}, check=False).returncode
    except OSError as error:
        raise StepError(f"{command[0]}: {error.strerror}") from None


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{sys.base_prefix} {sys.version}".encode())
    for pattern in DECLARATIONS:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _describe() -> str:
    return "\n".join(f"{name:7} {command.__doc__}" for name, command in COMMANDS.items())


if __name__ == "__main__":
    main()
