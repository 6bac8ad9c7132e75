# Everything here works in a clean clone on Debian or Ubuntu with Swift, git, make and apt.

.DEFAULT_GOAL := help
.PHONY: help setup build build-tests run test unit-tests fixtures test-quick interoperability test-thread test-address gallery controller homes faults scenarios home-bench simulation-bench namespaces finding check proofs consumer docs crash-test hostile fuzz fuzzers instructions bench many controller-bench soak hapload install uninstall clean

# Libraries to link, Avahi to advertise with, and what the tests drive: aiohomekit in a venv, a bus, a QR code reader.
PACKAGES := pkg-config libsodium-dev libavahi-compat-libdnssd-dev libavahi-client-dev libssl-dev libsqlite3-dev \
	libqrencode-dev avahi-daemon avahi-utils dbus iproute2 python3-venv zbar-tools codespell
# The load generator of `make bench` and `make soak`.
BENCH_PACKAGES := gcc libgmp-dev
# What counts the instructions of the micro-benchmarks.
INSTRUCTION_PACKAGES := binutils python3 valgrind

# Where release products are built: .ci/run names another folder, to build them beside the debug ones.
RELEASE ?= .build
# With Swift's libraries linked in: a start takes half the time, and what is tested is what is installed. Without accessors
# by mangled name, each of which looks a type and its conformances up at run time: they were a seventh of a start.
RELEASE_OPTIONS := --static-swift-stdlib \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
RELEASE_BUILD := swift build -c release $(RELEASE_OPTIONS) --scratch-path $(RELEASE)
HAP := $(RELEASE)/release/hap
# Where the consumer's programs are built: beside the library's own modules, which need not be built again for them.
CONSUMER := .build
VENV := .venv
# Where the benchmark suite is, and where it is built.
BENCH ?= ../shared/bench
BENCH_BUILD := .build/bench
BENCH_VENV := .build/bench-venv
# How often each row of `make bench` is measured, and how many seconds a run waits for a quiet machine at most.
RUNS ?= 3
QUIET ?= 5
# How long `make soak` takes; 1 million requests and 20,000 connections when it is empty.
MINUTES ?=
# How long each target of `make fuzz` takes (20), each attack of `make hostile` (10), or a run of a row of `make bench` (1.5).
SECONDS ?=
# More arguments for `hap serve`.
ARGUMENTS ?=
# What `make test-quick` compares with: a commit.
SINCE ?=
# Where `make install` puts things; DESTDIR comes before everything, for packages.
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=

# Of `make crash-test`: how many kills, and what their moments are drawn from.
ROUNDS ?= 500
SEED ?=

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## install the Debian packages that are missing
	@.ci/install-packages $(PACKAGES)

build: setup ## build the release binary
	$(RELEASE_BUILD) --product hap

run: build ## serve the Kilgo garage; ARGUMENTS="--port 5001" adds options
	@.ci/run-daemon
	@exec $(HAP) serve $(ARGUMENTS)

test: unit-tests interoperability ## run all tests: the unit tests, then the release binary with aiohomekit and HAP-python

build-tests: setup ## build the unit tests
	swift build --build-tests

unit-tests: build-tests ## run the unit tests
	@.ci/unit-tests

fixtures: build-tests ## write the tables, schemas and texts that tests compare; read the diff before you commit it
	@.ci/list-messages
	-@HAP_WRITE_FIXTURES=1 .ci/unit-tests >/dev/null
	@git status --short

test-quick: build-tests ## run the unit tests of the modules that changed since SINCE=origin/main, and of those that depend on them
	@.ci/unit-tests --since $(SINCE)

interoperability: build $(VENV)/ready ## drive the release binary with aiohomekit and HAP-python
	$(VENV)/bin/python Tests/Interoperability/schema.py
	$(VENV)/bin/python Tests/Interoperability/run.py --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/gallery.py --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/controller.py --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/json_output.py --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/home.py --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/scenarios.py --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/deeds.py --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/faults.py --hap $(HAP)

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

