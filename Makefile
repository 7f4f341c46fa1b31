# HealthProbe: `make help` lists what there is.

SWIFT ?= swift
# More for every build, for instance BUILDFLAGS='-j 1'.
BUILDFLAGS ?=
export SWIFT BUILDFLAGS
# Seconds of fuzzing for each target.
SECONDS ?= 60
PREFIX ?= /usr/local
DESTDIR ?=
# How many random histories `make model` compares with the model, and how many sets it imports in every order.
HISTORIES ?= 2000
ORDERS ?= 100
# How often `make torture` kills in each of fourteen ways: 1,050 kills in all, 225 of them of `serve`.
KILLS ?= 75
# At how many points of each system call and fault `make torture` disturbs a command: all for every one.
FAULTS ?= 10
# How many synthetic phones `make heuristics` judges the analysis by: at least 200 for the table.
SEEDS ?= 240
# How many records `make bench` imports.
RECORDS ?= 400000,2000000,8000000
# How many records and observations the archive of `make bench-web` has (an hour and 60 GB of disk).
PAGE_RECORDS ?= 8000000
PAGE_OBSERVATIONS ?= 30
# How many records the athlete of `make bench-metrics` has.
ATHLETE_RECORDS ?= 400000
# How many records the archive of `make bench-cohort` has, and each of its participants.
TABLE_RECORDS ?= 8000000
PARTICIPANT_RECORDS ?= 100000
# How many records the export.xml has that xml2arrow reads beside.
XML_RECORDS ?= 2000000

RELEASE := .build/release
GENERATED := .build/install
# All Swift of the tree.
SWIFT_SOURCES := Package.swift Sources Tools Tests Benchmarks Fuzzing
BINDIR = $(DESTDIR)$(PREFIX)/bin
SHAREDIR = $(DESTDIR)$(PREFIX)/share

.PHONY: help packages build demo test proof web pictures bench bench-web bench-metrics fuzz torture growth damage heuristics model tour \
	manual completions install uninstall python test-oracles test-python test-cohort bench-cohort dist test-dist format lint \
	clean

help: ## Lists the targets.
	@echo "HealthProbe. Targets:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
		printf '  %-14s  %s\n' "$$name" "$$text"; done

packages: ## Installs the Debian packages that a build needs, where they are missing.
	@scripts/install-packages

build: packages ## Builds the program for use: .build/release/healthprobe.
	@scripts/build healthprobe

demo: packages ## Builds, imports three synthetic exports, shows what changed and writes a report.
	@scripts/build healthprobe synthetic-exports
	@scripts/demo $(RELEASE) .build/demo

test: packages ## Builds the program and the tests and runs them: about 15 minutes on two cores.
	@scripts/tests build
	@scripts/tests run
	@scripts/tour check $(RELEASE)

proof: model damage torture growth test-cohort test-oracles ## The long checks: histories, damage, kills, growth, every page, Spark, oracles.
	HEALTHPROBE_PROOF=1 $(MAKE) web

bench: packages ## Measures the program against bare libxml2 and SQLite; writes docs/performance.md.
	@scripts/bench $(RECORDS)

bench-web: packages ## Measures pages and their cache; writes docs/performance-web.md.
	@scripts/build healthprobe synthetic-exports
	@scripts/bench-web $(RELEASE) $(PAGE_RECORDS) $(PAGE_OBSERVATIONS)

bench-metrics: packages ## Measures workouts, days and impact; writes docs/performance-metrics.md.
	@scripts/build healthprobe healthprobe-benchmarks
	@mkdir -p .build/bench
	.build/release/healthprobe-benchmarks metrics --records $(ATHLETE_RECORDS) --scratch .build/bench \
		--output docs/performance-metrics.md

web: packages ## Tests the web interface from outside: raw sockets, and a browser.
	@scripts/build healthprobe synthetic-exports
	@scripts/web-tests $(RELEASE)

python: ## Installs the Python package of python/ in .build/python; needs Python 3.10 and PyPI.
	@scripts/python

test-python: packages ## Tests the Python package without Spark, with the built program.
	@scripts/python
	@scripts/build healthprobe synthetic-exports
	cd python && ../.build/python/bin/python -m pytest -m "not cohort"

test-oracles: packages ## Compares workouts and days with programs of others from PyPI.
	@scripts/python oracles
	@scripts/build healthprobe synthetic-exports
	.build/oracles/bin/python -m unittest discover -s Tests/Oracles

test-cohort: packages ## Tests lakes of many archives, on Spark too; needs Java 17.
	@scripts/python java
	@scripts/build healthprobe synthetic-exports
	cd python && ../.build/python/bin/python -m pytest -m cohort

bench-cohort: packages ## Measures tables and lakes; writes docs/performance-cohort.md.
	@scripts/python java
	@scripts/build healthprobe synthetic-exports
	.build/python/bin/python scripts/bench-cohort $(RELEASE) $(TABLE_RECORDS) $(PARTICIPANT_RECORDS) $(XML_RECORDS)

