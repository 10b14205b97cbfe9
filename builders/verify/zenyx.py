"""The claims of a built Zenyx folder, checked on its files, and its certificate against them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...generators import zenyx as generator
from ...generators.claims import ClaimSection, Failure, NumberedItem, Result, read_lines, result
from ...generators.errors import InputError
from ...generators.expression import parse, semantic_key
from ...generators.zenyx import question_type
from ...generators.zenyx.claims import FLAGS, asked_of, check_choices, check_split, key_of, keys, shared
from ...generators.zenyx.splits import build_split
from ..certificate import LISTED, hash_footer
from ..contamination.account import contradictions
from ..contamination.policy import SCANNER_VERSION, describe_policy
from ..folder import Manifest
from .deeparithmark import audit_results
from .folder import FILE_CLAIM, existing

Splits = Mapping[tuple[str, str], Sequence[NumberedItem]]
CHOICES = "mc"


def folder_sections(folder: Path, manifest: Manifest, notify: Callable[[str], None]) -> list[ClaimSection]:
    """The claims of each file, and of the splits and the certificate together. Missing files are skipped."""
    certificate = manifest.get("certificate")
    sections: list[ClaimSection] = []
    audits: list[ClaimSection] = []
    splits: dict[tuple[str, str], list[NumberedItem]] = {}
    for split, path in existing(folder, manifest, "jsonl"):
        config, name = split["config"], split["split"]
        notify(f"questions of {split['jsonl']}")
        items, broken = read_lines(path)
        splits[config, name] = items
        claims = [result(FILE_CLAIM, broken)]
        if config in FLAGS:
            claims += check_split(config, name, items, certificate is not None)
        elif config == CHOICES:
            claims += check_choices(name, items)
        else:
            claims.append(result("a config of this dataset", [Failure(None, f"{config!r} is none")]))
        sections.append(ClaimSection(split["jsonl"], tuple(claims)))
        if (config, name) == (CHOICES, "test"):
            notify(f"shortcut audit of {split['jsonl']}")
            audits.append(ClaimSection(f"audit of {split['jsonl']}", tuple(audit_results(items, []))))
    notify("certificate, and the questions of the seed")
    together = ClaimSection("splits and certificate", tuple(_claims_together(manifest, splits)))
    return [*sections, together, *audits]


def _claims_together(manifest: Manifest, splits: Splits) -> list[Result]:
    claims = [result("the few-shot exemplars are in no other split", _exemplars(splits))]
    claims += [
        result(f"mc/{name}: every question is one of the default config, with its id", asked_of(items, questions))
        for name in ("test", "fewshot")
        if (items := splits.get((CHOICES, name))) and (questions := splits.get(("default", name)))
    ]
    certificate = manifest.get("certificate")
    try:
        if type(manifest["seed"]) is not int:
            raise ValueError(f"seed is {manifest['seed']!r}")
        claims.append(
            result("in_legacy_14k says what the legacy suite of the seed holds", _legacy_flags(manifest, splits))
        )
        if certificate is not None:
            claims.append(result("the certificate agrees with the questions", _certificate(certificate, splits)))
        claims.append(_repeated(manifest, splits))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        fault = Failure(None, f"{type(error).__name__}: {error}")
        claims.append(result("the manifest states seed and certificate in the known form", [fault]))
    return claims


def _exemplars(splits: Splits) -> Iterator[Failure]:
    for (config, name), items in splits.items():
        for shown in ("default", "extended"):
            if name != "fewshot":
                yield from shared(splits.get((shown, "fewshot"), ()), keys(items), f"{config}/{name}")


def _legacy_flags(manifest: Manifest, splits: Splits) -> Iterator[Failure]:
    legacy = keys(enumerate(generator.build_legacy(manifest["seed"]), start=1))
    for (config, name), items in splits.items():
        if FLAGS.get(config) == FLAGS["default"]:
            for line, item in items:
                if item.get("in_legacy_14k") is not (key_of(item) in legacy):
                    yield Failure(line, f"{config}/{name}: in_legacy_14k is {item.get('in_legacy_14k')}")


def _certificate(certificate: Mapping[str, Any], splits: Splits) -> Iterator[Failure]:
    tests = {config: keys(splits.get((config, "test"), ())) for config in ("default", "extended")}
    for code, found in certificate["types"].items():
        if not found["replaced"] <= found["dropped"] <= found["in_corpus"] <= found["space"]:
            yield Failure(None, f"{code}: replaced, dropped, in_corpus and space are not in this order of size")
        for dropped in found["dropped_questions"]:
            key = semantic_key(parse(dropped["question"]))
            for config, test in tests.items():
                if key in test:
                    where = f"{dropped['source']}, row {dropped['row']}"
                    yield Failure(test[key], f"{config}: {dropped['question']} is in {where}")
    if ("legacy", "test") in splits:
        flagged = Counter(item["type"] for _, item in splits["legacy", "test"] if item.get("seen_in_training"))
        for code, number in certificate["legacy_in_corpus"].items():
            if flagged[code] != number:
                yield Failure(None, f"legacy {code}: {flagged[code]} flagged, the certificate says {number}")
    yield from (Failure(None, message) for message in _accounts(certificate))


_SUMS = {"rows": "rows", "rows_with_two_numbers": "two_numbers", "rows_with_expression": "with_key"}


def _accounts(certificate: Mapping[str, Any]) -> Iterator[str]:
    """Where the scans that a certificate lists contradict it, each other or themselves."""
    indexes = certificate["indexes"]
    for number, index in enumerate(indexes, start=1):
        for fault in contradictions(index):
            yield f"index {number}: {fault}"
        if hash_footer(index) != index["footer_sha256"]:
            yield f"index {number}: its account is not the one whose SHA-256 is given"
        if index["scanner"] == SCANNER_VERSION and index["policy"] != describe_policy():
            yield f"index {number}: its policy is not that of version {SCANNER_VERSION} of the scanner"
    for name, counted in _SUMS.items():
        summed = sum(source[counted] for index in indexes for source in index["sources"])
        if summed != certificate[name]:
            yield f"the sources have {summed} {name.replace('_', ' ')}, the certificate says {certificate[name]}"
    counts = [index["totals"]["distinct"] for index in indexes]
    if not max(counts) <= certificate["distinct_expressions"] <= sum(counts):
        yield f"{certificate['distinct_expressions']} distinct expressions, of indexes with {counts}"
    yield from _evidence(certificate)


def _evidence(certificate: Mapping[str, Any]) -> Iterator[str]:
    """Where a dropped question's place in the corpus, or a type's counts, cannot be."""
    sources = [source for index in certificate["indexes"] for source in index["sources"]]
    forms = {form for index in certificate["indexes"] for form, count in index["totals"]["surfaces"].items() if count}
    for code, found in certificate["types"].items():
        size = question_type(code).space.size
        if size != found["space"]:
            yield f"{code}: its space has {size} questions, the certificate says {found['space']}"
        if found["in_corpus"] > certificate["distinct_expressions"]:
            yield f"{code}: {found['in_corpus']} questions in the corpus, of all its expressions"
        if len(found["dropped_questions"]) != min(found["dropped"], LISTED):
            yield f"{code}: {found['dropped']} dropped, {len(found['dropped_questions'])} listed"
        for dropped in found["dropped_questions"]:
            rows = [source["rows"] for source in sources if source["name"] == dropped["source"]]
            if not any(0 <= dropped["row"] < count for count in rows):
                yield f"{code}: {dropped['question']} in row {dropped['row']} of {dropped['source']}: no such row"
            if dropped["count"] < 1 or not set(dropped["surface"].split(",")) <= forms:
                yield f"{code}: {dropped['question']}: {dropped['count']} times as {dropped['surface']} cannot be"


def _repeated(manifest: Manifest, splits: Splits) -> Result:
    """The splits, chosen again from the seed and the dropped questions that the certificate lists."""
    claim = "the questions are those of the seed, each dropped one replaced"
    types = (manifest.get("certificate") or {"types": {}})["types"]
    if manifest.get("dataset_version") != generator.VERSION:
        return Result(claim, skipped=f"built by version {manifest.get('dataset_version')} of the generator")
    if any(len(found["dropped_questions"]) != found["dropped"] for found in types.values()):
        return Result(claim, skipped="the certificate does not list every dropped question")
    seen = {semantic_key(parse(entry["question"])) for found in types.values() for entry in found["dropped_questions"]}
    failures: list[Failure] = []
    try:
        seed, mc_per_type = manifest["seed"], manifest["mc_per_type"]
        for (config, name), items in splits.items():
            # What the corpus held of the legacy suite is flagged, not replaced.
            known = None if config == "legacy" else seen
            again = build_split(config, name, seed, known, mc_per_type=mc_per_type)
            failures += _differences(f"{config}/{name}", items, again)
    except InputError as error:
        failures.append(Failure(None, str(error)))
    return result(claim, failures)


def _differences(place: str, items: Sequence[NumberedItem], wanted: Sequence[Mapping[str, Any]]) -> Iterator[Failure]:
    for (line, item), expected in zip(items, wanted, strict=False):
        # What the corpus held is not in the seed: the certificate counts it.
        expected = {key: item.get(key) if key == FLAGS["legacy"] else value for key, value in expected.items()}
        if item != expected:
            yield Failure(line, f"{place}: {_difference(item, expected)}")
    if len(items) != len(wanted):
        yield Failure(None, f"{place}: {len(items):,} questions, not {len(wanted):,}")


def _difference(item: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
    asked = "ctx" if "ctx" in expected else "question"
    if item.get(asked) != expected[asked]:
        return f"{item.get(asked)!r} where {expected[asked]!r} belongs"
    fields = [name for name, value in expected.items() if item.get(name) != value]
    return f"{', '.join(fields) or 'a field'} of {expected[asked]!r} not as built from the seed"
