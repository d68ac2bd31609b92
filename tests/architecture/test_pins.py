"""The pins are one list of exact versions, which pip, uv and tox share."""

import ast
import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tools.workspace import distributions

ROOT = Path(__file__).parents[2]
LIBRARIES = packages_distributions()
PROJECTS = {str(each.folder.relative_to(ROOT)): each.package for each in distributions()}


def pins() -> list[str]:
    return (ROOT / "constraints.txt").read_text("utf-8").splitlines()


def declared(path: Path) -> list[Requirement]:
    """Return the requirements of a pyproject.toml: of the project, its extras and its groups."""
    content = tomllib.loads(path.read_text("utf-8"))
    project = content["project"]
    lists = [
        project.get("dependencies", []),
        *project.get("optional-dependencies", {}).values(),
        *content.get("dependency-groups", {}).values(),
    ]
    return [Requirement(text) for requirements in lists for text in requirements]


def test_the_mirror_for_uv_equals_the_constraints() -> None:
    content = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

    assert content["tool"]["uv"]["constraint-dependencies"] == pins()


def test_each_pin_is_one_exact_version_by_name_only() -> None:
    exact = re.compile(r"[a-z0-9-]+==[0-9][0-9a-z.]*( ; .+)?")

    assert [pin for pin in pins() if not exact.fullmatch(pin)] == []


@pytest.mark.parametrize("project", [".", *PROJECTS])
def test_each_requirement_is_pinned_within_its_range(project: str) -> None:
    versions: dict[str, list[str]] = {}
    for pin in map(Requirement, pins()):
        versions.setdefault(pin.name, []).append(str(pin.specifier).removeprefix("=="))

    for requirement in declared(ROOT / project / "pyproject.toml"):
        name = canonicalize_name(requirement.name)
        if not name.startswith("masthead-"):
            assert name in versions, f"{name} is not in constraints.txt"
            assert all(requirement.specifier.contains(version) for version in versions[name])


@pytest.mark.parametrize("project", PROJECTS)
def test_exact_versions_stand_only_in_the_constraints(project: str) -> None:
    requirements = declared(ROOT / project / "pyproject.toml")

    assert [str(one) for one in requirements if "==" in str(one.specifier)] == []


def test_first_party_distributions_share_one_version() -> None:
    assert len({each.version for each in distributions()}) == 1


def test_plugins_and_examples_require_the_minor_version_of_core_that_they_are_made_for() -> None:
    core = Version(
        tomllib.loads((ROOT / "core/pyproject.toml").read_text("utf-8"))["project"]["version"]
    )
    paths = [*ROOT.glob("plugins/*/pyproject.toml"), *ROOT.glob("examples/*/pyproject.toml")]

    for path in paths:
        project = tomllib.loads(path.read_text("utf-8"))["project"]
        [required] = [
            each
            for each in map(Requirement, project["dependencies"])
            if each.name == "masthead-core"
        ]
        assert required.specifier.contains(core)
        assert required.specifier.contains(f"{core.major}.{core.minor}.999")
        assert not required.specifier.contains(f"{core.major}.{core.minor + 1}.0")


def imported(folder: Path) -> set[str]:
    """Return the top-level names that the modules below a folder import."""
    names = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.split(".")[0])
    return names


def undeclared(names: set[str], requirements: list[Requirement]) -> list[str]:
    """Return the names of installed libraries that no requirement names directly."""
    own = {canonicalize_name(requirement.name) for requirement in requirements}
    libraries = {name: set(map(canonicalize_name, dists)) for name, dists in LIBRARIES.items()}
    return sorted(name for name in names & libraries.keys() if not libraries[name] & own)


def test_a_library_that_nobody_declared_is_noticed() -> None:
    assert undeclared({"click", "nh3", "os"}, [Requirement("nh3>=0.3")]) == ["click"]


@pytest.mark.parametrize(("project", "package"), PROJECTS.items())
def test_what_a_distribution_imports_it_declares(project: str, package: str) -> None:
    names = imported(ROOT / project / package) - {package}

    assert undeclared(names, declared(ROOT / project / "pyproject.toml")) == []
