# boundwalk: build, demo and checks. `make help` lists the targets.
.DEFAULT_GOAL := all
PREFIX ?= /usr/local
comma := ,
DESTDIR ?=
CC ?= cc
ifeq ($(origin CC),default)
CC := gcc
endif
PKG_CONFIG ?= pkg-config
VERSION := 0.1.0

MODE := plain
ifeq ($(DEV),1)
MODE := dev
endif
ifeq ($(SAN),1)
MODE := $(MODE)-san
endif
B := build/$(notdir $(CC))-$(MODE)

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wformat=2 -Wundef -Wvla -Wcast-qual -Wwrite-strings \
	-Wpointer-arith -Wstrict-prototypes -Wold-style-definition -Wmissing-prototypes \
	-Wmissing-declarations -Wconversion -Wswitch-enum -Wnull-dereference -Wimplicit-fallthrough
PACKAGES := ncursesw yaml-0.1 libcjson libgit2
OPTIMISE ?= -O2 -g
CPPFLAGS_ALL := -I. -D_GNU_SOURCE -D_XOPEN_SOURCE_EXTENDED -DBOUNDWALK_VERSION='"$(VERSION)"' $(CPPFLAGS)
CFLAGS_ALL := -std=c11 $(WARNINGS) $(OPTIMISE) -fstack-protector-strong -fPIE -MMD -MP
LDFLAGS_ALL := -pie -Wl,-z,relro,-z,now -Wl,--as-needed
ifneq ($(findstring clang,$(CC)),clang)
CFLAGS_ALL += -Wbidi-chars=any
endif
ifeq ($(DEV),1)
CFLAGS_ALL += -Werror
endif
ifeq ($(SAN),1)
CFLAGS_ALL += -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -O1
LDFLAGS_ALL += -fsanitize=address,undefined
else
CPPFLAGS_ALL += -D_FORTIFY_SOURCE=2
endif
# ncurses asks for an older _XOPEN_SOURCE than ours.
CFLAGS_ALL += $(filter-out -D_%,$(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null)) $(CFLAGS)
LDLIBS_ALL := $(shell $(PKG_CONFIG) --libs $(PACKAGES) 2>/dev/null) -lmbedcrypto $(LDLIBS)

