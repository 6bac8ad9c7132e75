# Everything here works in a clean clone on Debian or Ubuntu with Swift, git, make and apt.

.DEFAULT_GOAL := help
.PHONY: help setup build run test check bench soak hapload clean

# Libraries to link, Avahi to advertise with, and what the tests drive: aiohomekit in a venv, a bus, a QR code reader.
PACKAGES := pkg-config libsodium-dev libavahi-compat-libdnssd-dev libssl-dev libsqlite3-dev libqrencode-dev \
	avahi-daemon avahi-utils dbus iproute2 python3-venv zbar-tools
# The load generator of `make bench` and `make soak`.
BENCH_PACKAGES := gcc libgmp-dev

HAP := .build/release/hap
VENV := .venv
# Where the benchmark suite is, and where it is built.
BENCH ?= ../shared/bench
BENCH_BUILD := .build/bench
BENCH_VENV := .build/bench-venv
# How often and how long each row is measured, and how many seconds a run waits for a quiet machine at most.
RUNS ?= 3
SECONDS ?= 1.5
QUIET ?= 5
# How long `make soak` takes; 1 million requests and 20,000 connections when it is empty.
MINUTES ?=
# More arguments for `hap serve`.
ARGUMENTS ?=

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 15

setup: ## install the Debian packages that are missing
	@.ci/install-packages $(PACKAGES)

build: setup ## build the release binary
	swift build -c release --product hap

run: build ## serve the Kilgo garage; ARGUMENTS="--port 5001" adds options
	@.ci/run-daemon
	@exec $(HAP) serve $(ARGUMENTS)

test: setup $(VENV)/ready ## run all tests, then drive the release binary with aiohomekit
	swift test --parallel
	swift build -c release --product hap
	$(VENV)/bin/python Tests/Interoperability/run.py --hap $(HAP)

check: ## check the sources: format, imports, sizes
	@.ci/check-sources

bench: setup hapload $(BENCH_VENV)/ready ## compare with HAP-python by the suite in BENCH; RUNS=1 SECONDS=0.3 is quick
	swift build -c release --product hap
	swift build -c release --product BridgeBenchmark
	@rm -f $(BENCH_BUILD)/lines.jsonl
	@python3 Benchmarks/compare.py --suite $(BENCH_BUILD) --hap $(abspath $(HAP)) \
		--bridge $(abspath .build/release/BridgeBenchmark) --python $(abspath $(BENCH_VENV)/bin/python) \
		--runs $(RUNS) --seconds $(SECONDS) --quiet $(QUIET)

soak: build hapload ## keep a server busy and see that its memory does not grow; MINUTES=n bounds it
	@python3 Benchmarks/soak.py --hapload $(BENCH_BUILD)/hapload/hapload --hap $(HAP) \
		$(if $(MINUTES),--minutes $(MINUTES))

hapload:
	@test -f "$(BENCH)/suite.py" || { echo "No benchmark suite in $(BENCH): say where with BENCH=FOLDER." >&2; exit 1; }
	@.ci/install-packages $(BENCH_PACKAGES)
	@rm -rf $(BENCH_BUILD) && mkdir -p $(BENCH_BUILD)
	@cp -r --no-preserve=mode "$(BENCH)/suite.py" "$(BENCH)/hapload" $(BENCH_BUILD)/
	@$(MAKE) --no-print-directory -C $(BENCH_BUILD)/hapload clean all

clean: ## remove everything that was built
	rm -rf .build $(VENV)

$(VENV)/ready: Tests/Interoperability/requirements.txt | setup
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(BENCH_VENV)/ready: Benchmarks/requirements.txt | setup
	python3 -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
