/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded programs: their kernels, their host functions, and the operations for them.
 */
#include <stdlib.h>

#include "random/checked/running.h"

/* Until the library has them, nothing is told. */
#pragma weak rill_touch
#pragma weak rill_touch_host

static void tell(rill_devptr address, size_t bytes, uint32_t how)
{
    if (rill_touch) rill_touch(address, bytes, how);
}

static void tell_host(const void *pointer, size_t bytes, uint32_t how)
{
    if (rill_touch_host) rill_touch_host(pointer, bytes, how);
}

/* The numbers of RILL_TOUCH_*, <rill/backend.h>. */
enum { READ = 1, WRITE = 2, ATOMIC = 4 };

/* ---- Kernels ----------------------------------------------------------------------------- */

#define KERNEL(name, body) \
    ".visible .entry " name "(.param .u64 out, .param .u64 in, .param .u32 value)\n" \
    "{\n" \
    "    .reg .b32 %i, %v, %x;\n" \
    "    .reg .b64 %o, %n;\n" \
    "    ld.param.u64 %o, [out];\n" \
    "    ld.param.u64 %n, [in];\n" \
    "    ld.param.u32 %v, [value];\n" \
    "    mov.u32 %i, %tid.x;\n" \
    "    mad.wide.u32 %o, %i, 4, %o;\n" \
    "    mad.wide.u32 %n, %i, 4, %n;\n" \
    body \
    "    ret;\n" \
    "}\n"

static const char kernels_ptx[] =
    ".version 7.0\n"
    ".target sm_75\n"
    ".address_size 64\n"
    KERNEL("mix",
           "    ld.global.u32 %x, [%n];\n"
           "    mad.lo.u32 %x, %x, 3, %v;\n"
           "    st.global.u32 [%o], %x;\n")
    KERNEL("add",
           "    atom.global.add.u32 %x, [%o], %v;\n");

static void mix(const rill_launch *launch)
{
    uint32_t *out = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), uint32_t);
    const uint32_t *in = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 1, rill_devptr), uint32_t);
    uint32_t value = RILL_ARGUMENT(launch, 2, uint32_t);
    for (uint32_t i = 0; i < launch->block.x; i++) out[i] = in[i] * 3 + value;
}

static void told_mix(const rill_launch *launch)
{
    size_t bytes = 4 * (size_t)launch->block.x;
    tell(RILL_ARGUMENT(launch, 0, rill_devptr), bytes, WRITE);
    tell(RILL_ARGUMENT(launch, 1, rill_devptr), bytes, READ);
    mix(launch);
}

static void told_add(const rill_launch *launch)
{
    rill_devptr address = RILL_ARGUMENT(launch, 0, rill_devptr);
    uint32_t *out = RILL_DEVICE_MEMORY(address, uint32_t);
    uint32_t value = RILL_ARGUMENT(launch, 2, uint32_t);
    tell(address, 4 * (size_t)launch->block.x, ATOMIC);
    for (uint32_t i = 0; i < launch->block.x; i++)
        __atomic_fetch_add(&out[i], value, __ATOMIC_RELAXED);
}

static void leave(const rill_launch *launch)
{
    struct loop *loop = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), struct loop);
    uint32_t done = __atomic_add_fetch(&loop->done, 1, __ATOMIC_RELAXED);
    if (done % loop->rounds == 0) rill_sim_set_conditional(launch, loop->handle, 0);
}

rill_status running_load_kernels(struct running *running, int context)
{
    static const rill_param params[] = { RILL_PARAM(rill_devptr), RILL_PARAM(rill_devptr),
                                         RILL_PARAM(uint32_t) };
    static const rill_function functions[] = {
        { .name = "told_mix", .over_grid = told_mix, .params = params, .param_count = 3 },
        { .name = "told_add", .over_grid = told_add, .params = params, .param_count = 3 },
        { .name = "guessed_mix", .over_grid = mix, .params = params, .param_count = 3 },
        { .name = "leave", .over_grid = leave, .params = params, .param_count = 1 },
    };
    static const char *const names[KERNELS] = { "mix", "add", "told_mix", "told_add",
                                                "guessed_mix", "leave" };
    const rill_image image = { .size = sizeof image, .code = kernels_ptx, .functions = functions,
                               .function_count = 4 };
    rill_module **module = &running->module[context];
    rill_status status = rill_module_load(running->context[context], &image, module);
    for (int k = 0; k < KERNELS && !status; k++)
        status = rill_module_kernel(*module, names[k], &running->kernel[context][k]);
    return status;
}

/* ---- The host ---------------------------------------------------------------------------- */

