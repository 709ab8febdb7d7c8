/* SPDX-License-Identifier: Apache-2.0 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "core/registry/layers.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "base/thread.h"
#include "base/tsan.h"
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/layers.h"
#include "core/registry/contract.h"

/* ---- The list ----------------------------------------------------------- */

extern const struct rill_layer rl_layer_check, rl_layer_fail, rl_layer_schedule,
                               rl_layer_trace, rl_layer_tsan;

static const struct rill_layer *const built_in[] = { &rl_layer_check, &rl_layer_fail,
                                                    &rl_layer_trace, &rl_layer_tsan, NULL };

static size_t built_in_count(void)
{
    return sizeof built_in / sizeof *built_in - 1;
}

#define REGISTERED_MAX 32

/* Entries below the count never change; the lock is held to add one. */
static struct rl_lock registry_lock;
static const struct rill_layer *registered_layers[REGISTERED_MAX];
static atomic_size_t registered_count;

static size_t layer_count(void)
{
    return built_in_count() + atomic_load_explicit(&registered_count, memory_order_acquire);
}

static const struct rill_layer *layer_at(size_t index)
{
    size_t first = built_in_count();
    return index < first ? built_in[index] : registered_layers[index - first];
}

static const struct rill_layer *find_layer(const char *name, size_t length)
{
    for (size_t i = 0; i < layer_count(); i++) {
        const char *other = layer_at(i)->name;
        if (!strncmp(other, name, length) && !other[length]) return layer_at(i);
    }
    return NULL;
}

static rill_status check_layer(const struct rill_layer *layer)
{
    const char *why = NULL, *argument = "layer";
    if (layer->abi != RILL_BACKEND_ABI)
        argument = "layer->abi", why = "is not that of this library; build it with its headers";
    else if (layer->size != sizeof *layer)
        argument = "layer->size", why = "must be sizeof(struct rill_layer)";
    else if (!rl_well_named(layer->name))
        argument = "layer->name", why = "must be up to 31 of the letters a-z, digits, _ and -";
    else if (!layer->slots)
        argument = "layer->slots", why = "is NULL; a layer has slots";
    if (!why) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_BACKEND_TABLE, argument, "%s %s", argument, why);
}

static rill_status add_layer(const struct rill_layer *layer)
{
    if (find_layer(layer->name, strlen(layer->name)))
        return rill_backend_fail(RILL_ERROR_BACKEND_TABLE, "layer->name",
                                 "layer->name is %s, and there is a layer of that name; choose "
                                 "another one", layer->name);
    size_t count = atomic_load_explicit(&registered_count, memory_order_relaxed);
    if (count == REGISTERED_MAX)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "at most %d layers can be registered", REGISTERED_MAX);
    registered_layers[count] = layer;
    atomic_store_explicit(&registered_count, count + 1, memory_order_release);
    return RILL_SUCCESS;
}

rill_status rill_layer_register(const struct rill_layer *layer)
{
    rill_status status = rl_required(layer, "layer");
    if (!status) status = check_layer(layer);
    if (!status) {
        rl_lock(&registry_lock);
        status = add_layer(layer);
        rl_unlock(&registry_lock);
    }
    return rl_finish(__func__, NULL, status);
}

/* ---- The choice ----------------------------------------------------------- */

struct wish {
    const struct rill_layer *layers[RILL_LAYERS_MAX]; /* the topmost first */
    unsigned count;
    const char *argument, *source; /* of the error record, and in sentences */
};

static rill_status refuse_name(const struct wish *wish, const char *name, size_t length)
{
    char list[RILL_ERROR_MESSAGE_MAX / 2] = "";
    for (size_t i = 0, at = 0; i < layer_count() && at < sizeof list; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "",
                               layer_at(i)->name);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, wish->argument,
                             "%s names a layer '%.*s' that is not there; there are: %s",
                             wish->source, (int)(length < 32 ? length : 32), name,
                             list[0] ? list : "none");
}

static rill_status add_wish(struct wish *wish, const char *name, size_t length)
{
    const struct rill_layer *layer = find_layer(name, length);
    if (!layer) return refuse_name(wish, name, length);
    for (unsigned i = 0; i < wish->count; i++)
        if (wish->layers[i] == layer)
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, wish->argument,
                                     "%s names layer '%s' twice", wish->source, layer->name);
    if (wish->count == RILL_LAYERS_MAX)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, wish->argument,
                                 "%s names more than %d layers", wish->source, RILL_LAYERS_MAX);
    wish->layers[wish->count++] = layer;
    return RILL_SUCCESS;
}

static rill_status read_wish(struct wish *wish, const rill_open_options *options)
{
    const char *text = options->layers ? options->layers : rl_getenv("RILL_LAYERS");
    wish->argument = options->layers ? "options->layers" : NULL;
    wish->source = options->layers ? "options->layers" : "$RILL_LAYERS";
    for (rill_status status; text && *text;) {
        size_t length = strcspn(text, ",");
        if ((status = add_wish(wish, text, length))) return status;
        text += length + (text[length] == ',');
    }
    return RILL_SUCCESS;
}

