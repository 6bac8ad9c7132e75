# All targets work in a clean clone on Debian or Ubuntu with Swift, git, make and apt.

.DEFAULT_GOAL := help
.PHONY: help setup test-setup build build-tests run test unit-tests fixtures test-quick interoperability test-thread test-address gallery controller homes console faults scenarios home-bench simulation-bench namespaces finding messages check proofs consumer consumer-outside docs page page-units page-proofs cast-proofs airplay-proofs screenshots crash-test hostile fuzz fuzz-changed instructions instructions-changed bench many controller-bench soak hapload install uninstall clean

# What `make run` needs: the libraries, and Avahi with its message bus for announcements.
PACKAGES := pkg-config libsodium-dev libavahi-compat-libdnssd-dev libavahi-client-dev libssl-dev libsqlite3-dev \
	libqrencode-dev zlib1g-dev avahi-daemon dbus
# What only the tests need.
TEST_PACKAGES := avahi-utils iproute2 openssl python3-venv zbar-tools codespell nodejs
# The browser that tests the page.
PAGE_PACKAGES := chromium chromium-driver fonts-dejavu-core
# The Cast senders that `make cast-proofs` tests with besides the browser.
CAST_PACKAGES := vlc-bin vlc-plugin-base
# The AirPlay senders that `make airplay-proofs` tests with, what makes a video, and the libraries of shairport-sync.
AIRPLAY_PACKAGES := pulseaudio pulseaudio-utils pulseaudio-module-raop pipewire pipewire-bin libpipewire-0.3-modules \
	wireplumber ffmpeg libconfig9 libdaemon0 libjack-jackd2-0 libmosquitto1 libpopt0 libsoxr0
# The load generator of `make bench` and `make soak`.
BENCH_PACKAGES := gcc libgmp-dev
# The tool that counts the instructions of the micro-benchmarks.
INSTRUCTION_PACKAGES := binutils python3 valgrind

# The folder of release builds. .ci/run uses another one, to build release and debug products at the same time.
RELEASE ?= .build
# Swift's libraries are linked statically: the program starts in half the time, and the tests use the installed binary.
# Accessors by mangled name are disabled: their lookups at run time took a seventh of the start.
# LLVM's linker merges equal functions, packs the relocations of the start, and exports no symbols: a smaller program
# that touches fewer pages.
RELEASE_OPTIONS := --static-swift-stdlib \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
	-Xswiftc -use-ld=lld -Xlinker --icf=safe -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
RELEASE_BUILD := swift build -c release $(RELEASE_OPTIONS) --scratch-path $(RELEASE)
HAP := $(RELEASE)/release/hap
# Makes the binary newer than its sources. A binary that is newer is left alone: SwiftPM would link it again at the next
# build, while other targets use it.
TOUCH_HAP := [ -z "$$(find Package.swift Sources -newer $(HAP) -print -quit)" ] || touch $(HAP)
# The folder of the consumer's package: in that of swift-hap, SwiftPM follows the plan of swift-hap and builds nothing.
CONSUMER := .build/consumer
VENV := .venv
PROMTOOL := .build/promtool
PAGE_VENV := .build/page-venv
# Each Cast sender that cast.py tests with has an environment of its own.
PYCHROMECAST_VENV := .build/pychromecast-venv
CATT_VENV := .build/catt-venv
# The AirPlay sender of airplay.py, and the receiver with which airplay_proofs.py compares.
PYATV_VENV := .build/pyatv-venv
SHAIRPORT := .build/shairport-sync
# The folders of the benchmark suite: its sources and its build.
BENCH ?= ../shared/bench
BENCH_BUILD := .build/bench
BENCH_VENV := .build/bench-venv
# The number of measurements of each row of `make bench`, and the maximum time to wait for a quiet machine in seconds.
RUNS ?= 3
QUIET ?= 5
# The duration of `make soak`; if empty, 1 million requests and 20,000 connections.
MINUTES ?=
# The duration of each target of `make fuzz` (20), each attack of `make hostile` (10), or each run of `make bench` (1.5).
SECONDS ?=
# More arguments for `hap serve`, or for a program of `make interoperability`.
ARGUMENTS ?=
# The commit that `make test-quick` compares with; if empty, origin/main.
SINCE ?=
# The folder of `make install`. Package builders set DESTDIR, which precedes every path.
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=

