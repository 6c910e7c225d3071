# The commands for developers and CI. Each target does its own set-up (see Scripts/prepare).
SHELL := /bin/bash
# The number of frames that the demo prints without a terminal.
FRAMES ?= 12
FLAGS := -Xswiftc -gnone --disable-index-store
# The program that is installed.
PROGRAM ?= .build/release/boardd
# The program as it is installed. Without the table of exported symbols, which nothing uses, it is 1.7 MB smaller. GNU ld can pack
# relocations: 1.5 MB that are neither in the file nor read at every start (a version that cannot prints a warning and continues).
# GNU ld also links only the used parts of Swift's static libraries; lld links ICU.
# Without debug information the tables for unwinding are a third smaller as well: 1.5 MB. The only C++ is the parser of the
# configuration files, which are small: compiled for size it is 0.3 MB smaller. The path of libraries next to the program, for a build
# with Swift's shared libraries, is left out: a package must not search there. All functions of shared libraries are resolved at the
# start: a missing one ends the program then, not days later. Swift's constants are writable sections. GNU ld for Arm puts code and
# data into one segment, which would be writable as well, unless the code must be separate (the default on x86-64). The folder of the
# checkout is left out of the program, so that a build in any folder gives the same bytes.
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=bfd -Xswiftc -gnone -Xcxx -Os \
    -Xcc '-ffile-prefix-map=$(CURDIR)/=' \
    -Xlinker -s -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs \
    -Xlinker -z -Xlinker now -Xlinker -z -Xlinker separate-code -Xlinker -T -Xlinker '$(CURDIR)/Scripts/reproducible.ld'

.PHONY: demo pictures lab nights nightly load all test t build release release-for arm64 arm64-test install man completions deb debs card repo assets test-deb sanitize lint format bench prepare clean mutants emulated-pi

## Show the board in this terminal with the recording of etc/demo; in a pipe, print FRAMES frames and end. With LIVE=1 show a stop in
## any city, without a key: STOP (a name, or motis:…), or the name entered at a prompt; CONTACT: your mail or web address.
## With PAGE=1 it serves the page on this machine, at port 8480 or the next free one; with SETUP=1 also a fresh board that is set up
## with it. With FLEET=1 it shows two boards and a hub, which share requests and favourites over a broker on loopback.
demo: build
	@program="$$(swift build $(FLAGS) --show-bin-path)/boardd"; export BOARDD_SHARE=etc; \
	[ -z "$(FLEET)" ] || exec Scripts/demo-fleet "$$program"; \
	live=$(if $(LIVE),--live); [ -z "$$CONTACT" ] || live="$$live --contact $$CONTACT"; \
	page=; [ -z "$(PAGE)$(SETUP)" ] || { \
	    port=8480; while (: <>/dev/tcp/127.0.0.1/$$port) 2>/dev/null; do port=$$((port + 1)); done; \
	    page="--page 127.0.0.1:$$port"; \
	}; \
	[ -z "$(SETUP)" ] || exec Scripts/demo-setup "$$program" $$port; \
	exec "$$program" demo --frames $(FRAMES) $$page $$live $(if $(STOP),-- "$(STOP)")

## Write the pictures of the gallery, and those in docs/images, which are drawn from it.
pictures:
	@BOARDD_GALLERY=write $(MAKE) t M=boardd T='(Gallery|Picture|Render)Tests'

## Run every test, each target in a process of its own. CI runs the same.
test: all
	@Scripts/swift-tests

## Run the tests of one module, and compile only what they need: make t M=BoardCore, and T=ClockTests for those whose names match.
t: prepare
	@[ -n "$(M)" ] || { echo "make t: which module? For example make t M=BoardCore" >&2; exit 64; }
	@BOARDD_TESTS="$(M)Tests" swift build $(FLAGS) --product boarddPackageTests
	@BOARDD_TESTS="$(M)Tests" Scripts/swift-tests $(if $(T),--filter '.*$(T)') $(M)Tests

## Compile the program, the tests and the benchmarks. The products are named one by one; otherwise SwiftPM also builds every tool of every
## dependency, including a compiler for protocol buffers of 500 files.
all: prepare
	@for product in boardd control-probe boardd-bench boarddPackageTests; do swift build $(FLAGS) --product $$product || exit 1; done

## Run the scenarios of Tests/Lab in a Linux kernel of their own (docs/lab.md), as root. SCENARIO="presses bus" runs these, DEBIAN=13
## runs them on another Debian.
lab:
	Tests/Lab/lab $(SCENARIO)

## Run N nights of 26 hours in virtual time with an operator that misbehaves (docs/lab.md), 2 to 3 minutes each.
nights:
	Tests/Lab/night $(or $(N),1) $(or $(FIRST),1)

