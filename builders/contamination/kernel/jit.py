"""One decorator that compiles a function and keeps the machine code between runs.

numba's own cache knows a function by its file's date and does not see a change in the functions it calls, which lie in
other modules here. So the cache folder carries a digest of every kernel source: another source, another folder. It lies
in the user's cache, or in the temporary folder where that cannot be written; with neither, each run compiles anew.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba import _dynfunc
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.extending import intrinsic

from ... import machine

F = TypeVar("F", bound=Callable[..., Any])
_njit: Any = numba.njit
_config: Any = numba.config


def kernel_digest() -> str:
    """Sixteen hexadecimal digits that change with any kernel source."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _is_ours(folder: Path) -> bool:
    """Whether code can be kept in a folder: it can be written, and nobody else can put code there for us to run."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
        if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
            return False
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_folder() -> str | None:
    """The folder of the machine code; ``None`` where none can be written."""
    name = f"kernel-{kernel_digest()}"
    account = str(os.getuid()) if hasattr(os, "getuid") else "user"
    folders = (machine.cache_folder() / name, Path(tempfile.gettempdir()) / f"arithmark-{account}-{name}")
    return next((str(folder) for folder in folders if _is_ours(folder)), None)


_FOLDER = cache_folder()


def compiled(function: F) -> F:
    """``numba.njit`` for a function that Python calls: without the interpreter lock, cached where a folder allows."""
    before = _config.CACHE_DIR
    _config.CACHE_DIR = _FOLDER or before
    try:
        return _njit(nogil=True, cache=_FOLDER is not None)(function)
    finally:
        _config.CACHE_DIR = before


class _Unfinished(JITCodeLibrary):
    """Code that is only linked into its callers: optimised and made machine code there, and not in every step up."""

    def _optimize_final_module(self) -> None:
        return None

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _InnerCompiler(Compiler):
    """numba's compiler without its last steps, which would make machine code of a function and of all it calls."""

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        state = self.state
        state.flags.no_compile = True
        state.library = _Unfinished(state.targetctx.codegen(), function.__qualname__)
        result = super().compile_extra(function)
        description = result.fndesc
        stub = _dynfunc.make_function(  # numba tells its functions apart by such objects
            description.lookup_module(), function.__name__, "", 0, result.environment, (result.library,)
        )
        state.targetctx.insert_user_function(stub, description, [result.library])
        return result._replace(entry_point=stub)


_INNER: dict[str, Any] = {
    "nogil": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": _InnerCompiler,
}


def inner(function: F) -> F:
    """``numba.njit`` for a function that only compiled ones call: nothing is made for Python, nothing cached.

    That spares half of the compilation; Python code that calls such a function crashes.
    """
    return _njit(**_INNER)(function)


def inlined(function: F) -> F:
    """``inner``, put into its caller: for one that takes arrays and is called for every text.

    Passing arrays, numba counts references to each; that alone costs a third of the time on texts of 200 bytes.
    """
    return _njit(**_INNER, forceinline=True)(function)


@intrinsic
def pointer_at(_context, address):  # type: ignore[no-untyped-def]
    """A byte pointer to the memory at an integer address, to be indexed from 0.

    Passing one word instead of an array's seven, and indexing without a test for negative positions, makes the
    scanner's many small functions about twice as fast. The caller keeps the memory alive and the positions in range.
    """
    pointer = numba.types.CPointer(numba.types.uint8)

    def generate(context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.inttoptr(arguments[0], context.get_value_type(pointer))

    return pointer(address), generate


@intrinsic
def prefetch(_context, address):  # type: ignore[no-untyped-def]
    """Ask the processor to load the memory at an integer address, without waiting for it."""

    def generate(_inside, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        pointer = builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [pointer, number(1), number(2), number(1)])

    return numba.types.void(address), generate