# The number of kills of `make crash-test`, and the seed of their random times.
ROUNDS ?= 500
SEED ?=

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## install the Debian packages that are missing for `make run`
	@.ci/install-packages $(PACKAGES)

test-setup: ## install the Debian packages that are missing for the tests
	@.ci/install-packages $(PACKAGES) $(TEST_PACKAGES)

build: setup ## build the release binary
	@[ -e $(HAP) ] || echo "The first build takes about 6 minutes on two cores. [n/m] says how many steps are done."
	$(RELEASE_BUILD) --product hap
	@$(TOUCH_HAP)

run: build ## serve the Kilgo garage; ARGUMENTS="--port 5001" adds options
	@.ci/run-daemon
	@exec $(HAP) serve $(ARGUMENTS)

# More targets that `make test` runs beside its own, and the minutes that all of them may take.
ALSO ?=
LIMIT ?=
# Tests are slower beside a build.
test: export HAP_TEST_SLOWNESS ?= 2
test: test-setup $(PROMTOOL) ## run all tests, several at a time: the unit tests, and the release binary with aiohomekit and HAP-python
	@.ci/side-by-side $(if $(LIMIT),--limit $(LIMIT)) test-setup build-tests build $(VENV)/ready unit-tests \
		$(INTEROPERABILITY_TARGETS) $(ALSO)

build-tests: setup ## build the unit tests
	swift build --build-tests

unit-tests: test-setup build-tests ## run the unit tests
	@.ci/unit-tests

fixtures: test-setup build-tests ## write the tables, schemas and texts that tests compare; read the diff before you commit it
	-@HAP_WRITE_FIXTURES=1 .ci/unit-tests >/dev/null
	@git status --short

test-quick: test-setup build-tests ## run the unit tests of the modules changed since SINCE=origin/main, and of their dependents
	@.ci/unit-tests --since $(SINCE)

# The programs that test the release binary, in Tests/Interoperability. Each runs in namespaces of its own, so they can run
# at the same time: `make --jobs 4 interoperability`, or one of them as `make interoperability-controller`.
# The longest ones come first.
INTEROPERABILITY := console faults airplay cast cast_sender run controller deeds home gallery json_output scenarios schema
INTEROPERABILITY_TARGETS := $(INTEROPERABILITY:%=interoperability-%)
.PHONY: $(INTEROPERABILITY_TARGETS)

interoperability: $(INTEROPERABILITY_TARGETS) ## test the release binary with aiohomekit and HAP-python

interoperability-console: $(PROMTOOL)

interoperability-cast: $(PYCHROMECAST_VENV)/ready $(CATT_VENV)/ready

interoperability-cast_sender: $(PYCHROMECAST_VENV)/ready

interoperability-airplay: $(PYATV_VENV)/ready

$(INTEROPERABILITY_TARGETS): interoperability-%: $(HAP) $(VENV)/ready
	$(VENV)/bin/python Tests/Interoperability/$*.py $(if $(filter-out schema,$*),--hap $(HAP)) $(ARGUMENTS)

# Each sanitizer has its own build folder and its own preloaded library, whose source says why it is there. The libraries
# suppress nothing; leaks.txt does.
test-thread: test-setup ## run all tests under ThreadSanitizer
	@mkdir -p .build/thread
	clang -O1 -Wall -shared -fPIC -o .build/thread/mutex.so Tests/Sanitizers/mutex.c -ldl
	swift build --build-tests --sanitize=thread --scratch-path .build/thread
	LD_PRELOAD=$(CURDIR)/.build/thread/mutex.so TSAN_OPTIONS=exitcode=66 HAP_TEST_SLOWNESS=10 \
		.ci/unit-tests --build .build/thread --width 2

