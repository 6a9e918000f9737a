# make build   the command, at build/postern
# make test    unit tests, golden indexes, the command, the twin against Lucene (Java 21+ and Maven)
# make crash   the command is killed 200 times; what is left must be a commit (a quarter of an hour on a busy machine)
# make demo    indexes real text of this machine, shows the report and looks terms up
# make bench   the speed of this machine in a quarter of an hour, side by side with Lucene 10.4
# make bench-opensearch   from a _bulk file to a searchable index of a real OpenSearch node, against its _bulk (half an hour)
# make bench-full   all measurements of docs/benchmarks.md (about four hours of a quiet machine), its tables and plots
# make format / make tidy / make layers   the sources' form
# make ci      everything the gate runs (.ci/run)
JOBS ?= $(shell nproc)

.PHONY: all build test crash demo bench bench-opensearch format tidy layers ci clean
all: build

build:
	@.ci/setup build
	@cmake --preset release >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log
	cmake --build build -j $(JOBS) --target postern

test:
	@.ci/setup build test
	cmake --preset release
	cmake --build build -j $(JOBS)
	@rm -f build/junit.xml
	ctest --test-dir build --output-on-failure --no-tests=error -j $(JOBS) --output-junit junit.xml; \
	  status=$$?; python3 tests/report.py build/junit.xml && exit $$status

crash: build
	POSTERN_CRASH_KILLS=200 python3 tests/cli/test_crash.py build

demo: build
	examples/demo.sh build/postern

bench:
	@.ci/setup build test bench
	python3 bench/e2e/rows.py --short
	python3 bench/e2e/layouts.py --short
	python3 bench/e2e/json_lines.py --short
	python3 bench/e2e/growth.py --short
	python3 bench/micro/run.py --short
	python3 bench/report.py --short --print
	python3 bench/report.py --short --docs build/bench-report

bench-opensearch: build
	@.ci/setup build test bench
	python3 bench/corpora/make.py realtext >/dev/null
	python3 bench/opensearch/bulk.py
	python3 bench/report.py

# Each part continues where an earlier run of the same commit stopped.
bench-full:
	@.ci/setup build test bench profile
	for corpus in europarl realtext synth; do python3 bench/corpora/make.py $$corpus --statistics || exit 1; done
	python3 bench/e2e/rows.py
	python3 bench/micro/run.py
	python3 bench/e2e/layouts.py
	python3 bench/e2e/json_lines.py
	python3 bench/e2e/rss.py --lucene
	python3 bench/where/profile.py
	python3 bench/where/cache.py
	python3 bench/e2e/growth.py
	python3 bench/report.py

format:
	@.ci/setup build check
	git ls-files '*.h' '*.cc' | xargs clang-format-16 -i

tidy:
	@.ci/setup build check
	cmake --preset dev
	git ls-files 'src/*.cc' 'tools/*.cc' | xargs -P $(JOBS) -n 4 clang-tidy-16 -p build/dev --quiet --extra-arg=-Wno-unknown-warning-option

layers:
	python3 tests/check_layers.py

ci:
	.ci/run

clean:
	rm -rf build
