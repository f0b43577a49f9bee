# boundwalk: build, demo and checks. `make help` lists the targets.
.DEFAULT_GOAL := all
PREFIX ?= /usr/local
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
SRC := $(wildcard src/*.c src/*/*.c)
OBJECTS := $(patsubst %.c,$(B)/%.o,$(MODEL) $(UI) $(SRC))
LIBRARY := $(filter-out $(B)/src/main.o,$(OBJECTS))
CONFORMANCE := $(patsubst %.c,$(B)/%.o,$(wildcard tests/conformance/*.c))
UNIT := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/*.c))

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
$(B)/tests/%: tests/unit/%.c $(B)/libboundwalk.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $< $(B)/libboundwalk.a $(LDLIBS_ALL) -lcmocka

$(B)/conformance: $(CONFORMANCE) $(B)/libboundwalk.a
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

unit: $(UNIT)
	@for t in $(UNIT); do $$t || exit 1; done

# make conformance ORACLES=DIR [V=1] [ONLY="yaml json"]: tables of expected results, as in tests/conformance.
conformance: $(B)/conformance
	@$< $(ORACLES) $(if $(filter 1,$(V)),-v) $(ONLY)

clean:
	rm -rf build boundwalk

-include $(OBJECTS:.o=.d) $(CONFORMANCE:.o=.d) $(UNIT:=.d)
.PHONY: all unit conformance clean