crash-test: build ## kill servers at ROUNDS=500 random moments (SEED=n repeats), then let their disk fail
	swift build --product CrashTest
	@mkdir -p .build/crash-test
	clang -O1 -Wall -shared -fPIC -o .build/crash-test/faults.so Tests/CrashTest/Preloaded/faults.c -ldl
	.build/debug/CrashTest kill --hap $(HAP) --rounds $(ROUNDS) $(if $(SEED),--seed $(SEED))
	.build/debug/CrashTest faults --hap $(HAP)

gallery: build $(VENV)/ready ## serve the gallery and real devices' dumps, and read all of it back with aiohomekit
	$(VENV)/bin/python Tests/Interoperability/schema.py
	$(VENV)/bin/python Tests/Interoperability/gallery.py --hap $(HAP)

controller: build $(VENV)/ready ## drive every command of the controller, against HAP-python and against `hap serve`
	$(VENV)/bin/python Tests/Interoperability/controller.py --hap $(HAP)

homes: build $(VENV)/ready ## drive every command of homes, against HAP-python and against `hap serve`
	$(VENV)/bin/python Tests/Interoperability/home.py --hap $(HAP)

faults: build $(VENV)/ready ## show every fault and every quirk to aiohomekit
	$(VENV)/bin/python Tests/Interoperability/faults.py --hap $(HAP)

scenarios: build $(VENV)/ready ## run the scenarios of Config/scenarios twice, type at the prompt, and play the controller in one
	$(VENV)/bin/python Tests/Interoperability/scenarios.py --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/deeds.py --hap $(HAP)

home-bench: setup ## run a scene over 100 accessories on 10 bridges on loopback: under 150 ms
	$(RELEASE_BUILD) --product HomeBenchmark
	$(RELEASE)/release/HomeBenchmark

simulation-bench: setup ## let 10,000 simulated accessories live for a day, twice the same: under 10 s of one core
	$(RELEASE_BUILD) --product SimulationBenchmark
	$(RELEASE)/release/SimulationBenchmark

namespaces: build $(VENV)/ready ## show with two hosts in network namespaces that discovery heals itself and finds; needs root
	$(VENV)/bin/python Tests/Interoperability/healing.py --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/finding.py --hap $(HAP)

finding: build $(VENV)/ready ## find, pair and follow an accessory from one network namespace in another; needs root
	$(VENV)/bin/python Tests/Interoperability/finding.py --hap $(HAP)

check: ## check the sources: format, imports, sizes, spelling, links and words
	@.ci/check-sources
	@.ci/check-prose
	@.ci/list-messages --check

proofs: setup ## run every proof that .ci/run leaves out: sanitizers, 500 kills, attacks, benchmarks; takes about an hour
	@.ci/proofs

fuzzers: setup ## build the fuzzers
	@Fuzz/run --build-only

fuzz: setup ## fuzz everything that reads bytes of others, each target for SECONDS (20)
	@Fuzz/run --seconds $(or $(SECONDS),20)

consumer: build $(VENV)/ready ## build README's and the guides' examples from outside; pair, control, log, measure, shut down
	Tests/Consumer/build --scratch-path $(CURDIR)/$(CONSUMER)
	$(CONSUMER)/debug/Observed
	$(VENV)/bin/python Tests/Interoperability/remote.py --remote $(CONSUMER)/debug/Remote --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/lamp.py --lamp $(CONSUMER)/debug/Lamp

docs: setup ## build the library's documentation into .build/docs
	@.ci/build-docs

hostile: build $(VENV)/ready ## attack the release binary, each way for SECONDS (10)
	$(VENV)/bin/python Tests/Hostility/run.py --hap $(HAP) --seconds $(or $(SECONDS),10)

bench: build hapload $(BENCH_VENV)/ready ## compare with HAP-python by the suite in BENCH; RUNS=1 SECONDS=0.3 is quick
	$(RELEASE_BUILD) --product BridgeBenchmark
	@rm -f $(BENCH_BUILD)/lines.jsonl
	@python3 Benchmarks/compare.py --suite $(BENCH_BUILD) --hap $(abspath $(HAP)) \
		--bridge $(abspath $(RELEASE)/release/BridgeBenchmark) --python $(abspath $(BENCH_VENV)/bin/python) \
		--runs $(RUNS) --seconds $(or $(SECONDS),1.5) --quiet $(QUIET)

