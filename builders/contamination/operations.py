"""Rows of numbers: which columns hold the operands and the operator of an operation, and the keys that they state.

One recogniser for corpora and for question files. It goes by names (``a, operator, b``, ``num1/num2/op``,
``minuend/subtrahend``) and by types (a number on each side of a column of operators).
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from ...generators.expression import COMMUTATIVE, OPERATORS

MOST_DIGITS = 18
LONGEST_CELL = 40  # bytes: neither a number nor an operator is longer
_OPERATOR_WORDS = {
    "+": "+ plus add added adds adding addition additions sum sums total",
    "-": "- \u2212 \u2013 \u2014 minus subtract subtracted subtracts subtracting subtraction subtractions sub "
    "difference diff",
    "*": "* \u00d7 \u00b7 \u2217 \u22c5 \u2715 x times mul mult multiply multiplied multiplies multiplying "
    "multiplication multiplications product prod cdot ast",
    "/": "/ // \u00f7 \u2215 \u2044 : div divide divided divides dividing division divisions quotient quot over",
}
_CODES = {word: sign for sign, words in _OPERATOR_WORDS.items() for word in words.split()}
_OPERATOR_NAMES = frozenset({"op", "operator", "operation", "sign", "symbol", "opr", "oper", "operations", "operators"})
# Names of two operands whose first is the left one: whole names, or one part of otherwise equal names.
_NAME_PAIRS = (
    *(("minuend", "subtrahend", "-"), ("dividend", "divisor", "/"), ("numerator", "denominator", "/")),
    *(("augend", "addend", "+"), ("multiplicand", "multiplier", "*"), ("multiplier", "multiplicand", "*")),
)
_PART_PAIRS = (
    *(("a", "b"), ("x", "y"), ("m", "n"), ("p", "q"), ("i", "j"), ("u", "v"), ("l", "r")),
    *(("0", "1"), ("1", "2"), ("left", "right"), ("first", "second"), ("lhs", "rhs"), ("one", "two")),
)
_STEM_OPERATORS = {"addend": "+", "summand": "+", "factor": "*"}
# fmt: off
_LISTS = frozenset((
    "operands", "operand", "numbers", "nums", "num", "number", "args", "arguments", "values", "vals", "inputs", "terms",
    "addends", "summands", "factors",
))
# A column that counts or answers is no operand where only types tell.
_NOT_OPERANDS = frozenset((
    "id", "idx", "index", "row", "line", "seed", "answer", "ans", "result", "res", "label", "target", "solution",
    "output", "expected", "level", "depth", "digits", "step", "split", "fold", "score", "sum", "difference", "product",
    "quotient", "remainder",
))
# fmt: on
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_WORDS = re.compile(r"[a-z]+")
_NUMBER = r"^([+-]?)([0-9]{1,3}(?:[,_'\x{2019} ][0-9]{2,3})*[,_'\x{2019} ][0-9]{3}|[0-9]+)(?:\.([0-9]*))?$"
LEFT_OUT = ("too_wide", "decimal", "negative")
_ROW = "\0row"
LISTS = "[]."  # the path before columns that are lists of one length


def name_parts(name: str) -> tuple[str, ...]:
    """The parts of a column's name in lower case.

    >>> name_parts("firstNumber"), name_parts("num_1"), name_parts("num1")
    (('first', 'number'), ('num', '1'), ('num', '1'))
    """
    return tuple(part.lower() for part in _PARTS.findall(name))


def names_operator(name: str) -> bool:
    """Whether a column is called as one that holds operators.

    >>> names_operator("mathOperator"), names_operator("options")
    (True, False)
    """
    return bool(_OPERATOR_NAMES & set(name_parts(name)))


def read_operator(value: str) -> str | None:
    """The operator that a cell names: a sign, a word, or a few words of which one names an operator.

    >>> [read_operator(value) for value in ("+", " \u00d7 ", "Addition", "2-digit subtraction", "OP_MUL", "12", "^")]
    ['+', '*', '+', '-', '*', None, None]
    """
    text = unicodedata.normalize("NFKC", value).strip().strip("'\"`$").strip().lower()
    if text in _CODES:
        return _CODES[text]
    found = {_CODES[word] for word in _WORDS.findall(text) if word in _CODES and word != "x"}
    return found.pop() if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class Operation:
    """Columns that state one operation: ``operator`` is a column's name, ``sign`` an operator that the names imply.

    With neither, the sign is the one that leads to another column's number.
    """

    left: str
    right: str
    operator: str | None = None
    sign: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in the order in which one writes an operation."""
        return (self.left, self.right) if self.operator is None else (self.left, self.operator, self.right)


