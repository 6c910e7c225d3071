# What a developer types and what CI runs. Each target does its own set-up (see Scripts/prepare).
SHELL := /bin/bash
CONFIG ?= debug
# How many frames the demo prints where there is no terminal.
FRAMES ?= 12
FLAGS := -Xswiftc -gnone

.PHONY: demo test build release lint format bench prepare clean

## Show the board in this terminal on the shipped recording; piped, print FRAMES frames and end.
demo: build
	@program="$$(swift build $(FLAGS) --show-bin-path)/boardd"; \
	if [ -t 0 ] && [ -t 1 ]; then \
	    exec "$$program" run --config etc/demo/boardd.toml --replay etc/demo/recording --simulate; \
	else \
	    exec "$$program" run --config etc/demo/boardd.toml --replay etc/demo/recording --frames $(FRAMES); \
	fi

## Run every test.
test: prepare
	swift test $(FLAGS)

## Build the program for development.
build: prepare
	@swift build $(FLAGS) --product boardd

## Build the program as it is installed: optimised, with the Swift standard library inside.
release: prepare
	swift build -c release --static-swift-stdlib -Xlinker -s --product boardd
	@echo "$$(swift build -c release --show-bin-path)/boardd"

## Check the format and what the compiler cannot check.
lint:
	Scripts/lint

## Format every file.
format:
	swift format -i -r Package.swift Sources Tests Benchmarks

## Measure, as counts and ratios.
bench: release
	Benchmarks/run

prepare:
	@Scripts/prepare

clean:
	swift package clean
