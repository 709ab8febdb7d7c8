/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers to which not all threads come that should.
 */
#include "ptx/run/check_pairs.h"

#define BARRIER .wrong = PTX_WRONG_BARRIER

static const struct pair rows[] = {
    { "two warps wait in different branches", 1, 64, BARRIER,
      "setp.lt.u32 %p, %t, 32; @%p bra low;\nbar.sync 0; bra over;\nlow: bar.sync 0;\nover:",
      "this one comes to barrier 0 here, and thread (",
      "setp.lt.u32 %p, %t, 32; @%p bra low;\nbra over;\nlow: add.u32 %t, %t, 1;\n"
      "over: bar.sync 0;" },
    { "the lanes of a warp wait in different branches", 1, 32, BARRIER,
      "setp.lt.u32 %p, %t, 16; @%p bra low;\nbar.sync 0; bra over;\nlow: bar.sync 0;\nover:",
      "this one comes to barrier 0 here",
      "setp.lt.u32 %p, %t, 16; @%p bra low;\nadd.u32 %t, %t, 1;\nlow: bar.sync 0;" },
    { "some threads skip a barrier", 1, 64, BARRIER,
      "setp.lt.u32 %p, %t, 32; @%p bra skip;\nbar.sync 0;\nskip: bar.sync 0;", "line 13",
      "setp.lt.u32 %p, %t, 32; @%p bra skip;\nadd.u32 %t, %t, 1;\nskip: bar.sync 0;" },
    { "threads that have ended are not missed", 1, 64, BARRIER,
      "setp.lt.u32 %p, %t, 20; @%p bra out;\nbar.sync 0; bra over;\nout: bar.sync 0;\nover:",
      "comes to barrier 0",
      "setp.lt.u32 %p, %t, 20; @%p exit; bar.sync 0;" },
    { "a loop has one round more in some warps", 1, 64, BARRIER,
      "shr.u32 %w, %t, 5; add.u32 %w, %w, 2; mov.u32 %i, 0;\n"
      "round: bar.sync 0; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %w; @%p bra round;\n"
      "bar.sync 0;", "line 14",
      "mov.u32 %w, 3; mov.u32 %i, 0;\n"
      "round: bar.sync 0; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %w; @%p bra round;\n"
      "bar.sync 0;" },
    { "a barrier for different numbers of threads", 1, 128, BARRIER,
      "setp.lt.u32 %q, %t, 32; @%q bra first; setp.lt.u32 %q, %t, 64; @!%q bra over;\n"
      "bar.sync 2, 64; bra over;\nfirst: bar.sync 2, 32;\nover: bar.sync 0;",
      "barrier 2 for 32 threads, and thread (32,0,0) did in line 13 for 64",
      "setp.lt.u32 %p, %t, 64; @!%p bra over;\nbar.sync 2, 64;\nover: bar.sync 0;" },
    { "a warp is at two named barriers", 1, 64, BARRIER,
      "setp.ge.u32 %p, %t, 32; @%p bra both; setp.lt.u32 %p, %l, 16; @%p bra low;\n"
      "bar.sync 1, 32; bra over;\nlow: bar.sync 2, 32; bra over;\n"
      "both: bar.sync 1, 32; bar.sync 2, 32;\nover:",
      "comes to barrier 2 here, and thread (16,0,0) waits in line 13",
      "setp.ge.u32 %p, %t, 32; @%p bra both;\n"
      "bar.sync 1, 64; bra over;\nboth: bar.sync 1, 64;\nover:" },
    { "a lane votes for others only", 1, 32, BARRIER,
      "setp.lt.u32 %p, %l, 16; @%p bra over; vote.sync.ballot.b32 %u, %p, 0x0000ffff;\nover:",
      "for the lanes in 0x0000ffff, of which this thread is none",
      "setp.lt.u32 %p, %l, 16; @%p bra over; vote.sync.ballot.b32 %u, %p, 0xffff0000;\nover:" },
    { "a lane meets others without being one of them", 1, 32, BARRIER,
      "setp.ne.u32 %p, %l, 7; @%p bra over; bar.warp.sync 0;\nover: bar.warp.sync -1;",
      "of which this thread is none",
      "setp.ne.u32 %p, %l, 7; @%p bra over; bar.warp.sync 0x80;\nover: bar.warp.sync -1;" },
    { "producers and consumers meet in different places", 1, 128, BARRIER,
      "setp.lt.u32 %p, %t, 64; @%p bra give;\nbar.sync 3; bra over;\ngive: bar.sync 3;\nover:",
      "comes to barrier 3 here",
      "setp.lt.u32 %p, %t, 64; @%p bra give;\nbar.sync 3, 128; bra over;\n"
      "give: bar.arrive 3, 128;\nover:" },
};

const struct pairs barrier_pairs = { rows, sizeof rows / sizeof *rows };