def _named_pairs(names: Sequence[str]) -> Iterator[tuple[str, str, str | None]]:
    """Pairs of columns that are named as left and right operand, with the operator where the names imply one."""
    parts = {name_parts(name): name for name in reversed(names)}
    for own, name in list(parts.items())[::-1]:
        for place, part in enumerate(own):
            for first, second, sign in _NAME_PAIRS:
                other = (*own[:place], second, *own[place + 1 :])
                if part == first and other in parts:
                    yield name, parts[other], sign
            for first, second in _PART_PAIRS:
                other = (*own[:place], second, *own[place + 1 :])
                if part == first and other in parts:
                    yield (
                        name,
                        parts[other],
                        next((_STEM_OPERATORS[stem] for stem in own if stem in _STEM_OPERATORS), None),
                    )


def lists_operands(name: str) -> bool:
    """Whether a column is called as one whose lists are the operands of one operation.

    >>> lists_operands("operands"), lists_operands("input_ids")
    (True, False)
    """
    return bool(_LISTS & set(name_parts(name)[-1:]))


def find_operations(
    numbers: Sequence[str], operators: Sequence[str], order: Sequence[str], *, by_type: bool = True
) -> list[Operation]:
    """The operations that a table's columns can state.

    ``numbers`` are its columns of numbers, ``operators`` those that hold operators, ``order`` all its columns. Without
    ``by_type`` only names count.

    >>> [found.names for found in find_operations(["id", "num1", "num2"], ["op"], ["id", "num1", "num2", "op"])]
    [('num1', 'op', 'num2')]
    >>> [found.names for found in find_operations(["c1", "c3"], ["c2"], ["c1", "c2", "c3", "c4"])]
    [('c1', 'c2', 'c3')]
    >>> find_operations(["minuend", "subtrahend"], [], ["minuend", "subtrahend"])[0].sign
    '-'
    """
    found: dict[Operation, None] = {}
    pairs = list(_named_pairs([name for name in order if name in set(numbers)]))
    named = [name for name in operators if names_operator(name)] or list(operators)
    for left, right, sign in pairs:
        for operator in named:
            found[Operation(left, right, operator)] = None
        if sign or not named:
            found[Operation(left, right, None, sign)] = None
    if by_type and not pairs:
        for operator in operators:
            for left, right in _neighbours(operator, numbers, order):
                found[Operation(left, right, operator)] = None
    return list(found)


