"""The house as its imports show it: modules, who needs whom, circles."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
ROOT = "arithmark_tasks"
FOLDERS = ("arithmark_tasks", "builders", "generators")
Graph = Mapping[str, frozenset[str]]


def installed_name(path: Path, repository: Path) -> str:
    """The module name that a source file has once installed: builders/x.py is arithmark_tasks.builders.x."""
    parts = path.relative_to(repository).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts if parts[0] == ROOT else (ROOT, *parts))


def source_files(repository: Path = REPOSITORY) -> list[Path]:
    """Every module of the three folders, in order."""
    return [path for folder in FOLDERS for path in sorted((repository / folder).rglob("*.py"))]


def imports_of(path: Path, repository: Path = REPOSITORY) -> Iterator[tuple[int, str]]:
    """Line and absolute name of every import in a file, wherever it stands; relative ones are resolved."""
    module = installed_name(path, repository)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")
                base = ".".join([*parents[: len(parents) - node.level + 1], *filter(None, [node.module])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def module_graph(repository: Path = REPOSITORY) -> Graph:
    """Which of our modules each one imports, at its top or inside a function; a name counts for the module it is in."""
    paths = {installed_name(path, repository): path for path in source_files(repository)}
    graph = {}
    for module, path in paths.items():
        needed = set()
        for _, name in imports_of(path, repository):
            while name and name not in paths:
                name = name.rpartition(".")[0]
            needed.add(name)
        graph[module] = frozenset(needed - {"", module, ROOT})
    return graph


def circles(graph: Graph) -> list[list[str]]:
    """The groups of nodes that each reach all others of their group, sorted; none in a graph of one direction."""
    reached = {node: _reachable(node, graph) for node in graph}
    groups = {frozenset(other for other in found if node in reached[other]) for node, found in reached.items()}
    return sorted(sorted(group) for group in groups if group)


def _reachable(start: str, graph: Graph) -> frozenset[str]:
    found: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += graph.get(node, ())
    return frozenset(found)
