/* SPDX-License-Identifier: Apache-2.0
 *
 * A layer, so that launches cost nothing more where nobody asks for it.  It stands beneath the
 * others: `check` sees the order that the program promises without it.
 */
#include "standin/object/blocking.h"

#include <rill/layer.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/thread.h"

#define NAME "launch-blocking"

static const struct rill_layer blocking;

static int is_captured(const struct rill_backend *beneath, rill_stream *stream)
{
    rill_capture_info info = { .size = sizeof info };
    return beneath->capture->info(stream, &info) || info.state != RILL_CAPTURE_NONE;
}

/* A kernel that fails is told by its own launch. */
static rill_status submit_and_wait(rill_stream *stream, rill_op *op)
{
    const struct rill_backend *beneath = rill_layer_beneath(&blocking, stream);
    int launches = op->kind == RILL_OP_KERNEL;
    rill_status status = beneath->stream->submit(stream, op);
    if (status || !launches || is_captured(beneath, stream)) return status;
    return beneath->stream->synchronize(stream);
}

static const struct rill_stream_ops streams = { .submit = submit_and_wait };
static const struct rill_backend slots = { .stream = &streams };
static const struct rill_layer blocking = {
    .abi = RILL_BACKEND_ABI, .size = sizeof blocking, .name = NAME, .slots = &slots,
};

/* Any number but 0 asks for it. */
static int is_asked_for(void)
{
    const char *text = rl_getenv("CUDA_LAUNCH_BLOCKING");
    return text && atoi(text);
}

const char *si_blocking_layers(char *room, size_t size)
{
    static int registered;
    const char *others = rl_getenv("RILL_LAYERS");
    if (!is_asked_for()) return NULL;
    if (!registered) registered = !rill_layer_register(&blocking);
    snprintf(room, size, "%s%s" NAME, others ? others : "", others && *others ? "," : "");
    return room;
}
