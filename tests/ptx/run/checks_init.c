/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared and local memory that is read and was never written.
 */
#include "ptx/run/check_pairs.h"

#define INIT .wrong = PTX_WRONG_UNWRITTEN

static const char second_call[] =
    ".func f(.param .u32 fill)\n{\n.local .align 4 .b8 own[16]; .reg .u32 %r; .reg .pred %p;\n"
    "ld.param.u32 %r, [fill]; setp.eq.u32 %p, %r, 0; @%p bra read; st.local.u32 [own+4], %r;\n"
    "read: ld.local.u32 %r, [own+4]; ret;\n}\n";

#define CALL(value) "{ .param .u32 in; st.param.u32 [in], " value "; call f, (in); }\n"

static const struct pair rows[] = {
    { "shared memory is read first", 1, 64, INIT,
      "ld.shared.u32 %v, [%x];",
      "load of 4 bytes at offset 0 of shared memory, which nothing has written",
      "st.shared.u32 [%x], %t; ld.shared.u32 %v, [%x];" },
    { "the rim of a tile is left out", 1, 64, INIT,
      "st.shared.u32 [%x], %t; bar.sync 0; ld.shared.u32 %v, [%x+4];",
      "thread (63,0,0) of block (0,0,0): load of 4 bytes at offset 256 of shared memory",
      "st.shared.u32 [%x], %t; setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [s+256], 1; bar.sync 0;\n"
      "ld.shared.u32 %v, [%x+4];" },
    { "each block has shared memory of its own", 2, 32, INIT,
      "setp.eq.u32 %p, %c, 0; @%p st.shared.u32 [%x], %t; ld.shared.u32 %v, [%x];",
      "of block (1,0,0): load of 4 bytes at offset 0",
      "st.shared.u32 [%x], %c; ld.shared.u32 %v, [%x];" },
    { "counts begin with what was there", 1, 64, INIT,
      "red.shared.add.u32 [s+16], 1;", "atomic operation of 4 bytes at offset 16 of shared memory",
      "setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [s+16], 0; bar.sync 0;\n"
      "red.shared.add.u32 [s+16], 1;" },
    { "half of a vector", 1, 32, INIT,
      "mul.wide.u32 %y, %t, 8; mov.u64 %z, s; add.u64 %y, %y, %z; st.shared.u32 [%y], %t;\n"
      "ld.shared.v2.u32 {%u, %v}, [%y];", "load of 4 bytes at offset 4 of shared memory",
      "mul.wide.u32 %y, %t, 8; mov.u64 %z, s; add.u64 %y, %y, %z; st.shared.u32 [%y], %t;\n"
      "st.shared.u32 [%y+4], %t; ld.shared.v2.u32 {%u, %v}, [%y];" },
    { "through a generic address", 1, 32, INIT,
      "cvta.shared.u64 %x, %x; ld.u32 %v, [%x+512];", "at offset 512 of shared memory",
      "cvta.shared.u64 %x, %x; st.u32 [%x+512], %t; ld.u32 %v, [%x+512];" },
    { "local memory is read first", 1, 64, INIT,
      "{ .local .align 4 .b8 own[64]; st.local.u32 [own], %t; ld.local.u32 %v, [own+4]; }",
      "of local memory, which nothing has written",
      "{ .local .align 4 .b8 own[64]; st.local.u32 [own+4], %t; ld.local.u32 %v, [own+4]; }" },
    { "a loop ends one too late", 1, 32, INIT,
      "{ .local .align 4 .b8 own[64]; mov.u64 %y, own; mov.u32 %i, 0;\n"
      "fill: st.local.u32 [%y], %i; add.u64 %y, %y, 4; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 8;\n"
      "@%p bra fill; ld.local.u32 %v, [%y]; }", "line 14",
      "{ .local .align 4 .b8 own[64]; mov.u64 %y, own; mov.u32 %i, 0;\n"
      "fill: st.local.u32 [%y], %i; add.u64 %y, %y, 4; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 8;\n"
      "@%p bra fill; ld.local.u32 %v, [%y+-4]; }" },
    { "each thread has local memory of its own", 1, 32, INIT,
      "{ .local .align 4 .b8 own[8]; setp.ne.u32 %p, %t, 9; @%p st.local.u32 [own], %t;\n"
      "ld.local.u32 %v, [own]; }", "thread (9,0,0) of block (0,0,0): load of 4 bytes",
      "{ .local .align 4 .b8 own[8]; st.local.u32 [own], %t;\nld.local.u32 %v, [own]; }" },
    { "a function's variables are new in each call", 1, 32, INIT,
      CALL("7") CALL("0"), "of local memory, which nothing has written",
      CALL("7") CALL("8"), .head = second_call },
    { "padding is no element", 1, 32, INIT,
      "st.shared.u8 [%x], %t; ld.shared.u8 %v, [%x+1];", "load of 1 bytes",
      "st.shared.u8 [%x], %t; ld.shared.u32 %v, [%x];" },
    { "an mbarrier is used before it is made", 1, 32, INIT,
      "st.shared.u64 [s+8], 0; bar.sync 0; ld.shared.u64 %y, [s+16];", "at offset 16",
      "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [s+16], 32; bar.sync 0;\n"
      "mbarrier.arrive.shared.b64 %y, [s+16];" },
};

const struct pairs init_pairs = { rows, sizeof rows / sizeof *rows };
