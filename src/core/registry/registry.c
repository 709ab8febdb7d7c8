/* SPDX-License-Identifier: Apache-2.0 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "core/registry/registry.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/lock.h"
#include "base/thread.h"
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/registry/contract.h"

/* ---- The list ----------------------------------------------------------- */

#if RILL_HAVE_BACKEND_SIM
extern const struct rill_backend rl_backend_sim;
#endif
#if RILL_HAVE_BACKEND_CUDA
extern const struct rill_backend rl_backend_cuda;
#endif

static const struct rill_backend *const built_in[] = {
#if RILL_HAVE_BACKEND_SIM
    &rl_backend_sim,
#endif
#if RILL_HAVE_BACKEND_CUDA
    &rl_backend_cuda,
#endif
    NULL
};

static size_t built_in_count(void)
{
    return sizeof built_in / sizeof *built_in - 1;
}

#define REGISTERED_MAX 32

/* Entries below the count never change; the lock is held to add one. */
static struct rl_lock registry_lock;
static const struct rill_backend *registered_backends[REGISTERED_MAX];
static atomic_size_t registered_count;

static size_t backend_count(void)
{
    return built_in_count() + atomic_load_explicit(&registered_count, memory_order_acquire);
}

static const struct rill_backend *backend_at(size_t index)
{
    size_t first = built_in_count();
    return index < first ? built_in[index] : registered_backends[index - first];
}

static const struct rill_backend *find_backend(const char *name)
{
    for (size_t i = 0; i < backend_count(); i++)
        if (!strcmp(backend_at(i)->name, name)) return backend_at(i);
    return NULL;
}

/* Returns how many backends precede the one at `index`: those of a higher rank, and earlier
 * ones of the same rank. */
static size_t place_of(size_t index, size_t count)
{
    size_t before = 0;
    for (size_t i = 0; i < count; i++) {
        int rank = backend_at(i)->rank, own = backend_at(index)->rank;
        before += rank > own || (rank == own && i < index);
    }
    return before;
}

/* Returns the backend at a place in the order of ranks, or NULL past the end. */
static const struct rill_backend *backend_at_place(size_t place)
{
    size_t count = backend_count();
    for (size_t i = 0; i < count; i++)
        if (place_of(i, count) == place) return backend_at(i);
    return NULL;
}

const char *rill_backend_name(size_t index)
{
    const struct rill_backend *backend = backend_at_place(index);
    return backend ? backend->name : NULL;
}

static rill_status add_backend(const struct rill_backend *backend)
{
    if (find_backend(backend->name))
        return rill_backend_fail(RILL_ERROR_BACKEND_TABLE, "backend->name",
                                 "backend->name is %s, and there is a backend of that name; choose "
                                 "another one",
                                 backend->name);
    size_t count = atomic_load_explicit(&registered_count, memory_order_relaxed);
    if (count == REGISTERED_MAX)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "at most %d backends can be registered", REGISTERED_MAX);
    registered_backends[count] = backend;
    atomic_store_explicit(&registered_count, count + 1, memory_order_release);
    return RILL_SUCCESS;
}

rill_status rill_backend_register(const struct rill_backend *backend)
{
    rill_status status = rl_required(backend, "backend");
    if (!status) status = rl_check_backend(backend);
    if (!status) {
        rl_lock(&registry_lock);
        status = add_backend(backend);
        rl_unlock(&registry_lock);
    }
    return rl_finish(__func__, NULL, status);
}

/* ---- The choice --------------------------------------------------------- */

/* Backends that a program may ask for and that this build lacks. */
static const struct {
    const char *name, *hint;
} known[] = {
    { "cuda", "configure it with --enable-cuda where a cuda.h is found" },
};

static rill_status no_such(const char *name, const char *argument, const char *source)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name))
            return rill_backend_fail(RILL_ERROR_NO_BACKEND, argument,
                                     "the %s backend, which %s names, is not part of this build "
                                     "of rill; %s",
                                     name, source, known[i].hint);
    char list[RILL_ERROR_MESSAGE_MAX / 2] = "";
    const struct rill_backend *backend;
    for (size_t i = 0, length = 0; (backend = backend_at_place(i)) && length < sizeof list; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "",
                                   backend->name);
    return rill_backend_fail(RILL_ERROR_NO_BACKEND, argument,
                             "%s names a backend '%.32s' that is not there; there are: %s", source,
                             name, list[0] ? list : "none");
}

/* Probes a backend.  Checks its tables first, since built-in ones were not registered. */
static rill_status probe_backend(const struct rill_backend *backend,
                                 const rill_open_options *options)
{
    rl_drop_note(); /* of the backend probed before */
    rill_status status = rl_check_backend(backend);
    return status ? status : backend->probe(options);
}

/* Writes the reason of a failed probe, as the end of a sentence. */
static void describe_refusal(rill_status status, char text[RILL_ERROR_MESSAGE_MAX])
{
    const char *words = rill_error_string(status);
    text[0] = '\0';
    if (rl_noted_status(RILL_SUCCESS) == status) rl_noted_message(text);
    if (!text[0]) snprintf(text, RILL_ERROR_MESSAGE_MAX, "%s", words ? words : "no reason given");
}

static rill_status choose_named(const char *name, const char *argument, const char *source,
                                const rill_open_options *options,
                                const struct rill_backend **backend)
{
    *backend = find_backend(name);
    if (!*backend) return no_such(name, argument, source);
    rill_status status = probe_backend(*backend, options);
    if (!status) return status;
    char why[RILL_ERROR_MESSAGE_MAX];
    describe_refusal(status, why);
    return rill_backend_fail(status, argument, "the %s backend, which %s names, cannot be used: %s",
                             name, source, why);
}

rill_status rl_first_usable(const struct rill_backend *const *backends,
                            const rill_open_options *options, const struct rill_backend **backend)
{
    char all[RILL_ERROR_MESSAGE_MAX] = "", why[RILL_ERROR_MESSAGE_MAX];
    size_t length = 0;
    for (size_t i = 0; (*backend = backends[i]); i++) {
        rill_status status = probe_backend(*backend, options);
        if (!status) return status;
        describe_refusal(status, why);
        if (length < sizeof all)
            length += (size_t)snprintf(all + length, sizeof all - length, "%s%s: %s",
                                       i ? "; " : "", (*backend)->name, why);
    }
    return rill_backend_fail(RILL_ERROR_NO_BACKEND, NULL, "no backend can be used (%.300s)",
                             all[0] ? all : "none is built in or registered");
}

static rill_status choose_best(const rill_open_options *options,
                               const struct rill_backend **backend)
{
    const struct rill_backend *all[sizeof built_in / sizeof *built_in + REGISTERED_MAX];
    size_t count = 0;
    do {
        all[count] = backend_at_place(count);
    } while (all[count++]);
    return rl_first_usable(all, options, backend);
}

rill_status rl_choose_backend(const rill_open_options *options,
                              const struct rill_backend **backend)
{
    if (options->backend)
        return choose_named(options->backend, "options->backend", "options->backend", options,
                            backend);
    const char *wish = rl_getenv("RILL_BACKEND");
    if (wish && *wish) return choose_named(wish, NULL, "$RILL_BACKEND", options, backend);
    return choose_best(options, backend);
}
