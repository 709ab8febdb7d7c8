/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that put themselves in order: by fences, flags, tickets, locks, grids and clusters.
 */
#include "ptx/run/check_pairs.h"

#define RACE .wrong = PTX_WRONG_RACE

/* Thread 0 of each block leaves a word, and the block that takes the last of four tickets reads
 * them all. */
#define LEAVE "setp.ne.u32 %q, %t, 0; mad.wide.u32 %y, %c, 4, %b; @%q bra over;\n" \
              "st.global.u32 [%y+64], %c;\n"
#define TICKET "atom.global.inc.u32 %u, [%b], 3;\nsetp.ne.u32 %p, %u, 3; @%p bra over;\n" \
               "ld.global.u32 %v, [%b+64]; ld.global.u32 %v, [%b+72];\nover:"

/* All threads leave words, and thread 0 takes the ticket for the block. */
#define TAKE "setp.ne.u32 %q, %t, 0; @%q bra taken;\n" \
             "atom.global.inc.u32 %u, [%b], 3; st.shared.u32 [s], %u;\ntaken:\n"
#define READ "ld.shared.u32 %u, [s]; setp.ne.u32 %p, %u, 3; @%p bra over;\n" \
             "ld.global.u32 %v, [%b+508]; ld.global.u32 %v, [%b+764];\n" \
             "ld.global.u32 %v, [%b+1020];\n" \
             "over:"

/* Block 0 gives a word to block 1 with a flag. */
#define GIVE(store) "setp.ne.u32 %q, %t, 0; @%q bra over; setp.ne.u32 %q, %c, 0; @%q bra take;\n" \
                    "st.global.u32 [%b+64], 5;\n" store "\nbra over;\n"
#define GET(load, after) "take: setp.ne.u32 %q, %c, 1; @%q bra over;\n" \
                         "wait: " load "\nsetp.eq.u32 %p, %v, 0; @%p bra wait; " after "\n" \
                         "ld.global.u32 %v, [%b+64];\nover:"

/* What grid.sync() comes to, over a counter of the kernel's own. */
#define GRID_SYNC(fence) "bar.sync 0; setp.ne.u32 %q, %t, 0; @%q bra met;\n" fence "\n" \
                         "red.global.add.u32 [%b+32768], 1;\n" \
                         "spin: ld.volatile.global.u32 %u, [%b+32768]; setp.lt.u32 %p, %u, 4;\n" \
                         "@%p bra spin;\nmembar.gl;\nmet: bar.sync 0;\n"
#define SWAP_BLOCKS "xor.b32 %u, %g, 64; mad.wide.u32 %y, %u, 4, %b; ld.global.u32 %v, [%y];"

#define LOCK "setp.ne.u32 %q, %t, 0; @%q bra over;\n" \
             "lock: atom.global.cas.b32 %u, [%b], 0, 1; setp.ne.u32 %p, %u, 0; @%p bra lock;\n"
#define RAISE "ld.global.u32 %v, [%b+64]; add.u32 %v, %v, 1; st.global.u32 [%b+64], %v;\n"

