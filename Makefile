# Everything a person does with this repository. Each target does its own
# set-up; `make demo` needs nothing but Go, `make test` installs what is
# missing on a Debian machine.

export GOTOOLCHAIN := go1.27.3
export GOFLAGS := -buildvcs=false

.PHONY: demo test build lint unit race coverage ordinary-user cross vuln bench soak schema

demo:
	@go run ./cmd/paddock demo

build:
	go build -trimpath -o paddock ./cmd/paddock

# The whole proof, in the order in which it is cheapest to fail.
test:
	@scripts/test

lint:
	@scripts/lint

unit:
	@go test -timeout 15m ./...

race:
	@scripts/race

coverage:
	@scripts/coverage

ordinary-user:
	@scripts/as-ordinary-user

cross:
	@scripts/cross

vuln:
	@scripts/vulncheck

bench:
	@scripts/bench

# Longer runs of the generators and fuzz targets; SOAK multiplies.
soak:
	@scripts/soak

schema:
	go run ./cmd/paddock schema > paddock.schema.json
