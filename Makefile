# Everything here works in a clean clone on Debian or Ubuntu with Swift, git, make and apt.

.DEFAULT_GOAL := help
.PHONY: help setup build run test test-thread test-address crash-test check bench clean

# Libraries to link, Avahi to advertise with, and what the tests drive: aiohomekit in a venv, a bus, a QR code reader.
PACKAGES := pkg-config libsodium-dev libavahi-compat-libdnssd-dev libssl-dev libsqlite3-dev libqrencode-dev \
	avahi-daemon avahi-utils dbus iproute2 python3-venv zbar-tools
# The load generator of `make bench`.
BENCH_PACKAGES := gcc libgmp-dev

HAP := .build/release/hap
VENV := .venv
# Where the benchmark suite is.
BENCH ?= ../shared/bench
BENCH_OPTIONS ?=
# More arguments for `hap serve`.
ARGUMENTS ?=

# Of `make crash-test`: how many kills, and what their moments are drawn from.
ROUNDS ?= 500
SEED ?=

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 21

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

# A build of its own each, and few tests at a time: all of them side by side, slowed down, run into their limits. The
# preloaded library tells ThreadSanitizer of Swift's Mutex, and suppresses nothing.
SANITIZED := debug/swift-hapPackageTests.xctest --testing-library swift-testing \
	--experimental-maximum-parallelization-width 4
test-thread: setup ## run all tests under ThreadSanitizer
	@mkdir -p .build/thread
	clang -O1 -Wall -shared -fPIC -o .build/thread/mutex.so Tests/Sanitizers/mutex.c -ldl
	swift build --build-tests --sanitize=thread --scratch-path .build/thread
	LD_PRELOAD=$(CURDIR)/.build/thread/mutex.so TSAN_OPTIONS=exitcode=66 HAP_TEST_SLOWNESS=10 \
		.build/thread/$(SANITIZED)

test-address: setup ## run all tests under AddressSanitizer, leaks included
	swift build --build-tests --sanitize=address --scratch-path .build/address
	ASAN_OPTIONS=detect_leaks=1 HAP_TEST_SLOWNESS=10 \
		LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/leaks.txt:print_suppressions=0 \
		.build/address/$(SANITIZED)

crash-test: setup ## kill servers at ROUNDS=500 random moments (SEED=n repeats), then let their disk fail
	swift build -c release --product hap
	swift build --product CrashTest
	@mkdir -p .build/crash-test
	clang -O1 -Wall -shared -fPIC -o .build/crash-test/faults.so Tests/CrashTest/Preloaded/faults.c -ldl
	.build/debug/CrashTest kill --hap $(HAP) --rounds $(ROUNDS) $(if $(SEED),--seed $(SEED))
	.build/debug/CrashTest faults --hap $(HAP)

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

clean: ## remove everything that was built
	rm -rf .build $(VENV)

$(VENV)/ready: Tests/Interoperability/requirements.txt | setup
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