test-address: test-setup ## run all tests under AddressSanitizer, leaks included
	@mkdir -p .build/address
	clang -O1 -Wall -shared -fPIC -o .build/address/ending.so Tests/Sanitizers/ending.c -ldl
	swift build --build-tests --sanitize=address --scratch-path .build/address
	LD_PRELOAD=$(CURDIR)/.build/address/ending.so ASAN_OPTIONS=detect_leaks=1 HAP_TEST_SLOWNESS=10 \
		LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/leaks.txt:print_suppressions=0 \
		.ci/unit-tests --build .build/address

crash-test: build ## kill servers at ROUNDS=500 random moments (SEED=n repeats), then make their disk fail
	swift build --product CrashTest
	@mkdir -p .build/crash-test
	clang -O1 -Wall -shared -fPIC -o .build/crash-test/faults.so Tests/CrashTest/Preloaded/faults.c -ldl
	.build/debug/CrashTest kill --hap $(HAP) --rounds $(ROUNDS) $(if $(SEED),--seed $(SEED))
	.build/debug/CrashTest faults --hap $(HAP)

gallery: interoperability-schema interoperability-gallery ## serve the gallery and dumps of real devices, and read them with aiohomekit

controller: interoperability-controller ## test every command of the controller with HAP-python and with `hap serve`

homes: interoperability-home ## test every command of homes with HAP-python and with `hap serve`

console: ARGUMENTS := --examples 100
console: interoperability-console ## test the API of a running server with schemathesis, promtool and aiohomekit, and attack it

faults: interoperability-faults ## check that aiohomekit sees every fault and every quirk

scenarios: interoperability-scenarios interoperability-deeds ## run the scenarios of Config/scenarios twice, type at the prompt, and perform the controller of one

home-bench: setup ## run a scene with 100 accessories on 10 bridges: under 150 ms; start and return a home of 9,504 services: under 1 s and 100 ms
	$(RELEASE_BUILD) --product HomeBenchmark
	$(RELEASE)/release/HomeBenchmark

simulation-bench: setup ## simulate 10,000 accessories for a day, with the same result twice: under 10 s of one core
	$(RELEASE_BUILD) --product SimulationBenchmark
	$(RELEASE)/release/SimulationBenchmark

namespaces: $(HAP) $(VENV)/ready ## check with two hosts in network namespaces that discovery recovers and finds; needs root
	$(VENV)/bin/python Tests/Interoperability/healing.py --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/finding.py --hap $(HAP)

finding: $(HAP) $(VENV)/ready ## find, pair and watch an accessory in another network namespace; needs root
	$(VENV)/bin/python Tests/Interoperability/finding.py --hap $(HAP)

messages: ## list every text that a user can see in .build/messages.md
	@.ci/list-messages

check: test-setup ## check the sources: format, imports, sizes, spelling, links and words
	@.ci/check-sources
	@.ci/check-prose

# What fails most often comes first. ROUNDS and SECONDS apply to these, too.
PROOFS := test-address test-thread crash-test hostile page-proofs cast-proofs airplay-proofs consumer-outside fuzz home-bench \
	simulation-bench controller-bench many soak bench instructions install
proofs: test-setup ## run what .ci/run does not, one after the other: sanitizers, 500 kills, attacks, benchmarks; at most 75 minutes
	@[ -e $(BENCH)/suite.py ] || { echo "There is no benchmark suite in $(BENCH); name its folder: BENCH=FOLDER."; exit 1; }
	@exec .ci/side-by-side --alone --limit 75 test-setup $(PROOFS)
proofs: export DESTDIR := $(CURDIR)/.build/installed

fuzz: test-setup ## fuzz every reader of untrusted bytes, each target for SECONDS (20)
	@$(if $(SECONDS),Fuzz/run --seconds $(SECONDS),.ci/stale --all fuzz Fuzz/run PARTS)

