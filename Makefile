# Everything here works in a clean clone on Debian or Ubuntu with Swift, git, make and apt.

.DEFAULT_GOAL := help
.PHONY: help setup build run test check bench instructions clean

# Libraries to link, Avahi to advertise with, and what the tests drive: aiohomekit in a venv, a bus, a QR code reader.
PACKAGES := pkg-config libsodium-dev libavahi-compat-libdnssd-dev libssl-dev libsqlite3-dev libqrencode-dev \
	avahi-daemon avahi-utils dbus iproute2 python3-venv zbar-tools
# The load generator of `make bench`.
BENCH_PACKAGES := gcc libgmp-dev
# What counts the instructions of the micro-benchmarks.
INSTRUCTION_PACKAGES := binutils python3 valgrind

HAP := .build/release/hap
VENV := .venv
# Where the benchmark suite is.
BENCH ?= ../shared/bench
BENCH_OPTIONS ?=
# More arguments for `hap serve`.
ARGUMENTS ?=

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 23

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

bench: ## run the benchmark suite in BENCH against the release binary
	@test -f "$(BENCH)/suite.py" || { echo "No benchmark suite in $(BENCH): say where with make bench BENCH=FOLDER." >&2; exit 1; }
	@.ci/install-packages $(PACKAGES) $(BENCH_PACKAGES)
	swift build -c release --product hap
	@rm -rf .build/bench && mkdir -p .build/bench
	@cp -r --no-preserve=mode "$(BENCH)/suite.py" "$(BENCH)/hapload" .build/bench/
	$(MAKE) -C .build/bench/hapload
	python3 .build/bench/suite.py --label swift-hap --code 031-45-154 --pin --out .build/bench/results.jsonl \
		$(BENCH_OPTIONS) -- "$(abspath $(HAP))" serve --port {port} --state {dir} --setup-code 031-45-154 --advertise off

instructions: setup ## count what a read, a write, an event and their parts take, and compare with the thresholds
	@.ci/install-packages $(INSTRUCTION_PACKAGES)
	swift build -c release --product MicroBenchmarks
	@Benchmarks/count-instructions

clean: ## remove everything that was built
	rm -rf .build $(VENV)

$(VENV)/ready: Tests/Interoperability/requirements.txt | setup
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
