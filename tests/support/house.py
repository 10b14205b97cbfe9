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


BEGIN, END = "<!-- house: written by `python -m tests.support.house` from the imports -->", "<!-- end of house -->"
PAGE = REPOSITORY / "docs" / "contributing.md"


def package_folders(repository: Path = REPOSITORY) -> list[Path]:
    """The folders that hold modules, from the commands down to the generators."""
    folders = {path.parent for path in source_files(repository)}
    return sorted(folders, key=lambda folder: (FOLDERS.index(folder.relative_to(repository).parts[0]), folder))


def room_graph(repository: Path = REPOSITORY) -> Graph:
    """``module_graph`` with rooms for modules: a folder within a layer, or a module that stands alone there."""
    rooms: dict[str, set[str]] = {}
    for module, needed in module_graph(repository).items():
        own = _room(module)
        rooms.setdefault(own, set()).update(room for room in map(_room, needed) if room != own)
    return {room: frozenset(needed) for room, needed in rooms.items()}


def _room(module: str) -> str:
    """``builders/verify`` for any module in it, ``builders/folder.py`` for a module beside the rooms of its layer."""
    _, *parts = module.split(".")
    layer = [parts.pop(0)] if parts and parts[0] in FOLDERS else [ROOT]
    place = "/".join([*layer, *parts[:1]])
    return place if not parts or (REPOSITORY / place).is_dir() else f"{place}.py"


def picture() -> str:
    """The rooms as a Mermaid chart: an arrow from each to those it needs, without arrows that others imply."""
    graph = room_graph()
    reached = {room: _reachable(room, graph) for room in graph}
    rooms = sorted(room for room in graph if not room.endswith(".py") and room not in FOLDERS)
    needs = {room: {other for other in rooms if other in reached[room]} for room in rooms}
    direct = {room: found - {far for near in found for far in needs[near]} for room, found in needs.items()}
    lines = ["```mermaid", "flowchart TD"]
    for layer in FOLDERS:
        lines.append(f"  subgraph {layer}")
        lines += [f'    {_node(room)}["{room.partition("/")[2]}"]' for room in rooms if room.startswith(f"{layer}/")]
        lines.append("  end")
    lines += [f"  {_node(room)} --> {_node(other)}" for room in rooms for other in sorted(direct[room])]
    return "\n".join([*lines, "```"])


def _node(room: str) -> str:
    return room.replace("/", "_")


def contents() -> str:
    """Every room and every module beside the rooms, with what it says of itself in its first line."""
    lines = ["| where | what |", "|---|---|"]
    for folder in package_folders():
        name = folder.relative_to(REPOSITORY).as_posix()
        lines.append(f"| **{name}/** | {_summary(folder / '__init__.py')} |")
        if name in FOLDERS:
            modules = [path for path in sorted(folder.glob("*.py")) if not path.stem.startswith("__")]
            lines += [f"| {name}/{path.name} | {_summary(path)} |" for path in modules]
    return "\n".join(lines)


def _summary(path: Path) -> str:
    text = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n\n")[0]
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|")


def written(page: str) -> str:
    """The page with the picture and the table between its two marks made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{picture()}\n\n{contents()}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