rill_status rl_check_layer_names(void)
{
    const rill_open_options options = { .size = sizeof options };
    struct wish wish = { .count = 0 };
    return read_wish(&wish, &options);
}

/* ---- Composing ------------------------------------------------------------- */

typedef void (*any_slot)(void);

static any_slot read_slot(const void *table, size_t offset)
{
    any_slot slot;
    memcpy(&slot, (const char *)table + offset, sizeof slot);
    return slot;
}

/* Where a level keeps its tables, in the order of rl_tables. */
static const size_t storage[] = {
    offsetof(struct rl_level, backend), offsetof(struct rl_level, device),
    offsetof(struct rl_level, context), offsetof(struct rl_level, memory),
    offsetof(struct rl_level, module),  offsetof(struct rl_level, stream),
    offsetof(struct rl_level, event),   offsetof(struct rl_level, pool),
    offsetof(struct rl_level, vmem),    offsetof(struct rl_level, capture),
    offsetof(struct rl_level, graph),   offsetof(struct rl_level, exec),
    offsetof(struct rl_level, watch),   offsetof(struct rl_level, schedule),
};

/* Puts a layer's slots over those that `to` has from beneath. */
static void overlay_table(const struct rl_table *table, void *to, const void *over)
{
    for (size_t i = 0; i < table->slot_count; i++) {
        size_t offset = table->slots[i].offset;
        any_slot slot = read_slot(over, offset);
        if (slot && read_slot(to, offset)) memcpy((char *)to + offset, &slot, sizeof slot);
    }
}

static const void *table_of(const struct rill_backend *backend, const struct rl_table *table)
{
    const void *at;
    memcpy(&at, (const char *)backend + table->in_backend.offset, sizeof at);
    return at;
}

static void compose_level(struct rl_level *level, const struct rl_layers *layers)
{
    const struct rill_backend *beneath = level->beneath, *over = level->layer->slots;
    level->backend = *beneath;
    overlay_table(&rl_tables[0], &level->backend, over);
    level->backend.probe = beneath->probe;
    level->backend.layers = layers;
    for (size_t i = 1; i < rl_table_count; i++) {
        const struct rl_table *table = &rl_tables[i];
        const void *given = table_of(beneath, table), *own = table_of(over, table);
        void *to = (char *)level + storage[i];
        if (!given) continue;
        memcpy(to, given, table->bytes);
        if (own) overlay_table(table, to, own);
        memcpy((char *)&level->backend + table->in_backend.offset, &to, sizeof to);
    }
    if (!over->stream || !over->stream->submit) return;
    if (!over->stream->copy_row) level->stream.copy_row = NULL;
    if (!over->stream->fill_row) level->stream.fill_row = NULL;
}

/* Adds the layer that tells ThreadSanitizer what is promised, if the program was built with it and
 * says nothing of layers. */
static void add_tsan(struct wish *wish, const struct rill_backend *backend,
                     const rill_open_options *options)
{
    if (options->layers || rl_getenv("RILL_LAYERS") || !rl_has_tsan() || !backend->watch) return;
    wish->layers[wish->count++] = &rl_layer_tsan;
}

/* Adds the layer that lets the backend take part in each call, beneath all others, if a schedule is
 * given. */
static rill_status add_schedule(struct wish *wish, const struct rill_backend *backend,
                                const rill_open_options *options)
{
    if (!backend->schedule || !backend->schedule->given(options)) return RILL_SUCCESS;
    if (wish->count == RILL_LAYERS_MAX)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, wish->argument,
                                 "%s names more than %d layers, of which a schedule is one",
                                 wish->source, RILL_LAYERS_MAX - 1);
    wish->layers[wish->count++] = &rl_layer_schedule;
    return RILL_SUCCESS;
}

rill_status rl_put_layers(const rill_open_options *options, const struct rill_backend **backend)
{
    struct wish wish = { .count = 0 };
    rill_status status = read_wish(&wish, options);
    if (!status) add_tsan(&wish, *backend, options);
    if (!status) status = add_schedule(&wish, *backend, options);
    if (status || !wish.count) return status;
    struct rl_layers *layers = rl_zalloc(sizeof *layers + wish.count * sizeof layers->levels[0]);
    if (!layers)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no memory for layers");
    layers->bottom = *backend;
    layers->count = wish.count;
    for (unsigned i = wish.count; i-- > 0;) {
        struct rl_level *level = &layers->levels[i];
        level->layer = wish.layers[i];
        level->beneath = *backend;
        compose_level(level, layers);
        *backend = &level->backend;
    }
    return RILL_SUCCESS;
}