static const struct pair rows[] = {
    { "the last block reads what no fence has published", 4, 32, RACE,
      LEAVE TICKET, "which thread (0,0,0) of block (0,0,0) stored",
      LEAVE "membar.gl;\n" TICKET },
    { "a fence for the block where one for the grid is needed", 4, 32, RACE,
      LEAVE "membar.cta;\n" TICKET, "which thread (0,0,0) of block (0,0,0) stored",
      LEAVE "fence.acq_rel.gpu;\n" TICKET },
    { "a ticket that releases needs no fence", 4, 32, RACE,
      LEAVE "atom.relaxed.gpu.global.inc.u32 %u, [%b], 3;\nsetp.ne.u32 %p, %u, 3; @%p bra over;\n"
      "ld.global.u32 %v, [%b+64];\nover:", "stored in line 13",
      LEAVE "atom.acq_rel.gpu.global.inc.u32 %u, [%b], 3;\nsetp.ne.u32 %p, %u, 3; @%p bra over;\n"
      "ld.global.u32 %v, [%b+64];\nover:" },
    { "the ticket is taken before the block has met", 4, 64, RACE,
      "st.global.u32 [%a+256], %g; membar.gl;\n" TAKE "bar.sync 0;\n" READ, "a race for global",
      "st.global.u32 [%a+256], %g; membar.gl; bar.sync 0;\n" TAKE "bar.sync 0;\n" READ },
    { "thread 0 fences for its block once that has met", 4, 64, RACE,
      "st.global.u32 [%a+256], %g; bar.sync 0;\n" TAKE "bar.sync 0;\n" READ, "a race for global",
      "st.global.u32 [%a+256], %g; bar.sync 0;\nmembar.gl;\n" TAKE "bar.sync 0;\n" READ },
    { "the others read before thread 0 has told them", 4, 64, RACE,
      "st.global.u32 [%a+256], %g; membar.gl; bar.sync 0;\n" TAKE READ, "a race for shared",
      "st.global.u32 [%a+256], %g; membar.gl; bar.sync 0;\n" TAKE "bar.sync 0;\n" READ },
    { "a flag that is stored plainly", 2, 32, RACE,
      GIVE("membar.gl; st.global.u32 [%b], 1;")
      GET("ld.volatile.global.u32 %v, [%b];", "membar.gl;"),
      "4 bytes, which thread (0,0,0) of block",
      GIVE("membar.gl; st.volatile.global.u32 [%b], 1;")
      GET("ld.volatile.global.u32 %v, [%b];", "membar.gl;") },
    { "a flag without a fence before it", 2, 32, RACE,
      GIVE("st.relaxed.gpu.global.u32 [%b], 1;") GET("ld.acquire.gpu.global.u32 %v, [%b];", ""),
      "load of 4 bytes, which thread (0,0,0) of block (0,0,0) stored in line 13",
      GIVE("st.release.gpu.global.u32 [%b], 1;") GET("ld.acquire.gpu.global.u32 %v, [%b];", "") },
    { "a flag for the threads of its block", 2, 32, RACE,
      GIVE("st.release.cta.global.u32 [%b], 1;") GET("ld.relaxed.gpu.global.u32 %v, [%b];", ""),
      "atomic for its own block only",
      GIVE("st.release.sys.global.u32 [%b], 1;") GET("ld.relaxed.sys.global.u32 %v, [%b];", "") },
    { "a flag that is raised atomically", 2, 32, RACE,
      GIVE("red.global.add.u32 [%b], 1;") GET("atom.global.or.b32 %v, [%b], 0;", ""),
      "stored in line 13",
      GIVE("membar.gl; red.global.add.u32 [%b], 1;") GET("atom.global.or.b32 %v, [%b], 0;", "") },
    { "atomic operations for their own block meet", 2, 32, RACE,
      "red.relaxed.cta.global.add.u32 [%b], 1;", "atomic for its own block only",
      "red.relaxed.gpu.global.add.u32 [%b], 1;" },
    { "relaxed stores of different values are no race", 2, 32, RACE,
      "st.global.u32 [%b], %g;", "store of 4 bytes",
      "st.relaxed.gpu.global.u32 [%b], %g; ld.relaxed.gpu.global.u32 %v, [%b];" },
    { "blocks swap words without the grid's barrier", 4, 64, RACE,
      "st.global.u32 [%a], %g; bar.sync 0;\n" SWAP_BLOCKS, "of block (0,0,0) loaded in line 13",
      "st.global.u32 [%a], %g;\n" GRID_SYNC("membar.gl;") SWAP_BLOCKS },
    { "the grid's barrier needs its fence", 4, 64, RACE,
      "st.global.u32 [%a], %g;\n" GRID_SYNC("") SWAP_BLOCKS, "stored in line 12",
      "st.global.u32 [%a], %g;\n" GRID_SYNC("fence.acq_rel.gpu;") SWAP_BLOCKS },
    { "a lock is given back without a fence", 4, 32, RACE,
      LOCK RAISE "atom.global.exch.b32 %u, [%b], 0;\nover:", "stored in line 14",
      LOCK "membar.gl;\n" RAISE "membar.gl; atom.global.exch.b32 %u, [%b], 0;\nover:" },
    { "what a block hands on it has to release again", 3, 32, RACE,
      "setp.ne.u32 %q, %t, 0; @%q bra over; mad.wide.u32 %y, %c, 4, %b; setp.eq.u32 %p, %c, 0;\n"
      "@%p bra give; wait: ld.acquire.gpu.global.u32 %v, [%y]; setp.eq.u32 %q, %v, 0;\n"
      "@%q bra wait; mad.wide.u32 %z, %c, 4, %b; ld.global.u32 %w, [%z+252];\n"
      "give: st.global.u32 [%y+256], %c; st.relaxed.gpu.global.u32 [%y+4], 1;\nover:",
      "stored in line 15",
      "setp.ne.u32 %q, %t, 0; @%q bra over; mad.wide.u32 %y, %c, 4, %b; setp.eq.u32 %p, %c, 0;\n"
      "@%p bra give; wait: ld.acquire.gpu.global.u32 %v, [%y]; setp.eq.u32 %q, %v, 0;\n"
      "@%q bra wait; ld.global.u32 %w, [%b+256];\n"
      "give: st.global.u32 [%y+256], %c; st.release.gpu.global.u32 [%y+4], 1;\nover:" },
    { "blocks of a cluster meet at its barrier", 4, 64, RACE,
      "st.global.u32 [%a], %g; bar.sync 0;\n" SWAP_BLOCKS, "loaded in line 13",
      "st.global.u32 [%a], %g; barrier.cluster.arrive; barrier.cluster.wait;\n" SWAP_BLOCKS,
      .cluster = 2 },
    { "a cluster's barrier is not the grid's", 4, 64, RACE,
      "st.global.u32 [%a], %g; barrier.cluster.arrive; barrier.cluster.wait;\n"
      "xor.b32 %u, %g, 128; mad.wide.u32 %y, %u, 4, %b; ld.global.u32 %v, [%y];",
      "loaded in line 13",
      "st.global.u32 [%a], %g; barrier.cluster.arrive; barrier.cluster.wait;\n"
      "xor.b32 %u, %g, 64; mad.wide.u32 %y, %u, 4, %b; ld.global.u32 %v, [%y];",
      .cluster = 2 },
};

const struct pairs order_pairs = { rows, sizeof rows / sizeof *rows };
