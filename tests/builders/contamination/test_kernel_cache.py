"""Where the machine code is kept."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from arithmark_tasks.builders.contamination.kernel import jit


def test_code_is_kept_in_the_users_cache_under_a_digest_of_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert jit.cache_folder() == str(tmp_path / "cache" / "arithmark" / f"kernel-{jit.kernel_digest()}")


def test_the_digest_changes_with_any_kernel_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "kernel"
    shutil.copytree(Path(jit.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "__file__", str(folder / "jit.py"))
    before = jit.kernel_digest()
    with (folder / "context.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert jit.kernel_digest() != before


def test_another_folder_is_taken_where_the_cache_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: str(tmp_path))
    folder = jit.cache_folder()
    assert folder is not None and Path(folder).parent == tmp_path
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: str(tmp_path / "file"))
    assert jit.cache_folder() is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs POSIX permissions")
def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "arithmark" / f"kernel-{jit.kernel_digest()}"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    assert jit.cache_folder() != str(folder)


def test_an_inner_function_becomes_machine_code_only_in_its_callers() -> None:
    @jit.inner
    def double(value):  # type: ignore[no-untyped-def]
        return 2 * value

    @numba.njit
    def double_and_one(value):  # type: ignore[no-untyped-def]
        return double(value) + 1

    assert double_and_one(3) == 7
    (made,) = double.overloads.values()
    with pytest.raises(RuntimeError, match="no compiled object"):
        made.library.enable_object_caching()
        made.library._get_compiled_object()


@pytest.mark.slow
def test_the_scanner_works_where_nothing_can_be_kept(tmp_path: Path) -> None:
    code = (
        "from arithmark_tasks.builders.contamination.kernel import jit; assert jit.cache_folder() is None; "
        "from arithmark_tasks.builders.contamination.scanner import warm_up; warm_up(); print('compiled')"
    )
    (tmp_path / "file").write_bytes(b"")
    nowhere = str(tmp_path / "file")
    program = f"import tempfile; tempfile.gettempdir = lambda: {nowhere!r}; {code}"
    environment = {**os.environ, "XDG_CACHE_HOME": nowhere}
    result = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "compiled"
