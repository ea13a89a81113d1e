"""Cases that end badly, to see that the battery notices; each is called after the label it has to get."""

from __future__ import annotations

import os
import signal
import sys
import time

from tests.hostile.case import SECONDS, Case, Right
from tests.hostile.running import serve


def _case(name: str, call: object, seconds: float = SECONDS) -> Case:
    assert callable(call)
    return Case(name, call, Right(lambda: None), seconds=seconds)


CASES = {
    case.name: case
    for case in (
        _case("right/first", lambda: None),
        _case("crash/segfault", lambda: os.kill(os.getpid(), signal.SIGSEGV)),
        _case("right/after a crash", lambda: None),
        _case("hang/sleep", lambda: time.sleep(1000), seconds=0.5),
        _case("crash/exit", lambda: os._exit(0)),
        _case("oom/memory", lambda: bytearray(1 << 40)),
        _case("silent/number", lambda: 7),
        _case("right/last", lambda: None),
    )
}

if __name__ == "__main__":
    serve(CASES, sys.argv[1:])
