/* SPDX-License-Identifier: Apache-2.0
 *
 * A module is lowered whole or not at all: whichever allocation fails, the refusal says that
 * memory was short, and nothing stays behind.
 */
#include "support/cmocka_all.h"

#include <string.h>

#include "base/alloc.h"
#include "ptx/text/module.h"

static const char text[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".extern .shared .align 16 .b8 more[];\n.global .u32 g = 7;\n"
    ".func (.param .b32 r) f(.param .b32 a)\n{\n.reg .b32 %x<9>;\n.local .b8 l[64];\n"
    ".reg .b64 %y<9>;\n.shared .u32 s;\nmov.u64 %y1, l; mov.u64 %y2, s;\n"
    "ld.param.b32 %x1, [a]; add.u32 %x3, %x1, %x1; st.param.b32 [r], %x3; ret;\n}\n"
    ".visible .entry k(.param .u64 out)\n{\n"
    ".reg .b32 %r<40>; .reg .b64 %rd<10>; .reg .pred %p<10>;\n"
    "mov.u32 %r0, %tid.x; mov.u64 %rd1, g; mov.u64 %rd2, more;\n"
    "T: .branchtargets A, B;\n"
    ".param .b32 first, result;\nmov.u32 %r2, 0;\n"
    "LOOP: st.param.b32 [first], %r2;\ncall (result), f, (first);\n"
    "ld.param.b32 %r3, [result]; add.u32 %r1, %r1, %r3;\n"
    "mov.b64 {%r5, %r6}, %rd1;\nbrx.idx %r5, T;\n"
    "A: add.u32 %r2, %r2, 1; setp.lt.and.u32 %p1, %r2, 4, !%p3;\n"
    "@%p1 bra LOOP;\nB: ret;\n}\n";

static uint64_t place(void *data, uint32_t index)
{
    (void)data;
    return 4096 * (uint64_t)(index + 1);
}

static const struct ptx_linkage linkage = { .variable = place };

static void every_allocation_may_fail(void **state)
{
    struct ptx_module *module;
    struct ptx_code *code;
    struct ptx_refusal refusal;
    rill_status status;
    (void)state;
    assert_int_equal(ptx_read(text, strlen(text), NULL, &module, &refusal), RILL_SUCCESS);
    long before = rl_alloc_live();
    long failures = 0;
    for (;; failures++) {
        rl_alloc_fail_after(failures);
        status = ptx_compile(module, &linkage, NULL, &code, &refusal);
        rl_alloc_fail_after(-1);
        if (status == RILL_SUCCESS) break;
        assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
        assert_int_equal(refusal.status, RILL_ERROR_OUT_OF_MEMORY);
        assert_non_null(strstr(refusal.message, "memory"));
        assert_int_equal(rl_alloc_live(), before);
        assert_true(failures < 1000);
    }
    assert_in_range(failures, 6, 1000);
    ptx_code_free(code);
    assert_int_equal(rl_alloc_live(), before);
    ptx_module_free(module);
}

/* A limit on the memory of a module is told from there being none. */
static void every_limit_on_memory_holds(void **state)
{
    struct ptx_module *module;
    struct ptx_code *code;
    struct ptx_refusal refusal;
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    (void)state;
    assert_int_equal(ptx_read(text, strlen(text), NULL, &module, &refusal), RILL_SUCCESS);
    long before = rl_alloc_live();
    size_t bytes = 16;
    for (; status; bytes += bytes / 8) {
        struct ptx_limits limits = { .module_bytes = bytes };
        status = ptx_compile(module, &linkage, &limits, &code, &refusal);
        if (!status) break;
        assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
        assert_int_equal(rl_alloc_live(), before);
        assert_true(bytes < 1u << 20);
    }
    assert_true(bytes > 1000);
    ptx_code_free(code);
    ptx_module_free(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_limit_on_memory_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