fuzz-changed: test-setup ## fuzz the readers that have changed since they were fuzzed, each target for 20 seconds
	@.ci/stale fuzz Fuzz/run PARTS

consumer: $(HAP) build-tests $(VENV)/ready ## run the examples of README, the guides and Examples, and check what they build
	Tests/Consumer/check-closure
	.build/debug/ConsumerObserved
	$(VENV)/bin/python Tests/Interoperability/remote.py --remote .build/debug/ConsumerRemote --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/lamp.py --lamp .build/debug/ConsumerLamp
	$(VENV)/bin/python Tests/Interoperability/homekit.py --apps .build/debug --hap $(HAP)
	$(VENV)/bin/python Tests/Interoperability/kilgo.py --app .build/debug/ConsumerKilgo --hap $(HAP)

consumer-outside: setup ## build these examples as a user's package
	Tests/Consumer/build --scratch-path $(CURDIR)/$(CONSUMER)

docs: setup ## build the library's documentation into .build/docs
	@.ci/build-docs

page-units: test-setup ## test the functions of the page without a browser
	node --test Tests/Page/units/*.test.mjs

page: page-units $(HAP) $(PAGE_VENV)/ready ## test the page with Chromium and aiohomekit, on a desktop
	$(PAGE_VENV)/bin/python Tests/Page/page.py --hap $(HAP)

page-proofs: $(HAP) $(PAGE_VENV)/ready ## test the page on phones, with a silent server, its frames and its memory
	$(PAGE_VENV)/bin/python Tests/Page/page.py --hap $(HAP) --proofs

cast-proofs: $(HAP) $(PAGE_VENV)/ready ## cast with VLC and Chromium, which checks the certificates of the receiver; needs root
	@.ci/install-packages $(CAST_PACKAGES)
	$(PAGE_VENV)/bin/python Tests/Interoperability/cast_proofs.py --hap $(HAP) $(ARGUMENTS)

airplay-proofs: $(HAP) $(VENV)/ready $(PYATV_VENV)/ready $(SHAIRPORT) ## stream with PulseAudio, PipeWire and pyatv, and compare with shairport-sync; needs root
	@.ci/install-packages $(AIRPLAY_PACKAGES)
	$(VENV)/bin/python Tests/Interoperability/airplay_proofs.py --hap $(HAP) $(ARGUMENTS)

screenshots: build build-tests $(PAGE_VENV)/ready ## make the pictures of the page and the recordings in terminals
	$(PAGE_VENV)/bin/python Tests/Page/screenshots.py --hap $(HAP) docs/pictures
	$(PAGE_VENV)/bin/python Tests/Page/recording.py --hap $(HAP) docs/pictures/first-minute.svg
	$(PAGE_VENV)/bin/python Tests/Page/kilgo_recording.py --app .build/debug/ConsumerKilgo --hap $(HAP) docs/pictures/kilgo.svg

hostile: build $(VENV)/ready ## attack the release binary, each attack for SECONDS (10)
	$(VENV)/bin/python Tests/Hostility/run.py --hap $(HAP) --seconds $(or $(SECONDS),10)

bench: build hapload $(BENCH_VENV)/ready ## run the benchmark suite in BENCH beside HAP-python; RUNS=1 SECONDS=0.3 is quick
	$(RELEASE_BUILD) --product BridgeBenchmark
	@rm -f $(BENCH_BUILD)/lines.jsonl
	@python3 Benchmarks/compare.py --suite $(BENCH_BUILD) --hap $(abspath $(HAP)) \
		--bridge $(abspath $(RELEASE)/release/BridgeBenchmark) --python $(abspath $(BENCH_VENV)/bin/python) \
		--runs $(RUNS) --seconds $(or $(SECONDS),1.5) --quiet $(QUIET)

many: test-setup build hapload ## serve 1,000 garages with one process, and compare one of them with a single garage
	@python3 Benchmarks/many.py --hapload $(BENCH_BUILD)/hapload/hapload --hap $(HAP)

controller-bench: test-setup build ## measure the controller: 100 sessions at once, 500 open ones, an event until `hap watch` prints it
	$(RELEASE_BUILD) --product ControllerBenchmark
	@python3 Benchmarks/controller.py --hap $(HAP) --benchmark $(RELEASE)/release/ControllerBenchmark

soak: test-setup build hapload ## keep a server busy and check that its memory does not grow; MINUTES=n limits it
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

uninstall: ## uninstall; configuration and state remain
	rm -f "$(DESTDIR)$(PREFIX)/bin/hap" "$(DESTDIR)$(PREFIX)/lib/systemd/system/hap.service" \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/hap" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_hap" \
		"$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/hap.fish"
	@echo "Removed. What is left: $(SYSCONFDIR)/hap, and the state in /var/lib/private/hap."

instructions: build $(if $(wildcard $(BENCH)/suite.py),hapload) ## count the instructions of a read, a write and others, and compare them with the thresholds
	@.ci/install-packages $(INSTRUCTION_PACKAGES)
	$(RELEASE_BUILD) --product MicroBenchmarks
	@.ci/stale --all instructions Benchmarks/count-instructions --program $(RELEASE)/release/MicroBenchmarks \
		--hap $(HAP) --hapload $(BENCH_BUILD)/hapload/hapload

instructions-changed: test-setup ## count the instructions if a module has changed since they were counted
	@.ci/stale instructions $(MAKE) --no-print-directory instructions

clean: ## remove all build results
	rm -rf .build Fuzz/.build $(VENV)

# Built only if a source is newer, so that `sudo make install` works without Swift for root.
$(HAP): Package.swift $(shell find Sources) | setup
	$(RELEASE_BUILD) --product hap
	@$(TOUCH_HAP)

# The checker of metrics and alerts, out of its package: installed, that would start a daemon on all interfaces.
$(PROMTOOL): | test-setup
	@rm -rf $(PROMTOOL).package && mkdir -p $(PROMTOOL).package
	cd $(PROMTOOL).package && { apt-get download --quiet prometheus || \
		{ $$([ $$(id -u) = 0 ] || echo sudo) apt-get update --quiet --quiet && apt-get download --quiet prometheus; }; }
	cd $(PROMTOOL).package && dpkg-deb --extract prometheus_*.deb .
	@cp $(PROMTOOL).package/usr/bin/promtool $@ && rm -r $(PROMTOOL).package

# A receiver for AirPlay 1, out of its package: installed, that would start a daemon on all interfaces.
$(SHAIRPORT): | test-setup
	@rm -rf $(SHAIRPORT).package && mkdir -p $(SHAIRPORT).package
	cd $(SHAIRPORT).package && { apt-get download --quiet shairport-sync || \
		{ $$([ $$(id -u) = 0 ] || echo sudo) apt-get update --quiet --quiet && apt-get download --quiet shairport-sync; }; }
	cd $(SHAIRPORT).package && dpkg-deb --extract shairport-sync_*.deb .
	@cp $(SHAIRPORT).package/usr/bin/shairport-sync $@ && rm -r $(SHAIRPORT).package

$(VENV)/ready: Tests/Interoperability/requirements.txt | test-setup
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(PYCHROMECAST_VENV)/ready $(CATT_VENV)/ready $(PYATV_VENV)/ready: .build/%-venv/ready: Tests/Interoperability/%.txt | test-setup
	python3 -m venv .build/$*-venv
	.build/$*-venv/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

# axe is a script in a package for another program than selenium, which is not installed.
$(PAGE_VENV)/ready: Tests/Page/requirements.txt Tests/Page/axe.txt Tests/Interoperability/requirements.txt | test-setup
	@.ci/install-packages $(PAGE_PACKAGES)
	python3 -m venv $(PAGE_VENV)
	$(PAGE_VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	$(PAGE_VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement Tests/Page/axe.txt
	@touch $@

$(BENCH_VENV)/ready: Benchmarks/requirements.txt | test-setup
	python3 -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
