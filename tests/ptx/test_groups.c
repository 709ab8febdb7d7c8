/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator gives a GPU's answers to wgmma: every form in answers/group_forms.c, over operands
 * that a seed decides, against answers/groups.txt.  And what else there is to say of wgmma.
 */
#include "machine.h"

#include <stdio.h>

#include "answers/groups.h"
#include "kernels.h"

/* ---- Answers ------------------------------------------------------------------------------ */

/* Runs a form.  Returns false if it is refused. */
static bool run_form(struct group_form *form, char *why, size_t room)
{
    struct machine *machine = machine_open();
    struct ptx_refusal refusal;
    char *text = group_text(form);
    bool loaded = !machine_try_load(machine, text, strlen(text), NULL, &refusal);
    if (loaded) {
        void *params[GROUP_OPERANDS];
        struct machine_shape shape = { .grid = { GROUPS }, .block = { GROUP_THREADS } };
        group_operands(form);
        for (int i = 0; i < GROUP_OPERANDS; i++) {
            params[i] = machine_memory(machine, form->bytes[i] * GROUPS);
            memcpy(params[i], form->values[i], form->bytes[i] * GROUPS);
        }
        machine_run(machine, "group", &shape, params, sizeof params);
        memcpy(form->values[0], params[0], form->bytes[0] * GROUPS);
    } else {
        snprintf(why, room, "%s", refusal.message);
    }
    free(text);
    machine_close(machine);
    return loaded;
}

struct comparison {
    FILE *answers;
    unsigned forms, failures;
};

/* Returns the next line of the file that is no remark. */
static const char *next_answer(FILE *answers, char *line, size_t room)
{
    while (fgets(line, (int)room, answers))
        if (*line != '#') return line;
    return NULL;
}

static bool agrees(void *data, struct group_form *form)
{
    struct comparison *comparison = data;
    char line[400], expected[400], why[400] = "another result";
    const char *answer = next_answer(comparison->answers, line, sizeof line);
    if (!answer) fail_msg("no answer to: %s", form->instruction);
    bool ran = run_form(form, why, sizeof why);
    comparison->forms++;
    snprintf(expected, sizeof expected, "= %016llx\t%s\n",
             ran ? (unsigned long long)group_hash(form) : 0, form->instruction);
    if (!ran || strcmp(answer, expected) != 0) {
        printf("# %s: %s\n", form->instruction, why);
        comparison->failures++;
    }
    group_drop(form);
    return true;
}

static void answers_are_those_of_a_gpu(void **state)
{
    struct comparison comparison = { .answers = NULL };
    char path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/../answers/groups.txt", kernel_folder());
    comparison.answers = fopen(path, "r");
    assert_non_null(comparison.answers);
    group_each(agrees, &comparison);
    fclose(comparison.answers);
    printf("# %u forms, %u differ\n", comparison.forms, comparison.failures);
    assert_int_equal(comparison.failures, 0);
}

/* ---- Descriptors -------------------------------------------------------------------------- */

#define HEAD ".version 8.7\n.target sm_90a\n.address_size 64\n"
#define KERNEL(before, descriptor, after) \
    HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>, %f<4>, %a<4>;\n" \
         ".reg .b64 %l<5>;\n" \
         ".reg .pred %p<4>; .shared .align 1024 .b8 room[2048];\n" \
         "ld.param.u64 %l0, [out]; mov.u32 %r0, %tid.x; mad.wide.u32 %l1, %r0, 16, %l0;\n" \
         "mov.u32 %r1, room; mad.lo.u32 %r1, %r0, 16, %r1; shl.b32 %r2, %r0, 3;\n" \
         "mad.lo.u32 %r3, %r0, 0x80008, 0x10000; add.u32 %r4, %r3, 0x20002;\n" \
         "add.u32 %r5, %r4, 0x20002; add.u32 %r6, %r5, 0x20002;\n" \
         "st.shared.v4.b32 [%r1], {%r3,%r4,%r5,%r6}; bar.sync 0;\n" \
         "mov.b32 %f0, 0; mov.b32 %f1, 0; mov.b32 %f2, 0; mov.b32 %f3, 0;\n" \
         "mov.u32 %r2, room; shr.u32 %r2, %r2, 4; cvt.u64.u32 %l2, %r2;\n" \
         "add.u64 %l2, %l2, " descriptor "; setp.eq.u32 %p0, %r0, %r0;\n" before \
         "mov.b32 %a0, 0x80008; mov.b32 %a1, 0x80008; mov.b32 %a2, %a0; mov.b32 %a3, %a0;\n" \
         PRODUCT "st.global.v4.b32 [%l1], {%f0,%f1,%f2,%f3};\nret;\n" after "}\n"
