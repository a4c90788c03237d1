# Needs JDK 17 and Maven, nothing else. `make` alone lists what there is.
MAVEN ?= mvn
MAVEN_FLAGS ?= -B -ntp
# A folder with the vendors' own pages: their scripts are then tried verbatim.
SEEDS ?=

PROGRAM := cli/bin/hintflow
PROGRAM_MODULES := grammar,transpiler,cli
ARCHIVE := cli/target/hintflow/hintflow.jsa
SCRIPT ?= testdata/bench/script.sql
# As -Dbench.rounds=1 -Dbench.rows=100000 -Dbench.join.rows=100000, for a quick look; -Dbench.parts=join: joins only,
# -Dbench.parts=lookup: look-ups only, and so on.
BENCH_FLAGS ?=
ARCHIVED_RUN := testdata/demo/script.sql testdata/cases/distribute-window-input/script.sql -o cli/target/archived-run

.DEFAULT_GOAL := help
.PHONY: help build test demo golden screenshots format bench clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

build: ## build cli/bin/hintflow, without tests
	$(MAVEN) $(MAVEN_FLAGS) -q -pl $(PROGRAM_MODULES) package -DskipTests
	@# A run writes an archive of the classes that it loaded, from which later runs start faster. It is the second into its
	@# folder, so that it also reads the plan of an earlier run and removes files.
	@rm -f $(ARCHIVE)
	@{ $(PROGRAM) transpile $(ARCHIVED_RUN) --package first && \
	  HINTFLOW_JAVA_OPTIONS=-XX:ArchiveClassesAtExit=$(ARCHIVE) $(PROGRAM) transpile $(ARCHIVED_RUN); \
	} >cli/target/archived-run.log 2>&1 || { cat cli/target/archived-run.log; exit 1; }

test: ## run every test, the operators against every supported Flink
	$(MAVEN) $(MAVEN_FLAGS) verify $(if $(SEEDS),-Dhintflow.seeds=$(abspath $(SEEDS)))
	$(MAVEN) $(MAVEN_FLAGS) -pl transpiler/operators -Dflink.version=1.20.3 verify
	$(MAVEN) $(MAVEN_FLAGS) -pl transpiler/operators -Dflink.version=2.3.0 compile

demo: build ## run testdata/demo on an embedded Flink: each row behind the number of its task
	$(PROGRAM) run testdata/demo/script.sql --keep cli/target/demo-job

golden: ## rewrite the golden files of testdata from what the code does now
	$(MAVEN) $(MAVEN_FLAGS) -q -pl $(PROGRAM_MODULES) test \
	  -Dtest='*GoldenTest' -Dsurefire.failIfNoSpecifiedTests=false -Dhintflow.golden=rewrite

screenshots: ## rewrite the pictures of testdata/plan; needs a Chromium
	$(MAVEN) $(MAVEN_FLAGS) -q -pl $(PROGRAM_MODULES) test \
	  -Dtest=PictureInBrowserTest -Dsurefire.failIfNoSpecifiedTests=false -Dhintflow.screenshots=rewrite

format: ## bring all sources into the one format
	$(MAVEN) $(MAVEN_FLAGS) -q spotless:apply

bench: build ## measure: start, check, long scripts, distribution, joins, updates, late rows, look-ups; SCRIPT=FILE: start on it
	$(MAVEN) $(MAVEN_FLAGS) -q -pl $(PROGRAM_MODULES) test-compile dependency:build-classpath \
	  -Dmdep.outputFile=target/bench-class-path
	$(if $(JAVA_HOME),$(JAVA_HOME)/bin/)java -Xmx4g -XX:+UseSerialGC $(BENCH_FLAGS) \
	  -cp "cli/target/test-classes:cli/target/classes:$$(cat cli/target/bench-class-path)" \
	  io.hintflow.cli.bench.Bench "$(SCRIPT)"

clean: ## remove everything that was built
	$(MAVEN) $(MAVEN_FLAGS) -q clean
	rm -rf transpiler/operators/target