## Run the pieces of the nightly, least recently run first, and write their results to docs/nightly.md; PIECE="thread bench" runs these.
nightly:
	CI=true .ci/run nightly $(PIECE)

## Run the waiting tests of a kind five times, next to four busy processes: make load KIND=test, page or fleet.
load: all release
	Scripts/load $(KIND)

## Build the program for development.
build: prepare
	@swift build $(FLAGS) --product boardd

## Build the program as it is installed: optimised, with the Swift standard library inside. The link map lists what is linked.
release: prepare
	swift build $(RELEASE) -Xlinker -Map=.build/boardd.map --product boardd
	@[ ! -e .build/boardd.map ] || mv .build/boardd.map .build/release/boardd.map
	@ls -l .build/release/boardd

## Build the program for another Debian release, as root: DEBIAN=13 or 12. It is .build/ARCH/debian-RELEASE/boardd.
release-for: prepare
	Scripts/release-for $(DEBIAN) $(RELEASE)

## Build the program for 64-bit Arm on an x86-64 Debian machine: .build/arm64/debian-13/boardd; DEBIAN=12 for Debian 12 (docs/arm64.md).
arm64:
	Scripts/arm64 build $(RELEASE)

## Run the program of `make arm64`, and the tests that need no hardware, under an emulator; CPU=cortex-a53. SMOKE=1 omits the tests.
arm64-test: arm64
	Scripts/arm64 test $(if $(SMOKE),--smoke)

## Run the program of `make arm64` on an emulated Raspberry Pi with its display and button, as root (docs/emulated-pi.md); WHOLE=1 installs
## the package in a whole Debian there, which takes five to ten minutes, and CARD=1 starts it from the files of `make card` alone.
emulated-pi: arm64 $(if $(WHOLE)$(CARD),man completions)
	@[ -z "$(WHOLE)$(CARD)" ] || Scripts/deb --arch arm64 --release 13 --binary .build/arm64/debian-13/boardd
	@[ -z "$(CARD)" ] || Scripts/card
	Tests/EmulatedPi/run $(if $(CARD),card,$(if $(WHOLE),whole,small))