void running_touch(struct running *running, const struct work *work, bool tells)
{
    unsigned char *out = running->pinned[work->out.memory];
    const unsigned char *in = work->in.memory < 0 ? NULL : running->pinned[work->in.memory];
    if (tells) tell_host(out + work->out.at, work->out.width, WRITE);
    if (in && tells) tell_host(in + work->in.at, work->in.width, READ);
    work_apply(work, out, in);
}

struct host_call {
    struct running *running;
    struct work work;
};

static void call_host(void *data)
{
    struct host_call *call = data;
    running_touch(call->running, &call->work, true);
}

static bool make_host_op(struct running *running, const struct work *work, rill_op *op)
{
    struct host_call *call = malloc(sizeof *call);
    if (!call) return false;
    *call = (struct host_call){ running, *work };
    *op = (rill_op){ .kind = RILL_OP_HOST, .host = { call_host, call, free } };
    return true;
}

static void call_back(rill_stream *stream, rill_status status, void *data)
{
    (void)stream;
    if (!status) call_host(data);
    free(data);
}

rill_status running_add_callback(struct running *running, const struct step *s)
{
    struct host_call *call = malloc(sizeof *call);
    if (!call) return RILL_ERROR_OUT_OF_MEMORY;
    *call = (struct host_call){ running, s->work };
    rill_status status = rill_stream_add_callback(running->stream[s->stream], call_back, call, 0);
    if (status) free(call);
    return status;
}

/* ---- Operations -------------------------------------------------------------------------- */

static void make_kernel_op(struct running *running, const struct work *work, int context,
                           struct work_op *made)
{
    static const uint8_t kernels[][2] = { [BY_PTX] = { KERNEL_MIX, KERNEL_ADD },
                                          [BY_TOLD] = { KERNEL_TOLD_MIX, KERNEL_TOLD_ADD },
                                          [BY_GUESSED] = { KERNEL_GUESSED_MIX, 0 } };
    made->out = running->memory[work->out.memory] + work->out.at;
    made->in = work->in.memory < 0 ? 0 : running->memory[work->in.memory] + work->in.at;
    made->value = work->value;
    made->params[0] = &made->out;
    made->params[1] = &made->in;
    made->params[2] = &made->value;
    made->op = (rill_op){ .kind = RILL_OP_KERNEL, .kernel = {
        .kernel = running->kernel[context][kernels[work->by][work->kind == WORK_ADD]],
        .grid = { 1, 1, 1 }, .block = { work->out.width / 4u, 1, 1 }, .params = made->params,
    } };
}

void running_make_leave(struct running *running, int graph, int context, struct work_op *made)
{
    made->out = (rill_devptr)(uintptr_t)&running->loop[graph];
    made->params[0] = &made->out;
    made->op = (rill_op){ .kind = RILL_OP_KERNEL, .kernel = {
        .kernel = running->kernel[context][KERNEL_LEAVE], .grid = { 1, 1, 1 },
        .block = { 1, 1, 1 }, .params = made->params,
    } };
}

/* Every second copy leaves it to the addresses what they are of, as the copy does that is
 * a call of its own: an update may not change that. */
static rill_place place_of(const struct running *running, const struct region *region, bool tells)
{
    bool pinned = running->program->memory[region->memory].kind == MEMORY_PINNED;
    rill_memory_kind kind = pinned ? RILL_MEMORY_HOST : RILL_MEMORY_DEVICE;
    return (rill_place){
        .kind = tells ? kind : RILL_MEMORY_UNIFIED,
        .address = running->memory[region->memory] + region->at,
        .pitch = region->rows > 1 ? region->pitch : 0,
    };
}

static rill_op copy_op(const struct running *running, const struct work *work)
{
    bool tells = work->value % 2 == 0;
    return (rill_op){ .kind = RILL_OP_MEMCPY, .memcpy = {
        .dst = place_of(running, &work->out, tells), .src = place_of(running, &work->in, tells),
        .width = work->out.width, .height = work->out.rows, .depth = 1,
    } };
}

static rill_op fill_op(const struct running *running, const struct work *work)
{
    return (rill_op){ .kind = RILL_OP_MEMSET, .memset = {
        .dst = running->memory[work->out.memory] + work->out.at, .pitch = work->out.pitch,
        .value = work->value, .element_bytes = 4, .width = work->out.width / 4u,
        .height = work->out.rows,
    } };
}

bool running_make_op(struct running *running, const struct work *work, int context,
                     struct work_op *made)
{
    if (work->by == BY_HOST) return make_host_op(running, work, &made->op);
    if (work->by != BY_DRIVER) make_kernel_op(running, work, context, made);
    else made->op = work->kind == WORK_COPY ? copy_op(running, work) : fill_op(running, work);
    return true;
}
