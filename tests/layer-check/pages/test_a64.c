/* SPDX-License-Identifier: Apache-2.0
 *
 * What instructions of aarch64 do to memory, by their codes, as an assembler makes them.
 */
#include "layer-check/pages/a64.h"

#include "support/cmocka_all.h"

static const struct {
    uint32_t code, how;
    const char *text;
} instructions[] = {
    /* one register */
    { 0xf9400020, RILL_TOUCH_READ, "ldr x0, [x1]" },
    { 0x39400c20, RILL_TOUCH_READ, "ldrb w0, [x1, #3]" },
    { 0xb8a27820, RILL_TOUCH_READ, "ldrsw x0, [x1, x2, lsl #2]" },
    { 0x78c02420, RILL_TOUCH_READ, "ldrsh w0, [x1], #2" },
    { 0x3cc10c20, RILL_TOUCH_READ, "ldr q0, [x1, #16]!" },
    { 0xb85fc020, RILL_TOUCH_READ, "ldur w0, [x1, #-4]" },
    { 0xf8400820, RILL_TOUCH_READ, "ldtr x0, [x1]" },
    { 0xf97ffc20, RILL_TOUCH_READ, "ldr x0, [x1, #32760]" },
    { 0x18000000, RILL_TOUCH_READ, "ldr w0, ." },
    { 0x9c000000, RILL_TOUCH_READ, "ldr q0, ." },
    { 0xbc625820, RILL_TOUCH_READ, "ldr s0, [x1, w2, uxtw #2]" },
    { 0x7d400023, RILL_TOUCH_READ, "ldr h3, [x1]" },
    { 0xf9000020, RILL_TOUCH_WRITE, "str x0, [x1]" },
    { 0x38226820, RILL_TOUCH_WRITE, "strb w0, [x1, x2]" },
    { 0x781fec20, RILL_TOUCH_WRITE, "strh w0, [x1, #-2]!" },
    { 0x3c9f0020, RILL_TOUCH_WRITE, "stur q0, [x1, #-16]" },
    { 0x3d800020, RILL_TOUCH_WRITE, "str q0, [x1]" },
    { 0x3ca26820, RILL_TOUCH_WRITE, "str q0, [x1, x2]" },
    { 0xbc004420, RILL_TOUCH_WRITE, "str s0, [x1], #4" },
    { 0xb8000820, RILL_TOUCH_WRITE, "sttr w0, [x1]" },
    { 0xf8200420, RILL_TOUCH_READ, "ldraa x0, [x1]" },
    /* pairs */
    { 0xa9400440, RILL_TOUCH_READ, "ldp x0, x1, [x2]" },
    { 0x69400440, RILL_TOUCH_READ, "ldpsw x0, x1, [x2]" },
    { 0xadc10440, RILL_TOUCH_READ, "ldp q0, q1, [x2, #32]!" },
    { 0x6c400440, RILL_TOUCH_READ, "ldnp d0, d1, [x2]" },
    { 0xa9bf07e0, RILL_TOUCH_WRITE, "stp x0, x1, [sp, #-16]!" },
    { 0xac810440, RILL_TOUCH_WRITE, "stp q0, q1, [x2], #32" },
    { 0x28000440, RILL_TOUCH_WRITE, "stnp w0, w1, [x2]" },
    /* in order, and at once */
    { 0xc8dffc20, RILL_TOUCH_READ, "ldar x0, [x1]" },
    { 0x08dffc20, RILL_TOUCH_READ, "ldarb w0, [x1]" },
    { 0xc85f7c20, RILL_TOUCH_READ, "ldxr x0, [x1]" },
    { 0xc87f8440, RILL_TOUCH_READ, "ldaxp x0, x1, [x2]" },
    { 0x88df7c20, RILL_TOUCH_READ, "ldlar w0, [x1]" },
    { 0xf8bfc020, RILL_TOUCH_READ, "ldapr x0, [x1]" },
    { 0x99408020, RILL_TOUCH_READ, "ldapur w0, [x1, #8]" },
    { 0x19800020, RILL_TOUCH_READ, "ldapursb x0, [x1]" },
    { 0xc89ffc20, RILL_TOUCH_WRITE, "stlr x0, [x1]" },
    { 0x489ffc20, RILL_TOUCH_WRITE, "stlrh w0, [x1]" },
    { 0xc8027c20, RILL_TOUCH_WRITE, "stxr w2, x0, [x1]" },
    { 0xc8238440, RILL_TOUCH_WRITE, "stlxp w3, x0, x1, [x2]" },
    { 0x889f7c20, RILL_TOUCH_WRITE, "stllr w0, [x1]" },
    { 0x99008020, RILL_TOUCH_WRITE, "stlur w0, [x1, #8]" },
    { 0xc8a07c41, CK_A64_EITHER, "cas x0, x1, [x2]" },
    { 0x08e0fc41, CK_A64_EITHER, "casalb w0, w1, [x2]" },
    { 0x48207c82, CK_A64_EITHER, "casp x0, x1, x2, x3, [x4]" },
    { 0x0860fc82, CK_A64_EITHER, "caspal w0, w1, w2, w3, [x4]" },
    { 0xf8200041, CK_A64_EITHER, "ldadd x0, x1, [x2]" },
    { 0xb8e01041, CK_A64_EITHER, "ldclral w0, w1, [x2]" },
    { 0xf8208041, CK_A64_EITHER, "swp x0, x1, [x2]" },
    { 0x38208041, CK_A64_EITHER, "swpb w0, w1, [x2]" },
    { 0x78206041, CK_A64_EITHER, "ldumaxh w0, w1, [x2]" },
    /* vectors */
    { 0x4c407020, RILL_TOUCH_READ, "ld1 {v0.16b}, [x1]" },
    { 0x4cdfa020, RILL_TOUCH_READ, "ld1 {v0.16b, v1.16b}, [x1], #32" },
    { 0x4c400820, RILL_TOUCH_READ, "ld4 {v0.4s - v3.4s}, [x1]" },
    { 0x0d409020, RILL_TOUCH_READ, "ld1 {v0.s}[1], [x1]" },
    { 0x4d40c420, RILL_TOUCH_READ, "ld1r {v0.8h}, [x1]" },
    { 0x4c007020, RILL_TOUCH_WRITE, "st1 {v0.16b}, [x1]" },
    { 0x4c828c20, RILL_TOUCH_WRITE, "st2 {v0.2d, v1.2d}, [x1], x2" },
    { 0x0d001420, RILL_TOUCH_WRITE, "st1 {v0.b}[5], [x1]" },
    { 0x0d007020, RILL_TOUCH_WRITE, "st3 {v0.h - v2.h}[2], [x1]" },
    { 0xa4024020, RILL_TOUCH_READ, "ld1b {z0.b}, p0/z, [x1, x2]" },
    { 0x85024020, RILL_TOUCH_READ, "ld1w {z0.s}, p0/z, [x1, z2.s, uxtw]" },
    { 0xc5a0c020, RILL_TOUCH_READ, "ld1d {z0.d}, p0/z, [z1.d]" },
    { 0x85804020, RILL_TOUCH_READ, "ldr z0, [x1]" },
    { 0xa5002020, RILL_TOUCH_READ, "ld1rqw {z0.s}, p0/z, [x1]" },
    { 0xe4024020, RILL_TOUCH_WRITE, "st1b {z0.b}, p0, [x1, x2]" },
    { 0xe582a020, RILL_TOUCH_WRITE, "st1d {z0.d}, p0, [x1, z2.d]" },
    { 0xe5804020, RILL_TOUCH_WRITE, "str z0, [x1]" },
    { 0xe5800020, RILL_TOUCH_WRITE, "str p0, [x1]" },
    /* others */
    { 0xd50b7420, RILL_TOUCH_WRITE, "dc zva, x0" },
    { 0xd50b7e20, CK_A64_EITHER, "dc civac, x0" },
    { 0x8b020020, CK_A64_EITHER, "add x0, x1, x2" },
    { 0xd9200820, CK_A64_EITHER, "stg x0, [x1]" },
};

static void each_instruction_reads_or_writes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        uint32_t how = ck_a64_touch(instructions[i].code);
        if (how != instructions[i].how)
            fail_msg("%s: %u, not %u", instructions[i].text, how, instructions[i].how);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_instruction_reads_or_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