## Install the build of `make release` (and of `make man completions`, if there is one), as root; DESTDIR installs below another folder.
## systemd/boardd.tmpfiles.conf defines the owners in /etc/boardd; it is applied here, or at the next start.
install:
	install -D -m 0755 $(PROGRAM) $(DESTDIR)/usr/bin/boardd
	install -D -m 0644 systemd/boardd.service $(DESTDIR)/usr/lib/systemd/system/boardd.service
	install -D -m 0644 systemd/boardd-page.socket $(DESTDIR)/usr/lib/systemd/system/boardd-page.socket
	install -D -m 0644 systemd/boardd.sysusers.conf $(DESTDIR)/usr/lib/sysusers.d/boardd.conf
	install -D -m 0644 systemd/boardd.tmpfiles.conf $(DESTDIR)/usr/lib/tmpfiles.d/boardd.conf
	install -D -m 0644 systemd/60-boardd.rules $(DESTDIR)/usr/lib/udev/rules.d/60-boardd.rules
	for file in boardd.toml favourites.toml keys.env.example $$(cd etc/boardd && ls feeds.d/*.toml); do \
	    [ -e $(DESTDIR)/etc/boardd/$$file ] || install -D -m 0644 etc/boardd/$$file $(DESTDIR)/etc/boardd/$$file || exit 1; \
	done
	for file in $$(cd etc/demo && ls *.toml recording/*.http); do \
	    install -D -m 0644 etc/demo/$$file $(DESTDIR)/usr/share/boardd/demo/$$file || exit 1; \
	done
	for file in $$(cd etc/page && ls); do \
	    install -D -m 0644 etc/page/$$file $(DESTDIR)/usr/share/boardd/page/$$file || exit 1; \
	done
	gzip -9nkf $(DESTDIR)/usr/share/boardd/page/*.{css,js,svg,webmanifest}
	install -D -m 0644 etc/avahi.service $(DESTDIR)/usr/share/boardd/avahi.service
	install -D -m 0644 etc/cities.tsv $(DESTDIR)/usr/share/boardd/cities.tsv
	for file in $$(cd .build 2>/dev/null && find share -type f 2>/dev/null); do \
	    install -D -m 0644 .build/$$file $(DESTDIR)/usr/$$file || exit 1; \
	done
	@[ -e .build/share/man/man1/boardd.1 ] && [ -e .build/share/bash-completion/completions/boardd ] || \
	    echo "no man page or no completions: make man completions makes them; then run make install again"
	[ -n "$(DESTDIR)" ] || { systemd-sysusers boardd.conf && systemd-tmpfiles --create boardd.conf; }
	[ -n "$(DESTDIR)" ] || [ ! -S /run/udev/control ] || { udevadm control --reload && udevadm trigger --subsystem-match=i2c-dev --subsystem-match=gpio; }
	[ -n "$(DESTDIR)" ] || [ ! -d /run/systemd/system ] || systemctl daemon-reload

## Write the man page, generated from the commands, into .build/share. Only ArgumentParser's tool is built: its plug-in for SwiftPM builds
## every product.
man: build
	@swift build $(FLAGS) --product generate-manual
	@folder="$$(swift build $(FLAGS) --show-bin-path)" && mkdir -p .build/share/man/man1 && \
	"$$folder/generate-manual" "$$folder/boardd" --output-directory .build/share/man/man1 --date "$$(git log -1 --format=%cs 2>/dev/null || date +%F)"

## Write the completions of bash, zsh and fish, generated from the commands, into .build/share.
completions: build
	@program="$$(swift build $(FLAGS) --show-bin-path)/boardd"; cd .build && \
	mkdir -p share/bash-completion/completions share/zsh/vendor-completions share/fish/vendor_completions.d && \
	"$$program" --generate-completion-script bash | sed '1{/^#!/d}' >share/bash-completion/completions/boardd && \
	"$$program" --generate-completion-script zsh >share/zsh/vendor-completions/_boardd && \
	"$$program" --generate-completion-script fish >share/fish/vendor_completions.d/boardd.fish

## Pack the build of `make release` for this machine's Debian release, and every .build/ARCH/debian-RELEASE/boardd (`make arm64`), as
## Debian packages into .build/deb.
deb: release man completions
	@. /etc/os-release && Scripts/deb --arch "$$(dpkg --print-architecture)" --release "$$VERSION_ID"
	@shopt -s nullglob; for program in .build/*/debian-*/boardd; do \
	    folder="$${program%/boardd}" && arch="$${folder#.build/}" && \
	    Scripts/deb --arch "$${arch%/*}" --release "$${folder##*-}" --binary "$$program" || exit 1; \
	done

## Build and pack the program for both architectures and both Debian releases, as root: the packages of a release.
debs:
	@. /etc/os-release && for release in 12 13; do \
	    $(MAKE) arm64 DEBIAN=$$release || exit 1; \
	    [ "$$release" = "$$VERSION_ID" ] || $(MAKE) release-for DEBIAN=$$release || exit 1; \
	done
	@$(MAKE) deb

## Write .build/card, the files for a card with Raspberry Pi OS Lite, with the newest package for it in .build/deb (`make arm64 deb`).
card:
	@Scripts/card

## Make a signed apt repository of the packages in .build/deb, in .build/repo: make repo KEY=path of the secret key.
repo:
	@KEY="$(KEY)" Scripts/repo

## Gather what a release publishes in .build/assets: packages, card, bills of materials, changes, checksums; TAG=v0.1.0 must be their version.
assets:
	@Scripts/assets $(TAG)

## Check the packages in .build/deb, as root: lintian, the same bytes from a second packing, installation, upgrade, removal and purge in
## a scratch Debian, the script of the card, and a repository with a throw-away key.
test-deb:
	Tests/Packaging/check-build
	Tests/Packaging/check-package
	Tests/Packaging/check-card
	Tests/Packaging/check-repo

## Run the tests of the modules with threads under ThreadSanitizer; SANITIZER=address: those of modules that call C under AddressSanitizer.
sanitize: prepare
	Scripts/sanitize build $(or $(SANITIZER),thread)
	Scripts/sanitize test $(or $(SANITIZER),thread)

## Plant each bug of Tests/Mutants/mutants.toml in a copy and run the tests that must fail. MUTANT="3 walk" plants the third and those with
## this word in their name; RESUME=1 continues an interrupted run.
mutants: prepare
	Scripts/mutants $(if $(RESUME),--resume) $(MUTANT)

## Check the format and the project's rules, and that nothing compiles with a warning.
lint: prepare
	@Scripts/lint
	@$(MAKE) --no-print-directory all
	@Scripts/lint warnings

## Format every file.
format:
	swift format -i -r Package.swift Sources Tests Benchmarks

## Measure, as counts and ratios.
bench: release
	@log=$$(mktemp); swift build $(RELEASE) --product boardd-bench >"$$log" 2>&1 || { cat "$$log" >&2; exit 1; }
	Benchmarks/run

prepare:
	@Scripts/prepare

clean:
	swift package clean
