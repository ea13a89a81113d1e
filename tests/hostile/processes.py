"""Cases of life beside the interpreter: threads, forks, signals, exit, memory, switches."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable

from tests.hostile.apis import Api, Made, both
from tests.hostile.case import LIMIT, Case, LeakError, Right
from tests.hostile.running import ROOT
from tests.support.interrupts import PROMPT, processor_seconds, wait_until_busy

MEGABYTE = 2**20


def command(*arguments: str, switches: tuple[str, ...] = ()) -> list[str]:
    return [sys.executable, *switches, "-m", "tests.hostile.children", *arguments]


def child(*arguments: str, switches: tuple[str, ...] = (), **environment: str) -> str:
    """What the child printed; an error if it did not end well and in time."""
    done = subprocess.run(
        command(*arguments, switches=switches),
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr[-300:]}")
    return done.stdout


def interrupted(*arguments: str) -> str:
    """Ctrl-C in the middle of a call that uses a minute of processor time; the child prints how much it had used."""
    with subprocess.Popen(command(*arguments), cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            if running.stdout.readline() != "ready\n":
                raise AssertionError("it did not begin")
            wait_until_busy(running)
            running.send_signal(signal.SIGINT)
            sent = processor_seconds(running.pid)
            said, _ = running.communicate(timeout=LIMIT)
        finally:
            running.kill()
    if running.returncode:
        raise AssertionError(f"exit code {running.returncode}")
    return "at once" if float(said) - sent < PROMPT else f"after {float(said) - sent:.1f} s of work"


def tokens(api: Api) -> tuple[str, ...]:
    return ("--tokens",) if api.tokenized else ()


def quiet(name: str) -> Callable[[Api], Made]:
    """The child checks all by itself."""
    return lambda api: (lambda: child(*tokens(api), name), Right(lambda: ""))


def small(name: str, limit: int, *arguments: str) -> Callable[[Api], Made]:
    """So many bytes are kept at most."""

    def call(api: Api) -> str:
        kept = int(child(*tokens(api), name, *arguments))
        if kept >= limit:
            raise LeakError(f"{kept / MEGABYTE:.1f} MB stayed, {limit / MEGABYTE:.0f} MB are allowed")
        return "nothing stayed"

    return lambda api: (lambda: call(api), Right(lambda: "nothing stayed"))


def without_memory(api: Api) -> bool:
    outcomes = json.loads(child(*tokens(api), "memory_limits"))
    return bool(outcomes["memory"] >= 4 and outcomes["right"] >= 4)


def fingerprints(api: Api, *settings: tuple[tuple[str, ...], dict[str, str]]) -> bool:
    """Whether all interpreters print the same numbers, and the same errors."""
    printed = {
        child(*tokens(api), "fingerprint", switches=switches, **environment) for switches, environment in settings
    }
    return len(printed) == 1 and "no error" not in printed.pop()


def yes(call: Callable[..., bool], *arguments: object) -> Callable[[Api], Made]:
    return lambda api: (lambda: call(api, *arguments), Right(lambda: True))


PROCESS = both(
    {
        "eight-threads": quiet("eight_threads"),
        "list-changed-meanwhile": quiet("changed_meanwhile"),
        "fork-after-use": quiet("fork_after_use"),
        "fork-during-use": quiet("fork_during_use"),
        "fork-and-spawn-workers": quiet("worker_processes"),
        "ctrl-c": lambda api: (lambda: interrupted(*tokens(api), "interrupted", "2"), Right(lambda: "at once")),
        "exit-with-threads-inside": quiet("exit_inside"),
        "other-threads-run": quiet("others_run"),
        "no-memory": yes(without_memory),
        "leak-over-calls": small("growth", 4 * MEGABYTE, "good"),
        "leak-over-errors": small("growth", 4 * MEGABYTE, "bad"),
        "memory-kept-afterwards": small("kept_after_use", 10 * MEGABYTE),
        "hash-seeds": yes(fingerprints, *(((), {"PYTHONHASHSEED": seed}) for seed in "012")),
        "interpreter-switches": yes(
            fingerprints,
            ((), {}),
            (("-O",), {}),
            (("-OO",), {}),
            (("-X", "dev", "-W", "error"), {"PYTHONMALLOC": "debug"}),
        ),
    }
)


def interrupt(name: str, *arguments: str) -> Case:
    return Case(f"interrupt/{name}", lambda: interrupted(*arguments), Right(lambda: "at once"))


INTERRUPTS = [
    Case("interrupt/conversion", lambda: child("interrupted_conversion"), Right(lambda: "")),
    interrupt("one-thread", "interrupted", "1"),
    interrupt("update", "interrupted_update"),
    interrupt("alignment", "interrupted_alignment"),
    interrupt("training", "interrupted_training"),
]

GROUPS: dict[str, list[Case]] = {"process": PROCESS, "interrupts": INTERRUPTS}