MODEL := $(wildcard model/*.c)
UI := $(wildcard ui/*.c)
SRC := $(wildcard src/*.c src/*/*.c src/*/*/*.c)
OBJECTS := $(patsubst %.c,$(B)/%.o,$(MODEL) $(UI) $(SRC))
LIBRARY := $(filter-out $(B)/src/main.o,$(OBJECTS))
CONFORMANCE := $(patsubst %.c,$(B)/%.o,$(wildcard tests/conformance/*.c))
UNIT := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/*.c))

## make                  builds ./boundwalk
## make DEV=1 SAN=1      warnings are errors; address and undefined behaviour sanitizers
## make demo             opens the reviewer on the bundled example
## make check            installs what the tests need, builds and runs all of them
## make unit             only the unit tests
## make man              makes the generated parts of the manual and the README anew
## make check-generated  fails when those differ from what the program says
## make replay           feeds the fuzz corpora to the parsers; make fuzz TARGET=yaml looks for new crashes
## make bench [TREE=DIR] time of a whole load against reading and parsing the same files
## make tidy cppcheck    static analysis
## make install          below PREFIX (/usr/local) and DESTDIR
help:
	@sed -n 's/^## //p' $(firstword $(MAKEFILE_LIST))
all: boundwalk
boundwalk: $(B)/boundwalk
	@cp -f $< $@
$(B)/boundwalk: $(OBJECTS)
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)
$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -c -o $@ $<
$(B)/libboundwalk.a: $(LIBRARY)
	@rm -f $@
	ar rcs $@ $^
# The terminal test drives a pseudo terminal and reads it back.
$(B)/tests/test_terminal: LDLIBS_ALL += -lvterm -lutil
# The test of growth counts what is done often.
COUNTED := strcmp strncmp strcasecmp strncasecmp strlen strstr node_is node_resolve node_find fact_attribute \
	arena_alloc
$(B)/tests/test_growth: LDFLAGS_ALL += $(addprefix -Wl$(comma)--wrap=,$(COUNTED))
$(B)/tests/%: tests/unit/%.c $(B)/libboundwalk.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $< $(B)/libboundwalk.a $(LDLIBS_ALL) -lcmocka

$(B)/conformance: $(CONFORMANCE) $(B)/libboundwalk.a
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

unit: $(UNIT)
	@for t in $(UNIT); do $$t || exit 1; done

# make conformance ORACLES=DIR [V=1] [ONLY="yaml json"]: tables of expected results, as in tests/conformance.
# Rows that a library decides otherwise are listed with the reason in tests/conformance/deviations.tsv.
conformance: $(B)/conformance
	@$< $(if $(filter 1,$(V)),-v) -d tests/conformance/deviations.tsv $(ORACLES) $(ONLY)

# --- the two commands of the README ---------------------------------------------------------------
BUILD_PACKAGES := gcc libc6-dev pkg-config libncurses-dev libyaml-dev libcjson-dev libgit2-dev \
	libmbedtls-dev
TEST_PACKAGES := libcmocka-dev libvterm-dev tmux mandoc binutils
DEMO ?= fixtures/demo

# Opens the reviewer on the bundled example; without a terminal it prints the report instead.
demo:
	@sh tests/packages.sh $(BUILD_PACKAGES)
	@$(MAKE) --no-print-directory -s boundwalk
	@if [ -t 0 ] && [ -t 1 ]; then ./boundwalk $(DEMO); else ./boundwalk report $(DEMO); fi

# Installs what the tests need, builds and runs all of them.
check:
	@sh tests/packages.sh $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@$(MAKE) --no-print-directory -s check-built

check-built: boundwalk $(UNIT)
	@CC=$(CC) sh tests/run.sh $(B) $(CURDIR)/boundwalk $(if $(filter 1,$(SAN)),,layers)

check-layers: $(OBJECTS)
	@sh tests/layers.sh $(B) $(CC)

# --- manual and README -------------------------------------------------------------------------------
# Tables, screens and excerpts in these come from the program itself; see man/generate.c.
GENERATED := man/boundwalk.1 man/boundwalk-rules.7 README.md

$(B)/generate: $(B)/man/generate.o $(B)/libboundwalk.a
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)
man: $(B)/generate boundwalk
	@sh man/generate.sh $(B) $(GENERATED)
check-generated: $(B)/generate boundwalk
	@sh man/generate.sh --check $(B) $(GENERATED)

install: boundwalk
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/man/man5 $(DESTDIR)$(PREFIX)/share/man/man7
	install -m 755 boundwalk $(DESTDIR)$(PREFIX)/bin/boundwalk
	for page in man/*.[157]; do install -m 644 $$page \
		$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/; done

# --- fuzzing -----------------------------------------------------------------------------------------
FUZZ_OBJECTS := $(B)/tests/fuzz/targets.o

# Replays the corpora with any compiler; best with SAN=1.
replay: $(B)/replay
	@$< tests/fuzz/corpus
$(B)/replay: $(B)/tests/fuzz/replay.o $(FUZZ_OBJECTS) $(B)/libboundwalk.a
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)
# make fuzz TARGET=yaml [SECONDS=60]: looks for new crashes with clang's fuzzer.
fuzz:
	$(MAKE) CC=clang SAN=1 CFLAGS=-fsanitize=fuzzer-no-link OPTIMISE=-g build/clang-plain-san/fuzz-$(TARGET)
	mkdir -p build/corpus-$(TARGET)
	build/clang-plain-san/fuzz-$(TARGET) -max_total_time=$(or $(SECONDS),60) build/corpus-$(TARGET) \
		tests/fuzz/corpus/$(TARGET)
$(B)/fuzz-%: tests/fuzz/libfuzzer.c $(FUZZ_OBJECTS) $(B)/libboundwalk.a
	$(CC) $(CPPFLAGS_ALL) -DTARGET='"$*"' $(CFLAGS_ALL) -fsanitize=fuzzer $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)

# --- benchmark ---------------------------------------------------------------------------------------
# Ratio of a whole load to reading and parsing the same files, in one run: make bench [TREE=DIR].
bench: $(B)/bench
	@sh tests/bench/tree.sh build/bench-tree
	@$< $(or $(TREE),build/bench-tree)
$(B)/bench: $(B)/tests/bench/bench.o $(B)/libboundwalk.a
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

# --- analysis ----------------------------------------------------------------------------------------
SOURCES := $(MODEL) $(UI) $(SRC)
HEADERS := $(wildcard model/*.h ui/*.h src/*.h src/*/*.h src/*/*/*.h)

objects: $(OBJECTS)

# Every header compiles on its own.
check-headers:
	@for h in $(HEADERS); do \
		printf '#include "%s"\ntypedef int unit;\n' $$h | $(CC) $(CPPFLAGS_ALL) $(filter-out -MMD -MP,$(CFLAGS_ALL)) \
			-fsyntax-only -x c - || exit 1; done

# A bound on the paths that the analyser walks in one function: some files would take it a minute.
TIDY_DEPTH := -Xclang -analyzer-config -Xclang max-nodes=15000
tidy: $(SOURCES:%=$(B)/tidy/%.ok)
$(B)/tidy/%.ok: %
	@mkdir -p $(@D)
	@clang-tidy --quiet $< -- $(CPPFLAGS_ALL) -std=c11 $(TIDY_DEPTH) 2>/dev/null && touch $@

cppcheck:
	@cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -j 2 -I. \
		--enable=warning,performance,portability --suppress=internalAstError --suppress=arrayIndexThenCheck --suppress=varFuncNullUB \
		--suppress=duplicateAssignExpression --suppress=returnDanglingLifetime \
		--suppress=missingIncludeSystem --suppress=nullPointerOutOfMemory \
		-D__attribute__\(x\)= $(SOURCES)

clean:
	rm -rf build boundwalk

-include $(OBJECTS:.o=.d) $(CONFORMANCE:.o=.d) $(UNIT:=.d) $(B)/man/generate.d
.PHONY: all help unit conformance demo check check-built check-layers replay fuzz bench objects check-headers tidy \
	cppcheck man check-generated install clean
