"""The schema that the package holds fits the result of a run on every kind of task."""

import json
from importlib.resources import files

import jsonschema

from arithmark_tasks.evaluation.run import save
from arithmark_tasks.results import FORMAT_VERSION

SCHEMA = json.loads((files("arithmark_tasks") / "result.schema.json").read_text(encoding="utf-8"))


def test_the_published_schema_fits_what_is_written_and_nothing_that_is_broken(scored, arithmark3_file, tmp_path):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    check = jsonschema.Draft202012Validator(SCHEMA)
    out = tmp_path / "r.json"
    tasks = ("deeparithmark", "deeparithmark_gen")
    save(out, scored(out=out, tasks=tasks, arithmark3=arithmark3_file, compare=True, gen_kwargs={"max_gen_toks": 3}))
    content = json.loads(out.read_text(encoding="utf-8"))
    assert SCHEMA["properties"]["format_version"]["const"] == FORMAT_VERSION
    assert SCHEMA["$id"].endswith(f":{FORMAT_VERSION}")
    assert [error.message for error in check.iter_errors(content)] == []
    for place, value in (
        (("format_version",), 1),
        (("items", 0, "gold"), "0"),
        (("items", 0, "metrics", "acc"), "right"),
        (("items", 0, "spare"), 1),
        (("model", "parameters"), -1),
        (("run", "limit"), 0),
    ):
        broken = json.loads(json.dumps(content))
        inner = broken
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value
        assert list(check.iter_errors(broken)), place
