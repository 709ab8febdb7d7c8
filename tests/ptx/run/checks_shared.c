/* SPDX-License-Identifier: Apache-2.0
 *
 * Races for shared memory, in what is commonly written over it.
 */
#include "ptx/run/check_pairs.h"

#define RACE .wrong = PTX_WRONG_RACE

/* A tile of 16 by 16: each thread loads an element, and adds up a row and a column. */
#define TILE(after_load, after_use) \
    "mov.u32 %i, 0;\ntile: ld.global.u32 %v, [%a]; add.u32 %v, %v, %i; add.u32 %v, %v, %t;\n" \
    "st.shared.u32 [%x], %v; " after_load "\n" \
    "shr.u32 %u, %t, 4; mul.wide.u32 %y, %u, 64; mov.u64 %z, s; add.u64 %y, %y, %z;\n" \
    "ld.shared.u32 %w, [%y]; ld.shared.u32 %w, [%y+60]; " after_use "\n" \
    "add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 3; @%p bra tile;"

/* A sum over a warp, of which nobody waits for the other lanes unless `sync` does. */
#define WARP_SUM(load, store, sync) \
    "st.shared.u32 [%x], %t; " sync "\nmov.u32 %i, 16;\n" \
    "round: setp.ge.u32 %p, %l, %i; mul.wide.u32 %y, %i, 4; add.u64 %y, %y, %x;\n" \
    "@!%p " load " %v, [%y];\n@!%p " load " %u, [%x];\nadd.u32 %v, %v, %u;\n" sync "\n" \
    "@!%p " store " [%x], %v;\n" sync "\n" \
    "shr.u32 %i, %i, 1; setp.ne.u32 %q, %i, 0; @%q bra round;"

/* Warps 0 and 1 give words to warps 2 and 3, twice. */
#define GIVE_TWICE(before_second) \
    "mov.u32 %i, 0; setp.lt.u32 %p, %t, 64; @%p bra give;\n" \
    "get: bar.sync 1, 128; ld.shared.u32 %v, [%x+-256];\n" before_second \
    "\nadd.u32 %i, %i, 1; setp.lt.u32 %q, %i, 2; @%q bra get; bra over;\n" \
    "give: add.u32 %u, %t, %i; st.shared.u32 [%x], %u; bar.arrive 1, 128;\n"

/* Each thread adds the word of the one `i` before it. */
#define SCAN(between) \
    "st.shared.u32 [%x], %t; mov.u32 %i, 1; mov.u32 %v, 0; bar.sync 0;\n" \
    "round: setp.lt.u32 %p, %t, %i; mul.wide.u32 %y, %i, 4; sub.u64 %y, %x, %y;\n" \
    "@!%p ld.shared.u32 %v, [%y]; " between "\n" \
    "@!%p ld.shared.u32 %u, [%x]; add.u32 %u, %u, %v;\n@!%p st.shared.u32 [%x], %u; bar.sync 0;\n" \
    "shl.b32 %i, %i, 1; setp.lt.u32 %q, %i, 64; @%q bra round;"

#define REMOTE "mapa.shared::cluster.u64 %y, %x, %u; st.shared::cluster.u32 [%y], %g;\n"

