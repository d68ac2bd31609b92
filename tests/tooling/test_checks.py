"""The hooks of git and the hosted checks run the same commands of dev.py as a contributor."""

import re
import runpy
import subprocess
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DEV = runpy.run_path(str(ROOT / "dev.py"))
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))


def load(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def jobs() -> list[str]:
    """Return the commands of the hosted checks."""
    matrix = load(".github/workflows/ci.yml")["jobs"]["check"]["strategy"]["matrix"]
    return [job["command"] for job in matrix["include"]]


def test_the_hooks_of_git_are_the_linters() -> None:
    [repository] = load(".pre-commit-config.yaml")["repos"]
    hooks = repository["hooks"]

    assert repository["repo"] == "local"
    assert {hook["language"] for hook in hooks} == {"system"}
    assert [hook["entry"] for hook in hooks] == [
        f"python3 dev.py lint {name}" for name in DEV["LINTERS"]
    ]


def test_the_hooks_of_git_are_valid() -> None:
    subprocess.run(["pre-commit", "validate-config"], cwd=ROOT, check=True)


def test_the_hosted_checks_run_commands_of_dev_py_only() -> None:
    commands = list(chain.from_iterable(job.split(" && ") for job in jobs()))

    called = [re.fullmatch(r"python3 dev\.py (\w+)[\w -]*", command) for command in commands]
    assert None not in called
    assert {match[1] for match in called if match} <= DEV["COMMANDS"].keys()


@pytest.mark.parametrize(
    "command",
    [
        "test",
        "test product",
        "test postgresql",
        "test postgresql product",
        "test slow",
        "test postgresql slow",
        "lint",
        "build --check",
        "docs",
    ],
)
def test_the_hosted_checks_and_those_of_a_new_machine_run(command: str) -> None:
    hosted = chain.from_iterable(job.split(" && ") for job in jobs())
    # .ci/run runs each linter as a separate step.
    local = (ROOT / ".ci/run").read_text("utf-8").replace('dev.py lint "$check"', "dev.py lint")
    local = re.sub(r' -m "slow and [^"]*"', "", local)

    assert f"python3 dev.py {command}" in hosted
    assert re.search(rf"python3 dev\.py {command}$", local, re.MULTILINE)


def test_all_tests_are_part_of_the_nightly_run() -> None:
    matrix = load(".github/workflows/nightly.yml")["jobs"]["test"]["strategy"]["matrix"]
    parts = [part for parts in matrix["part"] for part in parts.split()]
    folders = {f"tests/{path.parent.name}" for path in ROOT.glob("tests/*/test_*.py")}

    assert matrix["database"] == list(DEV["DATABASES"])
    assert len(parts) == len(set(parts))
    assert set(parts) == {"core/tests", "plugins", "clients", *folders}


def test_the_hosted_checks_install_the_programs_that_the_tests_start() -> None:
    [step] = load(".github/actions/programs/action.yml")["runs"]["steps"]
    installed = set(step["run"].partition("--no-install-recommends")[2].split())
    local = (ROOT / ".ci/run").read_text("utf-8")
    named = [
        *re.findall(r"packages\+=\(([a-z -]+)\)", local),
        *re.findall(r"program in (.*);", local),
    ]

    # The runner of the hosted checks has these.
    assert installed == set(" ".join(named).split()) - {"chromium", "npm", "postgresql"}


def test_the_hosted_checks_run_each_python_that_core_names() -> None:
    matrix = load(".github/workflows/ci.yml")["jobs"]["check"]["strategy"]["matrix"]
    text = (ROOT / "core/pyproject.toml").read_text("utf-8")

    named = set(re.findall(r"Programming Language :: Python :: (3\.\d+)", text))

    assert {job["python"] for job in matrix["include"]} == named


@pytest.mark.parametrize("form", [path for path in FORMS if path.stem != "config"], ids=str)
def test_a_form_for_issues_has_what_is_needed_to_show_it(form: Path) -> None:
    content = yaml.safe_load(form.read_text("utf-8"))
    fields = [field for field in content["body"] if field["type"] != "markdown"]

    assert content["name"]
    assert content["description"]
    assert len({field["id"] for field in fields}) == len(fields) > 0
    assert all(field["attributes"]["label"] for field in fields)
