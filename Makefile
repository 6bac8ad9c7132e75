# Everything here works in a clean clone on Debian or Ubuntu with Swift, git, make and apt.

.DEFAULT_GOAL := help
.PHONY: help setup build run test check bench install uninstall clean

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
# Where `make install` puts things; DESTDIR comes before everything, for packages.
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
# The binary that needs no Swift on the machine, built beside the others since its objects differ.
STATIC := .build/static/release/hap

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

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

install: $(STATIC) ## install binary, systemd unit, configuration and completions; PREFIX, DESTDIR
	install -D -s -m 755 $(STATIC) "$(DESTDIR)$(PREFIX)/bin/hap"
	install -d "$(DESTDIR)$(SYSCONFDIR)/hap" "$(DESTDIR)$(PREFIX)/lib/systemd/system"
	@test -e "$(DESTDIR)$(SYSCONFDIR)/hap/hap.yaml" || \
		install -m 640 Config/hap.yaml "$(DESTDIR)$(SYSCONFDIR)/hap/hap.yaml"
	sed 's,@BINDIR@,$(PREFIX)/bin,; s,@SYSCONFDIR@,$(SYSCONFDIR),' Config/hap.service \
		> "$(DESTDIR)$(PREFIX)/lib/systemd/system/hap.service"
	chmod 644 "$(DESTDIR)$(PREFIX)/lib/systemd/system/hap.service"
	install -d "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions"
	$(STATIC) --generate-completion-script bash > "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/hap"
	$(STATIC) --generate-completion-script zsh > "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_hap"
	@echo "Installed. Start it with: systemctl daemon-reload && systemctl enable --now hap; journalctl -u hap shows the code."

uninstall: ## remove what was installed; configuration and state stay
	rm -f "$(DESTDIR)$(PREFIX)/bin/hap" "$(DESTDIR)$(PREFIX)/lib/systemd/system/hap.service" \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/hap" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_hap"
	@echo "Removed. What is left: $(SYSCONFDIR)/hap, and the state in /var/lib/private/hap."

clean: ## remove everything that was built
	rm -rf .build $(VENV)

# Built when a source is newer, so that root need not have Swift for `sudo make install`.
$(STATIC): Package.swift $(shell find Sources -type f) | setup
	swift build -c release --static-swift-stdlib --product hap --scratch-path .build/static
	@touch $@

$(VENV)/ready: Tests/Interoperability/requirements.txt | setup
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