def _neighbours(operator: str, numbers: Sequence[str], order: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The pair of columns of numbers around a column of operators, else those behind and before it."""
    others = (name for name in order if name in set(numbers) and name != operator)
    free = [name for name in others if not _NOT_OPERANDS & set(name_parts(name))]
    if len(free) == 2:
        yield free[0], free[1]
        return
    place = order.index(operator)
    for left, right in ((place - 1, place + 1), (place + 1, place + 2), (place - 2, place - 1)):
        if left >= 0 and right < len(order) and order[left] in free and order[right] in free:
            yield order[left], order[right]
            if right - left == 2:
                return


def read_integers(values: pl.Series) -> tuple[np.ndarray, np.ndarray]:
    """Numbers as ``int64``, and what each is: 1 an operand, 0 no number, else minus the place in ``LEFT_OUT`` plus one.

    Grouped and full-width digits and decimals of zeros only are read; nothing is cut off.

    >>> values, states = read_integers(pl.Series(["12", "1,200", "7.0", "7.5", "-3", "x", None, "1" * 19]))
    >>> values.tolist(), states.tolist()
    ([12, 1200, 7, 0, 0, 0, 0, 0], [1, 1, 1, -2, -3, 0, 0, -1])
    """
    kind = values.dtype
    limit = 10**MOST_DIGITS
    if kind.is_integer():
        wide = kind not in (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32)
        whole = values.clip(0 if kind.is_unsigned_integer() else -1, limit) if wide else values
        decimal = pl.Series([False])
    elif kind.is_float():
        values = values.cast(pl.Float64)
        values = values.set(~values.is_finite().fill_null(False), None)
        decimal = values.floor() != values
        whole = values.clip(-1, limit).floor()
    else:
        whole, decimal = _read_cells(values)
    whole = whole.cast(pl.Int64)
    states = np.ones(len(values), np.int64)
    states[(whole >= limit).fill_null(False).to_numpy()] = -1
    states[decimal.fill_null(False).to_numpy() & np.ones(len(values), bool)] = -2
    states[(whole < 0).fill_null(False).to_numpy()] = -3
    states[whole.is_null().to_numpy()] = 0
    return whole.set(pl.Series(states != 1), 0).fill_null(0).to_numpy(), states


def _read_cells(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Cells of text as whole numbers (``10**18`` for wider ones), and whether decimals stand behind them."""
    cells = values.cast(pl.String)
    cells = cells.set((cells.str.len_bytes() > LONGEST_CELL).fill_null(False), None)
    cells = cells.str.normalize("NFKC").str.strip_chars().str.replace("^[\u2212\u2013]", "-")
    groups = cells.str.extract_groups(_NUMBER).struct.unnest()
    digits = groups["2"].str.replace_all("[^0-9]", "").str.strip_chars_start("0")
    digits = digits.set((digits == "").fill_null(False), "0")
    digits = digits.set((digits.str.len_bytes() > MOST_DIGITS).fill_null(False), str(10**MOST_DIGITS))
    whole = digits.cast(pl.Int64)
    return whole.set((groups["1"] == "-").fill_null(False), None).fill_null(-whole), groups["3"].str.contains("[1-9]")


def read_operators(values: pl.Series) -> np.ndarray:
    """The number of the operator in each cell of text, as in ``OPERATORS``; -1 for none."""
    cells = values.cast(pl.String)
    cells = cells.set((cells.str.len_bytes() > LONGEST_CELL).fill_null(False), None)
    known = {cell: sign for cell in cells.drop_nulls().unique().to_list() if (sign := read_operator(cell))}
    codes = [OPERATORS.index(sign) for sign in known.values()]
    if not known:
        return np.full(len(values), -1, np.int64)
    return cells.replace_strict(list(known), codes, default=-1, return_dtype=pl.Int64).fill_null(-1).to_numpy()


@dataclass(frozen=True, slots=True)
class Stated:
    """Operations of a table: numbers of ``OPERATORS``, operands and rows; what was left out; rows with two numbers.

    ``columns`` says which columns state them, as ``a, op, b``, and ``used`` which columns of the table those are.
    """

    operators: np.ndarray
    lefts: np.ndarray
    rights: np.ndarray
    rows: np.ndarray
    left_out: dict[str, int]
    two_numbers: np.ndarray
    columns: list[str]
    used: list[str]

    def in_rows(self, rows: np.ndarray) -> "Stated":
        """The same with its row numbers replaced by those at their places in ``rows``."""
        return replace(self, rows=rows[self.rows], two_numbers=rows[self.two_numbers])

    def semantic_keys(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Operators and operands as in semantic keys: operands of ``+`` and ``*`` unordered."""
        swaps = np.isin(self.operators, [OPERATORS.index(sign) for sign in COMMUTATIVE]) & (self.lefts > self.rights)
        lefts, rights = np.where(swaps, self.rights, self.lefts), np.where(swaps, self.lefts, self.rights)
        return self.operators, lefts, rights


def _is_cell(kind: Any) -> bool:
    return kind in (pl.String, pl.Categorical) or isinstance(kind, pl.Enum | pl.Categorical) or kind.is_decimal()


def _is_scalar(kind: Any) -> bool:
    return _is_cell(kind) or kind.is_numeric()


class _Columns:
    """The columns of a table, each read once as numbers and as operators."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.rows = frame.height
        self.numbers: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        self.operators: dict[str, np.ndarray] = {}
        for name, kind in frame.schema.items():
            if _is_cell(kind):
                self._read_cells(name, frame[name].cast(pl.String))
            elif kind.is_numeric():
                self.numbers[name] = read_integers(frame[name])

    def _read_cells(self, name: str, values: pl.Series) -> None:
        short = (values.str.len_bytes() <= LONGEST_CELL).fill_null(False)
        places = short.arg_true().to_numpy()
        if not places.size:
            return
        cells = values.filter(short)
        integers, states = np.zeros(self.rows, np.int64), np.zeros(self.rows, np.int64)
        integers[places], states[places] = read_integers(cells)
        if states.any():
            self.numbers[name] = integers, states
        operators = np.full(self.rows, -1, np.int64)
        operators[places] = read_operators(cells)
        if (operators >= 0).any():
            self.operators[name] = operators

    def signs(self, operation: Operation) -> Iterator[np.ndarray]:
        """The operator of each row, -1 where there is none; several where the numbers of other columns tell it."""
        if operation.operator is not None:
            yield self.operators[operation.operator]
        elif operation.sign is not None:
            yield np.full(self.rows, OPERATORS.index(operation.sign), np.int64)
        else:
            yield from self._signs_by_result(operation)

    def _signs_by_result(self, operation: Operation) -> Iterator[np.ndarray]:
        left, right = (self.numbers[name][0].astype(np.float64) for name in (operation.left, operation.right))
        with np.errstate(divide="ignore", invalid="ignore"):
            results = (left + right, left - right, left * right, left / right)
        for name, (values, states) in self.numbers.items():
            if name not in (operation.left, operation.right):
                yield from (
                    np.where((states == 1) & (result == values), code, -1) for code, result in enumerate(results)
                )


def read_operations(frame: pl.DataFrame, prefix: str = "", *, by_type: bool = True) -> Stated | None:
    """The operations that the rows of a table state in columns of their own; ``None`` where its columns are no such.

    >>> frame = pl.DataFrame({"a": [12, 5], "op": ["+", "less"], "b": [34, 3], "note": ["x", "y"]})
    >>> stated = read_operations(frame)
    >>> stated.columns, stated.lefts.tolist(), stated.operators.tolist(), stated.rights.tolist(), stated.rows.tolist()
    (['a, op, b'], [12], [0], [34], [0])
    """
    columns = _Columns(frame)
    found = find_operations(list(columns.numbers), list(columns.operators), frame.columns, by_type=by_type)
    if not found:
        return None
    parts = [np.empty((0, 4), np.int64)]
    stated: dict[Operation, None] = {}
    left_out = dict.fromkeys(LEFT_OUT, 0)
    two_numbers = np.zeros(frame.height, bool)
    for operation in found:
        (lefts, left_states), (rights, right_states) = columns.numbers[operation.left], columns.numbers[operation.right]
        both, worst = (left_states != 0) & (right_states != 0), np.minimum(left_states, right_states)
        two_numbers |= both
        for signs in columns.signs(operation):
            for place, reason in enumerate(LEFT_OUT, start=1):
                left_out[reason] += int(((signs >= 0) & both & (worst == -place)).sum())
            rows = np.flatnonzero((signs >= 0) & both & (worst == 1))
            if rows.size:
                parts.append(np.stack([signs[rows], lefts[rows], rights[rows], rows], axis=1))
                stated[operation] = None
    joined = np.unique(np.concatenate(parts), axis=0) if len(parts) > 2 else parts[-1]
    names = dict.fromkeys(f"{prefix}{name}" for one in stated for name in one.names)
    if prefix == LISTS or prefix.endswith(f".{LISTS}"):  # rows of lists: the table's columns are the lists themselves
        names = dict.fromkeys(f"{prefix.removesuffix(LISTS)}{name}[]" for one in stated for name in one.names)
    labels = [", ".join(f"{prefix}{name}" for name in one.names) for one in stated]
    signs, lefts, rights, rows = joined.T
    return Stated(signs, lefts, rights, rows, left_out, np.flatnonzero(two_numbers), labels, list(names))


def may_state_operations(schema: Mapping[str, Any]) -> bool:
    """Whether columns of these types can state an operation, if their cells are numbers and operators."""
    numbers = [name for name, kind in schema.items() if _is_scalar(kind)]
    return bool(find_operations(numbers, [name for name, kind in schema.items() if _is_cell(kind)], list(schema)))


def columns_of_operations(schema: Mapping[str, Any]) -> list[str]:
    """The columns of a table to read for the operations that they may state, at any depth."""
    own = [name for name, kind in schema.items() if _is_scalar(kind)] if may_state_operations(schema) else []
    lists = [name for name, kind in schema.items() if _is_list(kind)]
    if lists and _pairs_of_lists(schema, lists):
        own += [*lists, *(name for name, kind in schema.items() if _is_scalar(kind) and name not in own)]
    return [*own, *(name for name, kind in schema.items() if any(_tables_of(kind)))]


def _tables_of(kind: Any) -> Iterator[Any]:
    """Those types of structs at or below a Polars type that may state an operation."""
    if isinstance(kind, pl.List):
        yield from _tables_of(kind.inner)
    elif isinstance(kind, pl.Struct) and columns_of_operations({field.name: field.dtype for field in kind.fields}):
        yield kind


def _is_list(kind: Any) -> bool:
    return isinstance(kind, pl.List) and _is_scalar(kind.inner)


def _list_columns(schema: Mapping[str, Any], lists: Sequence[str]) -> list[str]:
    """The lists that state operations as columns, whatever lists of other lengths stand beside them."""
    flat = {name: kind.inner if name in lists else kind for name, kind in schema.items()}
    cells = [name for name, kind in flat.items() if _is_scalar(kind)]
    found = find_operations(cells, [name for name in cells if _is_cell(flat[name])], list(flat))
    return [name for name in lists if any(name in one.names for one in found)]


def _pairs_of_lists(schema: Mapping[str, Any], lists: Sequence[str]) -> bool:
    single = any(map(lists_operands, lists)) and any(map(_is_cell, schema.values()))
    flat = {name: kind.inner if name in lists else kind for name, kind in schema.items()}
    return single or (len(lists) > 1 and may_state_operations({n: k for n, k in flat.items() if _is_scalar(k)}))


def tables_within(frame: pl.DataFrame, prefix: str = "") -> Iterator[tuple[str, pl.DataFrame, np.ndarray]]:
    """A table and those in its cells that may state operations: the path before their columns, the row of each row.

    >>> frame = pl.DataFrame({"items": [[{"a": 1, "op": "+", "b": 2}, {"a": 3, "op": "-", "b": 4}]]})
    >>> [(prefix, table.columns, rows.tolist()) for prefix, table, rows in tables_within(frame)]
    [('items[].', ['a', 'op', 'b'], [0, 0])]
    """
    if may_state_operations(frame.schema):
        yield prefix, frame, np.arange(frame.height, dtype=np.int64)
    yield from _tables_of_lists(frame, prefix)
    for name, kind in frame.schema.items():
        if any(_tables_of(kind)):
            inner, path = frame.select(pl.col(name)).with_row_index(_ROW), f"{prefix}{name}"
            while not isinstance(inner.schema[name], pl.Struct):
                inner, path = inner.explode(name), f"{path}[]"
            rows = inner[_ROW].to_numpy().astype(np.int64)
            for below, table, places in tables_within(inner[name].struct.unnest(), f"{path}."):
                yield below, table, rows[places]


def _tables_of_lists(frame: pl.DataFrame, prefix: str) -> Iterator[tuple[str, pl.DataFrame, np.ndarray]]:
    """Tables made of lists: those of one length are columns (``{"a": [1, 2], "op": ["+", "-"], "b": [3, 4]}``); one
    of operands beside an operator is its pairs (``{"operands": [12, 34], "op": "+"}``).
    """
    lists = [name for name, kind in frame.schema.items() if _is_list(kind)]
    if not lists or not _pairs_of_lists(frame.schema, lists):
        return
    scalars = [name for name, kind in frame.schema.items() if _is_scalar(kind)]
    numbered = frame.select(*lists, *scalars).with_row_index(_ROW)
    for name in lists:
        if scalars and lists_operands(name):
            items = pl.col(name).list
            pairs = numbered.select(_ROW, *scalars, name).filter(items.len() >= 2)
            pairs = pairs.with_columns(left=items.head(items.len() - 1), right=items.tail(items.len() - 1))
            yield f"{prefix}{name}[].", *_numbered(pairs.drop(name).explode("left", "right"))
    columns = _list_columns(frame.schema, lists)
    if len(columns) > 1:
        lengths = [pl.col(name).list.len() for name in columns]
        same = numbered.filter(pl.all_horizontal(one == two for one, two in pairwise(lengths)) & (lengths[0] > 0))
        yield f"{prefix}{LISTS}", *_numbered(same.select(_ROW, *columns, *scalars).explode(columns))


def _numbered(table: pl.DataFrame) -> tuple[pl.DataFrame, np.ndarray]:
    return table.drop(_ROW), table[_ROW].to_numpy().astype(np.int64)


def cells_frame(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Rows of Python values as a table of cells of text, for rows that share no schema.

    >>> cells_frame([{"a": 12, "b": 3.0}, {"a": 1.5, "op": "+", "c": True}]).rows()
    [('12', '3', None), ('1.5', None, '+')]
    """
    names = dict.fromkeys(name for row in rows for name, value in row.items() if _cell(value) is not None)
    return pl.DataFrame({name: pl.Series([_cell(row.get(name)) for row in rows], dtype=pl.String) for name in names})


def _cell(value: Any) -> str | None:
    if isinstance(value, str):
        return value if len(value) <= LONGEST_CELL else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value) if value == value else None
    return str(value) if abs(value) < 10**MOST_DIGITS else "1" + "0" * MOST_DIGITS
