/* SPDX-License-Identifier: Apache-2.0
 *
 * What backends and layers call, made by the program itself: none of it knows of streams.
 */
#include <rill/layer.h>

#include <stdlib.h>

#include "reference/own_calls.h"

/* ---- Backends */

extern const struct rill_backend rl_backend_sim;

static void *made;

static void own(struct arguments *a)
{
    PREPARE(rill_backend_own(RILL_OBJECT_STREAM, a->w.context, a->w.context, &made));
}

static rill_status as_rill_backend_own(struct arguments *a)
{
    rill_status status =
        rill_backend_own(RILL_OBJECT_STREAM, a->w.context, a->w.context, &made);
    rill_backend_disown(made);
    return status;
}
ASK(rill_backend_disown, made)

/* Taken back, since the backend knows nothing of it. */
static rill_status as_rill_backend_give(struct arguments *a)
{
    (void)a;
    rill_backend_give(made);
    rill_backend_disown(made);
    return RILL_SUCCESS;
}

static void tell(void *data, uint64_t id, const char *operation)
{
    (void)data;
    (void)id;
    (void)operation;
}

static const rill_error_cause cause = { .operation = "a call" };

ASK(rill_private, a->w.stream)
ASK(rill_backend_fail, RILL_ERROR_NOT_READY, NULL, "not yet")
ASK(rill_backend_fail_cause, &cause)
ASK(rill_backend_fail_told, tell, NULL, 1)
AS(rill_backend_check, &rl_backend_sim, a->w.stream, RILL_OBJECT_STREAM, "stream")
AS(rill_backend_finish, "a call", a->w.stream, RILL_SUCCESS)

/* One more each time, since the names of those that are there are taken. */
static rill_status as_rill_backend_register(struct arguments *a)
{
    static const char *const names[] = { "one", "two", "three" };
    static struct rill_backend more[3];
    static int next;
    (void)a;
    more[next] = rl_backend_sim;
    more[next].name = names[next];
    return rill_backend_register(&more[next++]);
}

static const struct call backends[] = {
    OWN_CALL(rill_private, NULL),
    OWN_CALL(rill_backend_own, NULL),
    OWN_CALL(rill_backend_disown, own),
    OWN_CALL(rill_backend_give, own),
    OWN_CALL(rill_backend_fail, NULL),
    OWN_CALL(rill_backend_fail_cause, NULL),
    OWN_CALL(rill_backend_fail_told, NULL),
    OWN_CALL(rill_backend_check, NULL),
    OWN_CALL(rill_backend_finish, NULL),
    OWN_CALL(rill_backend_register, NULL),
};
const struct call_set backend_calls = { CALL_SET(backends), .backend = "sim" };

/* ---- Layers */

#define NAME "reference"

static const struct rill_backend nothing;
static const struct rill_layer layer = {
    .abi = RILL_BACKEND_ABI, .size = sizeof layer, .name = NAME, .slots = &nothing
};

static rill_status add_layer(void)
{
    setenv("RILL_LAYERS", NAME, 1);
    return rill_layer_register(&layer);
}

ASK(rill_layer_beneath, &layer, a->w.stream)
ASK(rill_layer_word, &layer, a->w.stream)
AS(rill_layer_check, &layer, a->w.stream, RILL_OBJECT_STREAM, "stream")

static rill_status as_rill_layer_register(struct arguments *a)
{
    static const char *const names[] = { "one", "two", "three" };
    static struct rill_layer more[3];
    static int next;
    (void)a;
    more[next] = layer;
    more[next].name = names[next];
    return rill_layer_register(&more[next++]);
}

static const struct call layers[] = {
    OWN_CALL(rill_layer_register, NULL),
    OWN_CALL(rill_layer_beneath, NULL),
    OWN_CALL(rill_layer_check, NULL),
    OWN_CALL(rill_layer_word, NULL),
};
const struct call_set layer_calls = {
    CALL_SET(layers), .backend = "sim", .prepare = add_layer
};
