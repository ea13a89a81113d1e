"""`bleuprint` without its start-up: a process that has already imported it forks for every call.

The documents call the program more than a hundred times, and most of a call is imports. Tests of the program itself
start it as users do.
"""

from __future__ import annotations

import atexit
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path

_IMPORTED = ("orjson", "rich.console", "rich.table", "rich.text", "bleuprint.cli._command", "bleuprint.report")
_SOCKET = "socket"
_CLIENT = f"""\
#!{sys.executable} -IS
import marshal, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect(os.path.join(os.path.dirname(__file__), "{_SOCKET}"))
    socket.send_fds(server, [b"\\0"], [0, 1, 2])
    server.sendall(marshal.dumps((sys.argv[1:], os.getcwd(), dict(os.environ))))
    server.shutdown(socket.SHUT_WR)
    sys.exit((server.recv(1) or b"\\x63")[0])
"""


@cache
def program_folder() -> Path:
    """A folder for PATH with a quick `bleuprint`; where processes cannot fork safely, the one with the usual one."""
    if sys.platform != "linux":
        return Path(sys.executable).parent
    folder = tempfile.TemporaryDirectory()
    client = Path(folder.name) / "bleuprint"
    client.write_text(_CLIENT, encoding="utf-8")
    client.chmod(0o755)
    command = [sys.executable, "-m", __name__, str(Path(folder.name) / _SOCKET)]
    server = subprocess.Popen(
        command, cwd=Path(__file__).parents[2], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"

    def end() -> None:
        server.communicate()
        folder.cleanup()

    atexit.register(end)
    return Path(folder.name)


def _serve(path: str) -> None:
    """Answer until standard input ends."""
    for module in _IMPORTED:
        import_module(module)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        print("ready", flush=True)
        while sys.stdin not in select.select([sys.stdin, listener], [], [])[0]:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _run(connection)
            connection.close()


def _run(connection: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, descriptors, _, _ = socket.recv_fds(connection, 1, 3)
    content = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    arguments, folder, environment = marshal.loads(content)
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target)
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)  # noqa: SIM115
    sys.argv = ["bleuprint", *arguments]
    code: object = 99
    try:
        import_module("bleuprint.cli").main()
        code = 0
    except SystemExit as end:
        code = 0 if end.code is None else end.code
    finally:
        sys.stdout.flush()
        ended = code if isinstance(code, int) else 1
        connection.sendall(bytes([ended]))
        os._exit(ended)


if __name__ == "__main__":
    _serve(sys.argv[1])