#define PRODUCT \
    "wgmma.fence.sync.aligned;\n" \
    "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%f0,%f1,%f2,%f3}, {%a0,%a1,%a2,%a3}, %l2, " \
    "%p0;\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"

static void fails(const char *text, uint32_t threads, rill_status status, const char *words)
{
    struct machine *machine = machine_open();
    machine_load(machine, text);
    uint32_t *memory = machine_memory(machine, (size_t)threads * 16);
    machine_fails(machine, "k", &(struct machine_shape){ .block = { threads } }, &memory,
                  sizeof memory, status, words, "kernel 'k', line ");
    machine_close(machine);
}

static void a_warpgroup_is_complete(void **state)
{
    (void)state;
    fails(KERNEL("", "0", ""), 96, RILL_ERROR_ILLEGAL_INSTRUCTION,
          "all 128 threads of a warpgroup");
    fails(KERNEL("setp.gt.u32 %p1, %r0, 100; @%p1 exit;\n", "0", ""), 128,
          RILL_ERROR_ILLEGAL_INSTRUCTION, "all 128 threads of a warpgroup");
}

static void descriptors_do_not_lead_outside(void **state)
{
    (void)state;
    fails(KERNEL("", "0x8000000", ""), 128, RILL_ERROR_ILLEGAL_ADDRESS,
          "the descriptor of a matrix");
}

/* Warps that come one after the other take the step together: the last one changes shared memory
 * on its way, which stands at the end of the text, so that the others come first. */
static void warps_wait_for_each_other(void **state)
{
    static const char *const texts[] = {
        KERNEL("bar.sync 0; st.shared.b32 [room], 0;\n", "0x800080000", ""),
        KERNEL("setp.lt.u32 %p1, %r0, 96; @!%p1 bra LATE;\nON:\n", "0x800080000",
               "LATE: st.shared.b32 [room], 0; bra ON;\n"),
    };
    struct machine *machine = machine_open();
    uint32_t sums[2][512];
    (void)state;
    for (int i = 0; i < 2; i++) {
        machine_load(machine, texts[i]);
        uint32_t *memory = machine_memory(machine, sizeof sums[i]);
        machine_run(machine, "k", &(struct machine_shape){ .block = { 128 } }, &memory,
                    sizeof memory);
        memcpy(sums[i], memory, sizeof sums[i]);
    }
    assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    assert_int_not_equal(sums[0][0], 0);
    machine_close(machine);
}

/* ---- What is refused ---------------------------------------------------------------------- */

static void wrong_products_are_refused(void **state)
{
    struct machine *machine = machine_open();
    (void)state;
    static const struct { const char *product, *words; } wrong[] = {
        { "m64n8k16.f32.e4m3.e4m3 {%f0,%f1,%f2,%f3}, %l2, %l2, %p0, 1, 1", ".m64nNk32" },
        { "m64n12k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %l2, %l2, %p0, 1, 1, 0, 0", "multiple of 8" },
        { "m64n40k32.s32.s8.s8 {%f0,%f1,%f2,%f3}, %l2, %l2, %p0", "multiple of 16" },
        { "m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %l2, %l2, %p0, 1, 2, 0, 0", "-1 or 1" },
        { "m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %l2, %l2, %p0, 1, 1, 0", "missing" },
        { "m64n8k16.f32.f16.f16 {%f0,%f1,%f2}, %l2, %l2, %p0, 1, 1, 0, 0", "4 registers" },
        { "m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}", "1 operands where 4 belong" },
        { "sp.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %l2, %l2, %f0, 0, %p0, 1, 1, 0, 0",
          ".m64nNk32" },
        { "sp.m64n8k32.f32.f16.f16 {%f0,%f1,%f2,%f3}, %l2, %l2, %f0, 2, %p0, 1, 1, 0, 0",
          "less than 2" },
        { "sp.m64n8k32.f32.f16.f16 {%f0,%f1,%f2,%f3}, %l2, %l2, %p0, 1", "5 operands where 6" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[700];
        snprintf(text, sizeof text,
                 HEAD ".visible .entry k()\n{\n.reg .b32 %%f<4>; .reg .b64 %%l<5>; .reg .pred "
                      "%%p<2>;\nwgmma.mma_async.sync.aligned.%s;\nret;\n}\n", wrong[i].product);
        machine_refuses(machine, text, RILL_ERROR_INVALID_PTX, wrong[i].words, "wgmma.mma_async");
    }
    machine_close(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_a_gpu),
        cmocka_unit_test(a_warpgroup_is_complete),
        cmocka_unit_test(descriptors_do_not_lead_outside),
        cmocka_unit_test(warps_wait_for_each_other),
        cmocka_unit_test(wrong_products_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
