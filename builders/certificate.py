"""What a contamination check of the bench found, exactly enough to repeat the choice without the corpus."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..generators.expression import Expression, semantic_key
from ..generators.zenyx import Bench
from .contamination.index import find_hits
from .files import hash_file
from .seen_keys import Seen

# Beyond this many per type the dropped questions are counted, not listed.
LISTED = 200
Item = dict[str, Any]


def certify(
    benches: Iterable[Bench],
    fewshot: Sequence[Item],
    legacy: Sequence[Item],
    seen: Seen,
    paths: Sequence[str | Path],
) -> dict[str, Any]:
    """The certificate of a build against the indexes at ``paths``.

    ``indexes`` are the accounts of the scans (sources with sizes and sha256, rows, columns read and not, policy,
    totals), each with the sha256 of its file and of the account; ``distinct_expressions`` counts their union, ``rows``
    the rows read, ``rows_with_two_numbers`` those of them with two numbers and ``rows_with_expression`` those that
    yielded one. Per type: questions in the space, how many of them the corpus holds, candidates dropped, places
    refilled, and the dropped questions with where each was first seen.
    """
    selections = {code: chosen for bench in benches for code, chosen in bench.selections.items()}
    listed = [question for chosen in selections.values() for question in chosen.dropped[:LISTED]]
    evidence = _evidence(listed, paths)
    return {
        "rows": sum(account["totals"]["rows"] for account in seen.accounts),
        "rows_with_two_numbers": sum(account["totals"]["two_numbers"] for account in seen.accounts),
        "rows_with_expression": sum(account["totals"]["with_key"] for account in seen.accounts),
        "distinct_expressions": seen.distinct,
        "types": {
            code: {
                "space": chosen.space,
                "in_corpus": chosen.seen,
                "dropped": len(chosen.dropped),
                "replaced": chosen.replaced,
                "dropped_questions": [
                    {"question": str(question), **evidence[semantic_key(question)]}
                    for question in chosen.dropped[:LISTED]
                ],
            }
            for code, chosen in selections.items()
        },
        "fewshot_in_corpus": sum(_key(item) in seen.keys for item in fewshot),
        "legacy_in_corpus": _flagged(legacy),
        "indexes": [
            {**account, "index_sha256": hash_file(Path(path)), "footer_sha256": hash_footer(account)}
            for account, path in zip(seen.accounts, paths, strict=True)
        ],
    }


def hash_footer(account: Mapping[str, Any]) -> str:
    """The sha256 of the account in an index's footer, as canonical JSON."""
    own = {name: value for name, value in account.items() if name not in ("index_sha256", "footer_sha256")}
    return hashlib.sha256(json.dumps(own, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _flagged(legacy: Sequence[Item]) -> dict[str, int]:
    flagged = dict.fromkeys((item["type"] for item in legacy), 0)
    for item in legacy:
        flagged[item["type"]] += item["seen_in_training"]
    return flagged


def _key(item: Item) -> tuple[str, int, int]:
    return semantic_key(Expression(item["a"], item["operator"], item["b"]))


def _evidence(questions: Sequence[Expression], paths: Sequence[str | Path]) -> dict[Any, dict[str, Any]]:
    found: dict[Any, dict[str, Any]] = {}
    for path in paths if questions else ():
        for key, hit in find_hits(path, map(semantic_key, questions)).items():
            found.setdefault(key, {"source": hit.source, "row": hit.row, "count": hit.count, "surface": hit.surface})
    return found