pictures: packages ## Takes the pictures of README.md in a browser, of synthetic data.
	@scripts/build healthprobe synthetic-exports
	@mkdir -p docs/pictures
	@scripts/web-tests $(RELEASE) pictures docs/pictures

fuzz: packages ## Fuzzes each parser for SECONDS=60.
	@scripts/fuzz $(SECONDS)

model: packages ## Compares HISTORIES=2000 random histories with the model and imports ORDERS=100 sets in every order.
	@scripts/tests build
	MODEL_HISTORIES=$(HISTORIES) scripts/tests run --filter 'RandomHistoryTests|CacheHistoryTests'
	HEALTHPROBE_ORDERS=$(ORDERS) HEALTHPROBE_SUPPLEMENTS=$(ORDERS) \
		scripts/tests run --filter 'AnyOrderTests|WithdrawalTests|SupplementTests'

torture: packages ## Kills, full disks and failing system calls; writes docs/reliability.md.
	@scripts/tests build
	HEALTHPROBE_KILLS=$(KILLS) scripts/tests run --filter KillTests
	HEALTHPROBE_DISK_SIZES=60 scripts/tests run --filter DiskFullTests
	HEALTHPROBE_FAULTS=$(FAULTS) scripts/tests run --filter FaultTests
	HEALTHPROBE_FLIPS=200 scripts/tests run --filter CacheDamageTests
	HEALTHPROBE_KILLS=$(KILLS) HEALTHPROBE_FAULTS=8 python3 Tests/web/wire.py $(RELEASE)/healthprobe SyntheticExports \
		WireTests.test_kills_while_it_sends WireTests.test_kills_while_an_export_arrives \
		WireTests.test_failing_system_calls_end_no_server

growth: packages ## Doubles each dimension of a hostile export; no command may grow faster, or pass 400 MB.
	@scripts/build healthprobe
	@scripts/growth $(RELEASE)/healthprobe

damage: packages ## Damages an archive in 1,400 ways and checks it; writes docs/reliability.md.
	@scripts/tests build
	HEALTHPROBE_DAMAGE=full scripts/tests run --filter DamageTests

heuristics: packages ## Holds the analysis against SEEDS=240 synthetic phones; writes docs/heuristics.md.
	@scripts/tests build
	HEALTHPROBE_SEEDS=$(SEEDS) scripts/tests run --filter GroundTruthTests

tour: build ## Writes what its commands print into docs/tour.md.
	@scripts/build synthetic-exports
	@scripts/tour write $(RELEASE)

manual: build ## Writes the man page to .build/install.
	@scripts/generate-manual $(RELEASE)/healthprobe $(GENERATED)

completions: build ## Writes completions for bash, zsh and fish to .build/install.
	@mkdir -p $(GENERATED)
	$(RELEASE)/healthprobe --generate-completion-script bash > $(GENERATED)/healthprobe.bash
	$(RELEASE)/healthprobe --generate-completion-script zsh > $(GENERATED)/_healthprobe
	$(RELEASE)/healthprobe --generate-completion-script fish > $(GENERATED)/healthprobe.fish

install: manual completions ## Installs program, man page and completions under PREFIX=/usr/local.
	install -d $(BINDIR) $(SHAREDIR)/man/man1 $(SHAREDIR)/bash-completion/completions \
		$(SHAREDIR)/zsh/site-functions $(SHAREDIR)/fish/vendor_completions.d
	install -s -m 755 $(RELEASE)/healthprobe $(BINDIR)/healthprobe
	install -m 644 $(GENERATED)/healthprobe.1 $(SHAREDIR)/man/man1/healthprobe.1
	install -m 644 $(GENERATED)/healthprobe.bash $(SHAREDIR)/bash-completion/completions/healthprobe
	install -m 644 $(GENERATED)/_healthprobe $(SHAREDIR)/zsh/site-functions/_healthprobe
	install -m 644 $(GENERATED)/healthprobe.fish $(SHAREDIR)/fish/vendor_completions.d/healthprobe.fish

uninstall: ## Removes what install has put under PREFIX.
	rm -f $(BINDIR)/healthprobe $(SHAREDIR)/man/man1/healthprobe.1 \
		$(SHAREDIR)/bash-completion/completions/healthprobe $(SHAREDIR)/zsh/site-functions/_healthprobe \
		$(SHAREDIR)/fish/vendor_completions.d/healthprobe.fish

dist: packages ## Packs the program as .tar.gz and .deb with their SHA-256 in .build/dist.
	@scripts/dist

test-dist: dist ## Tries the packages of dist in a clean Debian root without Swift, and the image of Containerfile; needs root.
	@scripts/test-dist
	@scripts/test-container

format: ## Formats all Swift sources in place.
	$(SWIFT) format --in-place --parallel --recursive $(SWIFT_SOURCES)

lint: ## Checks the format of all Swift sources.
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_SOURCES)

clean: ## Removes everything that was built.
	rm -rf .build
