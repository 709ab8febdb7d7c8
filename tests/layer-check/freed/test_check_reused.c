/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that another thread has before the call that frees it has returned.
 *
 * A layer beneath the checker lets the other thread go on as soon as the memory is free.
 */
#include <pthread.h>

#include <rill/layer.h>

#include "layer-check/checked.h"

enum { BYTES = 4096 };

static struct checked c;
static void (*next)(void); /* what the other thread does; NULL: nothing */
static rill_devptr again;
static void *again_here;
static rill_module *module_again;

static void *run_next(void *data)
{
    (void)data;
    next();
    return NULL;
}

static void go_on_elsewhere(void)
{
    pthread_t other;
    if (!next) return;
    assert_int_equal(pthread_create(&other, NULL, run_next, NULL), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    next = NULL;
}

/* ---- The layer --------------------------------------------------------------------------- */

static const struct rill_layer layer;

static rill_status release(rill_context *context, rill_devptr address)
{
    rill_status status = rill_layer_beneath(&layer, context)->memory->release(context, address);
    go_on_elsewhere();
    return status;
}

static rill_status host_free(rill_context *context, void *pointer)
{
    rill_status status = rill_layer_beneath(&layer, context)->memory->host_free(context, pointer);
    go_on_elsewhere();
    return status;
}

static rill_status unload(rill_module *module)
{
    rill_status status = rill_layer_beneath(&layer, module)->module->unload(module);
    go_on_elsewhere();
    return status;
}

static rill_status submit(rill_stream *stream, rill_op *op)
{
    rill_status status = rill_layer_beneath(&layer, stream)->stream->submit(stream, op);
    if (op->kind == RILL_OP_FREE) go_on_elsewhere();
    return status;
}

static const struct rill_memory_ops memory = { .release = release, .host_free = host_free };
static const struct rill_module_ops modules = { .unload = unload };
static const struct rill_stream_ops streams = { .submit = submit };
static const struct rill_backend slots = { .memory = &memory, .module = &modules,
                                           .stream = &streams };
static const struct rill_layer layer = {
    .abi = RILL_BACKEND_ABI, .size = sizeof layer, .name = "elsewhere", .slots = &slots,
};

/* ---- Reuse ------------------------------------------------------------------------------- */

static void fill(rill_devptr address)
{
    OK(rill_memset_d32_async(c.s, address, 1, 1));
    OK(rill_stream_synchronize(c.s));
}

static void take_device_memory(void)
{
    OK(rill_mem_alloc(c.context, BYTES, &again));
    fill(again);
}

static void device_memory_may_be_anothers_at_once(void **state)
{
    (void)state;
    rill_devptr first;
    begin_checked_with(&c, "check,elsewhere");
    OK(rill_mem_alloc(c.context, BYTES, &first));
    next = take_device_memory;
    OK(rill_mem_free(c.context, first));
    assert_int_equal(again, first);
    fill(again);
    OK(rill_mem_free(c.context, again));
    end_checked(&c);
    expect_nothing(&c);
}

static void take_pinned_memory(void)
{
    OK(rill_host_alloc(c.context, BYTES, 0, &again_here));
    fill((uintptr_t)again_here);
}

static void pinned_memory_may_be_anothers_at_once(void **state)
{
    (void)state;
    void *first;
    begin_checked_with(&c, "check,elsewhere");
    OK(rill_host_alloc(c.context, BYTES, 0, &first));
    next = take_pinned_memory;
    OK(rill_host_free(c.context, first));
    fill((uintptr_t)again_here);
    OK(rill_host_free(c.context, again_here));
    end_checked(&c);
    expect_nothing(&c);
}

static void take_memory_of_the_pool(void)
{
    OK(rill_stream_synchronize(c.t));
    OK(rill_mem_alloc_async(c.s, BYTES, &again));
    fill(again);
}

static void memory_of_a_pool_may_be_anothers_at_once(void **state)
{
    (void)state;
    rill_devptr first;
    begin_checked_with(&c, "check,elsewhere");
    OK(rill_mem_alloc_async(c.t, BYTES, &first));
    next = take_memory_of_the_pool;
    OK(rill_mem_free_async(c.t, first));
    assert_int_equal(again, first);
    fill(again);
    OK(rill_mem_free_async(c.s, again));
    end_checked(&c);
    expect_nothing(&c);
}

static rill_module *load_word(void)
{
    static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                               ".visible .global .align 4 .u32 word;\n";
    const rill_image image = { .size = sizeof image, .code = text, .code_bytes = sizeof text };
    rill_module *module = NULL;
    OK(rill_module_load(c.context, &image, &module));
    OK(rill_module_variable(module, "word", &again, NULL));
    fill(again);
    return module;
}

static void take_variables(void)
{
    module_again = load_word();
}

static void variables_may_be_anothers_at_once(void **state)
{
    (void)state;
    begin_checked_with(&c, "check,elsewhere");
    rill_module *module = load_word();
    const rill_devptr first = again;
    next = take_variables;
    OK(rill_module_unload(&module));
    assert_int_equal(again, first);
    fill(again);
    OK(rill_module_unload(&module_again));
    end_checked(&c);
    expect_nothing(&c);
}

/* ---- Frees that are refused ------------------------------------------------------------------ */

/* Nothing was freed, so what comes later is right. */
static void a_refused_free_frees_nothing(void **state)
{
    (void)state;
    rill_devptr device, pool;
    void *pinned;
    begin_checked(&c);
    OK(rill_mem_alloc(c.context, BYTES, &device));
    OK(rill_mem_alloc_async(c.s, BYTES, &pool));
    OK(rill_host_alloc(c.context, BYTES, 0, &pinned));
    const rill_devptr host = (uintptr_t)pinned;
    assert_int_not_equal(rill_mem_free(c.context, host), RILL_SUCCESS);
    assert_int_not_equal(rill_host_free(c.context, (void *)(uintptr_t)device), RILL_SUCCESS);
    assert_int_not_equal(rill_mem_free_async(c.s, host), RILL_SUCCESS);
    assert_int_not_equal(rill_host_unregister(c.context, pinned), RILL_SUCCESS);
    fill(device);
    fill(pool);
    fill(host);
    OK(rill_mem_free_async(c.s, pool));
    OK(rill_host_free(c.context, pinned));
    OK(rill_mem_free(c.context, device));
    end_checked(&c);
    expect_nothing(&c);
}

int main(void)
{
    setenv("RILL_CHECK", "race life log=/dev/null", 1);
    if (rill_layer_register(&layer)) return EXIT_FAILURE;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(device_memory_may_be_anothers_at_once),
        cmocka_unit_test(pinned_memory_may_be_anothers_at_once),
        cmocka_unit_test(memory_of_a_pool_may_be_anothers_at_once),
        cmocka_unit_test(a_refused_free_frees_nothing),
        cmocka_unit_test(variables_may_be_anothers_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
