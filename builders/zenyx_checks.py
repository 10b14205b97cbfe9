"""The claims of a built Zenyx folder, checked on its files, and its certificate against them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..generators import zenyx as generator
from ..generators.claims import Failure, NumberedItem, Result, read_lines, result
from ..generators.errors import InputError
from ..generators.expression import parse, semantic_key
from ..generators.zenyx.claims import FLAGS, check_split, key_of, keys, shared
from .folder import Manifest
from .folder_checks import existing

Splits = Mapping[tuple[str, str], Sequence[NumberedItem]]
Section = tuple[str, list[Result]]


def folder_claims(folder: Path, manifest: Manifest, notify: Callable[[str], None]) -> list[Section]:
    """Titles and claims: of each file, and of the splits and the certificate together. Missing files are skipped."""
    certificate = manifest.get("certificate")
    sections: list[Section] = []
    splits: dict[tuple[str, str], list[NumberedItem]] = {}
    for split, path in existing(folder, manifest, "jsonl"):
        config = split["config"]
        if config not in FLAGS:
            continue
        notify(f"questions of {split['jsonl']}")
        items, broken = read_lines(path)
        splits[config, split["split"]] = items
        file = result("file: UTF-8, one JSON object to a line, each ended by a line feed", broken)
        sections.append((split["jsonl"], [file, *check_split(config, split["split"], items, certificate is not None)]))
    notify("certificate")
    return [*sections, ("splits and certificate", _claims_together(manifest, splits))]


def _claims_together(manifest: Manifest, splits: Splits) -> list[Result]:
    claims = [result("the few-shot exemplars are in no other split", _exemplars(splits))]
    certificate = manifest.get("certificate")
    try:
        if type(manifest["seed"]) is not int:
            raise ValueError(f"seed is {manifest['seed']!r}")
        claims.append(
            result("in_legacy_14k says what the legacy suite of the seed holds", _legacy_flags(manifest, splits))
        )
        if certificate is not None:
            claims.append(result("the certificate agrees with the questions", _certificate(certificate, splits)))
        claims.append(_repeated_choice(manifest, splits))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        fault = Failure(None, f"{type(error).__name__}: {error}")
        claims.append(result("the manifest states seed and certificate in the known form", [fault]))
    return claims


def _exemplars(splits: Splits) -> Iterator[Failure]:
    for (config, name), items in splits.items():
        if name != "fewshot":
            yield from shared(splits.get(("default", "fewshot"), ()), keys(items), f"{config}/{name}")


def _legacy_flags(manifest: Manifest, splits: Splits) -> Iterator[Failure]:
    legacy = keys(enumerate(generator.build_legacy(manifest["seed"]), start=1))
    for name in ("test", "fewshot"):
        for line, item in splits.get(("default", name), ()):
            if item.get("in_legacy_14k") is not (key_of(item) in legacy):
                yield Failure(line, f"{name}: in_legacy_14k is {item.get('in_legacy_14k')}")


def _certificate(certificate: Mapping[str, Any], splits: Splits) -> Iterator[Failure]:
    test = keys(splits.get(("default", "test"), ()))
    for code, found in certificate["types"].items():
        if not found["replaced"] <= found["dropped"] <= found["in_corpus"] <= found["space"]:
            yield Failure(None, f"{code}: replaced, dropped, in_corpus and space are not in this order of size")
        for dropped in found["dropped_questions"]:
            key = semantic_key(parse(dropped["question"]))
            if key in test:
                yield Failure(test[key], f"{dropped['question']} is in {dropped['source']}, row {dropped['row']}")
    if ("legacy", "test") in splits:
        flagged = Counter(item["type"] for _, item in splits["legacy", "test"] if item.get("seen_in_training"))
        for code, number in certificate["legacy_in_corpus"].items():
            if flagged[code] != number:
                yield Failure(None, f"legacy {code}: {flagged[code]} flagged, the certificate says {number}")
    rows = sum(source["rows"] for index in certificate["indexes"] for source in index["sources"])
    if rows != certificate["rows"]:
        yield Failure(None, f"the sources have {rows} rows, the certificate says {certificate['rows']}")


def _repeated_choice(manifest: Manifest, splits: Splits) -> Result:
    """The default test split, chosen again from the seed and the dropped questions that the certificate lists."""
    claim = "the questions are those of the seed, each dropped one replaced"
    types = (manifest.get("certificate") or {"types": {}})["types"]
    if manifest.get("dataset_version") != generator.VERSION:
        return Result(claim, skipped=f"built by version {manifest.get('dataset_version')} of the generator")
    if any(len(found["dropped_questions"]) != found["dropped"] for found in types.values()):
        return Result(claim, skipped="the certificate does not list every dropped question")
    if ("default", "test") not in splits:
        return Result(claim)
    seen = {semantic_key(parse(entry["question"])) for found in types.values() for entry in found["dropped_questions"]}
    try:
        wanted = generator.build(manifest["seed"], seen)
    except InputError as error:
        return result(claim, [Failure(None, str(error))])
    items = splits["default", "test"]
    failures = [
        Failure(line, _difference(item, expected))
        for (line, item), expected in zip(items, wanted, strict=False)
        if item != expected
    ]
    if len(items) != len(wanted):
        failures.append(Failure(None, f"{len(items):,} questions, not {len(wanted):,}"))
    return result(claim, failures)


def _difference(item: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
    if item.get("question") != expected["question"]:
        return f"{item.get('question')!r} where {expected['question']!r} belongs"
    fields = [name for name, value in expected.items() if item.get(name) != value]
    return f"{', '.join(fields) or 'a field'} of {expected['question']!r} not as built from the seed"
