"""Atomic file writes that never silently replace a different file; the user's data folder; names read from a file.

The bytes go to a temporary file in the same folder, are flushed to disk, and the file is then renamed. A reader sees
either the old or the new file, and a full disk leaves the old one untouched. An existing target is refused unless
`overwrite` is given or it already has the same content, so that a command can be run twice. Devices and pipes cannot
be replaced by a rename, so they are written to directly.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from bleuprint.errors import OptionError, OutputError

_MARKS = (b'{\n "schema_version"', b'{\n "bleuprint"', b"bleuprint</title>", b'class="chart ')
EXISTS = "it already exists with different content; pass --force (overwrite=True) to replace it"


def data_folder() -> Path | None:
    """The folder with what the user has added: $BLEUPRINT_DATA, or bleuprint in the system's folder for user data.

    None if the user has no home folder, as in some containers.
    """
    given = os.environ.get("BLEUPRINT_DATA")
    if given and not Path(given).is_absolute():
        raise OptionError("BLEUPRINT_DATA", "the absolute path of a folder", given)
    if given:
        return Path(given)
    if sys.platform == "win32":
        place = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        place = "~/Library/Application Support"
    else:
        place = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    folder = Path(os.path.expanduser(place))  # noqa: PTH111  # Path.expanduser raises an error without a home
    return folder / "bleuprint" if folder.is_absolute() else None


def is_plain_name(name: object) -> bool:
    """Whether a name that was read from a file can only name an entry of the folder it is looked up in.

    >>> is_plain_name("data-00000.arrow"), is_plain_name("../secret"), is_plain_name("/etc/passwd")
    (True, False, False)
    """
    # "\\" and ":" separate folders and drives on Windows.
    return isinstance(name, str) and name not in ("", ".", "..") and not set("/\\:\0") & set(name)


def check_targets(paths: Iterable[str | os.PathLike[str]], *, overwrite: bool = False, again: bool = False) -> None:
    """Raise an OutputError if a file could not be written, before the work whose result it is to hold.

    Without `overwrite`, an existing file is refused, because the new content is not known yet. With `again`, a file
    that a command of ours wrote is left for `write_files` to compare: the same command may be run again.
    """
    given = [Path(path) for path in paths]
    targets = [_follow_links(path) for path in given]
    _check_distinct(given, targets)
    for path in targets:
        with translate_errors(path):
            _check_place(path)
            if path.is_file() and not overwrite and not (again and _is_ours(path)):
                raise OutputError(str(path), "it already exists; pass --force (overwrite=True) to replace it")
            if not os.access(path if _is_device(path) else path.parent, os.W_OK):
                raise OutputError(str(path), os.strerror(errno.EACCES))


def write_files(contents: Mapping[Path, bytes] | Iterable[tuple[Path, bytes]], *, overwrite: bool = False) -> None:
    """Write all files, after checking every target.

    Pass several files as pairs: a mapping would hide that two spellings, x and ./x, name the same file.
    """
    pairs = list(contents.items() if isinstance(contents, Mapping) else contents)
    targets = {_follow_links(path): content for path, content in pairs}
    _check_distinct([path for path, _ in pairs], targets)
    pending = {path: content for path, content in targets.items() if _must_write(path, content, overwrite)}
    for path, content in pending.items():
        with translate_errors(path):
            _replace(path, partial(_write_all, content), overwrite)


def write_file(path: Path, fill: Callable[[int], None], *, overwrite: bool = False) -> None:
    """Write one file with a function that writes to a file descriptor, for content larger than memory."""
    target = _follow_links(path)
    check_targets([target], overwrite=overwrite)
    with translate_errors(target):
        _replace(target, fill, overwrite)


def move_file(written: Path, path: Path, *, overwrite: bool = False) -> None:
    """Move a complete file of the same file system to its place."""
    target = _follow_links(path)
    check_targets([target], overwrite=overwrite)
    with translate_errors(path):
        _put_in_place(written, target, overwrite)
        written.unlink(missing_ok=True)
        _flush_folder(target.parent)


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Turn errors of the system into an OutputError."""
    try:
        yield
    except OSError as error:
        raise OutputError(str(path), error.strerror or str(error)) from None


def _follow_links(path: Path) -> Path:
    """Follow symbolic links, so that the link stays and its target is replaced."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError) as error:  # ValueError: the path contains a NUL
        raise OutputError(str(path), str(error)) from None


def _check_distinct(given: Sequence[Path], targets: Collection[Path]) -> None:
    if len(set(targets)) < len(given):
        raise OutputError(" and ".join(map(str, given)), "they are the same file")


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise OutputError(str(path), "it is a folder; pass a file name")
    if not path.parent.is_dir():
        raise OutputError(str(path), f"the folder {path.parent} does not exist")


def _is_device(path: Path) -> bool:
    return path.exists() and not path.is_file()


def _is_ours(path: Path) -> bool:
    """Whether a file begins as results, reports and charts do."""
    with path.open("rb") as file:
        start = file.read(2048)
    return any(mark in start for mark in _MARKS)


def _must_write(path: Path, content: bytes, overwrite: bool) -> bool:
    with translate_errors(path):
        _check_place(path)
        if not path.is_file():
            return True
        if path.stat().st_size == len(content) and path.read_bytes() == content:
            return False
    if not overwrite:
        raise OutputError(str(path), EXISTS)
    return True


def _write_all(content: bytes, descriptor: int) -> None:
    with os.fdopen(descriptor, "wb", closefd=False) as file:
        file.write(content)


def _replace(path: Path, fill: Callable[[int], None], overwrite: bool) -> None:
    if _is_device(path):
        with path.open("wb", buffering=0) as device:
            fill(device.fileno())
        return
    temporary = path.with_name(f".{path.name[:100]}.{os.urandom(6).hex()}.tmp")
    # Nobody else reads what replaces a file before it has that file's mode. A new file has the mode of the umask.
    mode = 0o600 if path.exists() else 0o666
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        try:
            fill(descriptor)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        _put_in_place(temporary, path, overwrite)
    finally:
        temporary.unlink(missing_ok=True)
    _flush_folder(path.parent)


def _put_in_place(temporary: Path, path: Path, overwrite: bool) -> None:
    if path.exists():
        temporary.chmod(path.stat().st_mode)
    if not overwrite:
        # Unlike a rename, a hard link fails if another process has created the file since the check.
        try:
            os.link(temporary, path)
            return
        except FileExistsError:
            raise OutputError(str(path), EXISTS) from None
        except OSError:
            pass  # no hard links on this file system: rely on the earlier check
    temporary.replace(path)


def _flush_folder(folder: Path) -> None:
    """Make the new name survive a power failure, where folders can be flushed."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether a name is that of a folder; a name that is too long for the system is none."""
    return os.path.isdir(path)  # noqa: PTH112  # Path.is_dir raises an error for long names before Python 3.14
