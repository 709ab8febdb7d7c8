/* SPDX-License-Identifier: Apache-2.0
 *
 * Lanes that branch to the end of the kernel have ended: they do nothing of what the others go on
 * to do, and nobody waits for them.
 */
#include "ptx/machine.h"

/* Threads from n on branch to the end.  The others write how many of them came to the barrier, or
 * call a function from whose end a lane returns. */
static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
    ".reg .u64 %a; .reg .u32 %t, %n, %v; .reg .pred %p, %q;\n"
    "ld.param.u64 %a, [out]; ld.param.u32 %n, [n]; mov.u32 %t, %tid.x;\n"
    "mad.wide.u32 %a, %t, 4, %a; setp.ge.u32 %p, %t, %n; setp.lt.u32 %q, %t, %n;\n"
    "@%p bra END;\n"
    "bar.red.popc.u32 %v, 0, %q;\nst.global.u32 [%a], %v;\n"
    "END:\nret;\n}\n"
    ".func (.reg .u32 %d) f(.reg .u32 %x, .reg .u32 %m)\n{\n"
    ".reg .pred %p;\nmov.u32 %d, 1; setp.ge.u32 %p, %x, %m;\n@%p bra BACK;\nmov.u32 %d, 2;\n"
    "BACK:\nret;\n}\n"
    ".visible .entry calls(.param .u64 out, .param .u32 n)\n{\n"
    ".reg .u64 %a; .reg .u32 %t, %n, %v;\n"
    "ld.param.u64 %a, [out]; ld.param.u32 %n, [n]; mov.u32 %t, %tid.x;\n"
    "mad.wide.u32 %a, %t, 4, %a; call (%v), f, (%t, %n);\nst.global.u32 [%a], %v;\nret;\n}\n";

enum { THREADS = 300 };

struct scene {
    struct machine *m;
    uint32_t *out;
};

static struct scene open_scene(void)
{
    struct scene scene = { .m = machine_open() };
    machine_load(scene.m, text);
    scene.out = machine_memory(scene.m, THREADS * sizeof *scene.out);
    return scene;
}

static void run(const struct scene *scene, const char *kernel, uint32_t n)
{
    struct { uint32_t *out; uint32_t n; } params = { scene->out, n };
    struct machine_shape shape = { .block = { THREADS } };
    memset(scene->out, 0, THREADS * sizeof *scene->out);
    machine_run(scene->m, kernel, &shape, &params, sizeof params);
}

static const uint32_t counts[] = { 0, 1, 33, 255, 257, 299, THREADS };

static void they_do_nothing_more_and_nobody_waits_for_them(void **state)
{
    struct scene scene = open_scene();
    (void)state;
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        run(&scene, "k", counts[i]);
        for (uint32_t t = 0; t < THREADS; t++)
            assert_int_equal(scene.out[t], t < counts[i] ? counts[i] : 0);
    }
    machine_close(scene.m);
}

static void the_end_of_a_function_is_not_the_kernels(void **state)
{
    struct scene scene = open_scene();
    (void)state;
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        run(&scene, "calls", counts[i]);
        for (uint32_t t = 0; t < THREADS; t++)
            assert_int_equal(scene.out[t], t < counts[i] ? 2 : 1);
    }
    machine_close(scene.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_do_nothing_more_and_nobody_waits_for_them),
        cmocka_unit_test(the_end_of_a_function_is_not_the_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
