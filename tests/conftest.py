"""Settings and data that all tests share."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.support import effort, wmt22

_QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
settings.register_profile("default", max_examples=10, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("many", max_examples=100, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("thorough", max_examples=10_000, deadline=None, suppress_health_check=_QUIET)
# For what runs the tests thousands of times, or slowly, as make mutants and make coverage do: always the same examples.
settings.register_profile(
    "few",
    max_examples=15,
    deadline=None,
    suppress_health_check=_QUIET,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # a failure is enough, the smallest one is not looked for
)
settings.load_profile("thorough" if effort.THOROUGH else "many" if effort.MANY else "default")


def pytest_collection_finish() -> None:
    """Thousands of tests stay to the end, and every collection of garbage would walk through all of them."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _no_added_tokenizers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the user has added to bleuprint's data folder is no part of the tests, nor of the programs they start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLEUPRINT_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session")
def wmt22_data(tmp_path_factory: pytest.TempPathFactory) -> wmt22.Wmt22:
    """WMT22 or the sample of it, unpacked into BLEUPRINT_WMT22 where that is set, else into a folder of this run."""
    given = os.environ.get("BLEUPRINT_WMT22")
    folder = Path(given) if given else tmp_path_factory.mktemp("wmt22")
    if not any((wmt22.unpacked(folder), wmt22.archive().exists(), wmt22.SAMPLE.exists())):
        pytest.skip("a source distribution has no sample of WMT22; a clone has")
    return wmt22.unpack(folder)