static const struct pair rows[] = {
    { "a tile is used before it is there", 1, 256, RACE,
      TILE("", "bar.sync 0;"), "a race for shared memory: load of 4 bytes at offset",
      TILE("bar.sync 0;", "bar.sync 0;") },
    { "a tile is overwritten while it is used", 1, 256, RACE,
      TILE("bar.sync 0;", ""), "a race for shared memory: store of 4 bytes at offset",
      TILE("bar.sync 0;", "bar.sync 0;") },
    { "a warp sums up as if it went in step", 1, 32, RACE,
      WARP_SUM("ld.shared.u32", "st.shared.u32", ""), "a race for shared memory",
      WARP_SUM("ld.shared.u32", "st.shared.u32", "bar.warp.sync -1;") },
    { "a warp sums up over volatile memory", 1, 32, RACE,
      WARP_SUM("ld.shared.u32", "st.volatile.shared.u32", ""), "a race for shared memory",
      "mov.u32 %v, 0;\nst.volatile.shared.u32 [%x], %t; mov.u32 %i, 16;\n"
      "round: setp.ge.u32 %p, %l, %i; mul.wide.u32 %y, %i, 4; add.u64 %y, %y, %x;\n"
      "@!%p ld.volatile.shared.u32 %v, [%y]; @!%p ld.volatile.shared.u32 %u, [%x];\n"
      "add.u32 %v, %v, %u; @!%p st.volatile.shared.u32 [%x], %v;\n"
      "shr.u32 %i, %i, 1; setp.ne.u32 %q, %i, 0; @%q bra round;" },
    { "a shuffle stands for a meeting", 1, 32, RACE,
      "st.shared.u32 [%x], %t;\nxor.b32 %u, %t, 1; mul.wide.u32 %y, %u, 4; mov.u64 %z, s;\n"
      "add.u64 %y, %y, %z; ld.shared.u32 %v, [%y];", "a race for shared memory: load",
      "st.shared.u32 [%x], %t; shfl.sync.idx.b32 %v, %t, 0, 31, -1;\nxor.b32 %u, %t, 1;\n"
      "mul.wide.u32 %y, %u, 4; mov.u64 %z, s; add.u64 %y, %y, %z; ld.shared.u32 %v, [%y];" },
    { "a buffer is filled again before it was emptied", 1, 128, RACE,
      GIVE_TWICE("") "add.u32 %i, %i, 1; setp.lt.u32 %q, %i, 2; @%q bra give;\nover:",
      "a race for shared memory",
      GIVE_TWICE("bar.arrive 2, 128;")
      "bar.sync 2, 128; add.u32 %i, %i, 1; setp.lt.u32 %q, %i, 2; @%q bra give;\nover:" },
    { "a scan in one buffer", 1, 64, RACE,
      SCAN(""), "a race for shared memory", SCAN("bar.sync 0;") },
    { "counts are read while others count", 1, 64, RACE,
      "mov.u32 %v, 0; st.shared.u32 [%x], %v; bar.sync 0; and.b32 %u, %t, 3;\n"
      "mul.wide.u32 %y, %u, 4; mov.u64 %z, s; add.u64 %y, %y, %z; red.shared.add.u32 [%y], 1;\n"
      "ld.shared.u32 %v, [s];", "updated in line 13",
      "mov.u32 %v, 0; st.shared.u32 [%x], %v; bar.sync 0; and.b32 %u, %t, 3;\n"
      "mul.wide.u32 %y, %u, 4; mov.u64 %z, s; add.u64 %y, %y, %z; red.shared.add.u32 [%y], 1;\n"
      "bar.sync 0; ld.shared.u32 %v, [s];" },
    { "counts are cleared while others count", 1, 64, RACE,
      "mov.u32 %v, 0; setp.lt.u32 %p, %t, 4; @%p st.shared.u32 [%x], %v; and.b32 %u, %t, 3;\n"
      "mul.wide.u32 %y, %u, 4; mov.u64 %z, s; add.u64 %y, %y, %z; red.shared.add.u32 [%y], 1;",
      "atomic operation of 4 bytes at offset 0, where thread (0,0,0) stored",
      "mov.u32 %v, 0; setp.lt.u32 %p, %t, 4; @%p st.shared.u32 [%x], %v; and.b32 %u, %t, 3;\n"
      "mul.wide.u32 %y, %u, 4; mov.u64 %z, s; add.u64 %y, %y, %z; bar.sync 0;\n"
      "red.shared.add.u32 [%y], 1;" },
    { "a block of the cluster stores to another one's memory", 2, 32, RACE,
      "st.shared.u32 [%x], 0; barrier.cluster.arrive; barrier.cluster.wait; xor.b32 %u, %c, 1;\n"
      REMOTE "bar.sync 0; ld.shared.u32 %v, [%x];\n"
      "barrier.cluster.arrive; barrier.cluster.wait;", "of block (",
      "st.shared.u32 [%x], 0; barrier.cluster.arrive; barrier.cluster.wait; xor.b32 %u, %c, 1;\n"
      REMOTE "barrier.cluster.arrive; barrier.cluster.wait; ld.shared.u32 %v, [%x];",
      .cluster = 2 },
};

const struct pairs shared_pairs = { rows, sizeof rows / sizeof *rows };