many: build hapload ## serve 1,000 garages from one process, and compare one of them with one that is alone
	@python3 Benchmarks/many.py --hapload $(BENCH_BUILD)/hapload/hapload --hap $(HAP)

controller-bench: build ## measure the controller: 100 sessions side by side, 500 live ones, the way of an event to `hap watch`
	$(RELEASE_BUILD) --product ControllerBenchmark
	@python3 Benchmarks/controller.py --hap $(HAP) --benchmark $(RELEASE)/release/ControllerBenchmark

soak: build hapload ## keep a server busy and see that its memory does not grow; MINUTES=n bounds it
	@python3 Benchmarks/soak.py --hapload $(BENCH_BUILD)/hapload/hapload --hap $(HAP) \
		$(if $(MINUTES),--minutes $(MINUTES))

hapload:
	@test -f "$(BENCH)/suite.py" || { echo "No benchmark suite in $(BENCH): say where with BENCH=FOLDER." >&2; exit 1; }
	@.ci/install-packages $(BENCH_PACKAGES)
	@rm -rf $(BENCH_BUILD) && mkdir -p $(BENCH_BUILD)
	@cp -r --no-preserve=mode "$(BENCH)/suite.py" "$(BENCH)/hapload" $(BENCH_BUILD)/
	@$(MAKE) --no-print-directory -C $(BENCH_BUILD)/hapload clean all

install: $(HAP) ## install binary, systemd unit, configuration and completions; PREFIX, DESTDIR
	@! ldd $(HAP) | grep -q libswift || { echo "$(HAP) needs Swift's libraries: run make build first." >&2; exit 1; }
	install -D -s -m 755 $(HAP) "$(DESTDIR)$(PREFIX)/bin/hap"
	install -d "$(DESTDIR)$(SYSCONFDIR)/hap" "$(DESTDIR)$(PREFIX)/lib/systemd/system"
	@test -e "$(DESTDIR)$(SYSCONFDIR)/hap/hap.yaml" || \
		install -m 640 Config/hap.yaml "$(DESTDIR)$(SYSCONFDIR)/hap/hap.yaml"
	sed 's,@BINDIR@,$(PREFIX)/bin,; s,@SYSCONFDIR@,$(SYSCONFDIR),' Config/hap.service \
		> "$(DESTDIR)$(PREFIX)/lib/systemd/system/hap.service"
	chmod 644 "$(DESTDIR)$(PREFIX)/lib/systemd/system/hap.service"
	install -d "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" \
		"$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	$(HAP) --generate-completion-script bash > "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/hap"
	$(HAP) --generate-completion-script zsh > "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_hap"
	$(HAP) --generate-completion-script fish > "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/hap.fish"
	@echo "Installed. Start it with: systemctl daemon-reload && systemctl enable --now hap; journalctl -u hap shows the code."

uninstall: ## remove what was installed; configuration and state stay
	rm -f "$(DESTDIR)$(PREFIX)/bin/hap" "$(DESTDIR)$(PREFIX)/lib/systemd/system/hap.service" \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/hap" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_hap" \
		"$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/hap.fish"
	@echo "Removed. What is left: $(SYSCONFDIR)/hap, and the state in /var/lib/private/hap."

instructions: setup ## count what a read, a write, an event and their parts take, and compare with the thresholds
	@.ci/install-packages $(INSTRUCTION_PACKAGES)
	$(RELEASE_BUILD) --product MicroBenchmarks
	@Benchmarks/count-instructions --program $(RELEASE)/release/MicroBenchmarks

clean: ## remove everything that was built
	rm -rf .build Fuzz/.build $(VENV)

# Built when a source is newer, so that root need not have Swift for `sudo make install`.
$(HAP): Package.swift $(shell find Sources -type f) | setup
	$(RELEASE_BUILD) --product hap
	@touch $@

$(VENV)/ready: Tests/Interoperability/requirements.txt | setup
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(BENCH_VENV)/ready: Benchmarks/requirements.txt | setup
	python3 -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
