/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/options.h"
#include "core/registry/layers.h"
#include "core/registry/registry.h"

static rill_status open_platform(const struct rill_backend *backend,
                                 const rill_open_options *options, rill_platform **platform)
{
    rill_platform *made = rl_platform_new(backend, options->label);
    if (!made) return RILL_ERROR_OUT_OF_MEMORY;
    rill_status status = backend->open(made, options);
    if (status) rl_object_drop(made);
    else *platform = made;
    return status;
}

rill_status rill_open(const rill_open_options *options, rill_platform **platform)
{
    rill_open_options known;
    const struct rill_backend *backend = NULL;
    rill_status status = rl_required(platform, "platform");
    if (!status) status = rl_read_options(options, &known, sizeof known, "options->size");
    if (!status) status = rl_choose_backend(&known, &backend);
    if (!status) status = rl_put_layers(&known, &backend);
    if (!status) status = open_platform(backend, &known, platform);
    return rl_finish(__func__, NULL, status);
}

rill_status rill_close(rill_platform **platform)
{
    rill_platform *given = platform ? *platform : NULL;
    if (!given) return RILL_SUCCESS;
    rill_status status = rl_check(given, RILL_OBJECT_PLATFORM, "platform");
    /* Contexts may keep the platform alive, but the caller may close it only once. */
    if (!status && atomic_exchange(&rl_platform_part(given)->closed, 1))
        status = rill_backend_fail(RILL_ERROR_NOT_INITIALIZED, "platform",
                                   "platform was closed before; only its contexts keep it");
    status = rl_finish(__func__, given, status);
    if (status) return status;
    *platform = NULL;
    rl_release(given);
    return RILL_SUCCESS;
}

rill_status rill_platform_backend(rill_platform *platform, const char **name)
{
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = rl_required(name, "name");
    if (!status) *name = rl_backend(platform)->name;
    return rl_finish(__func__, platform, status);
}

/* ---- Features ----------------------------------------------------------- */

struct feature {
    const char *name;
    int present;
};

/* Finds a feature in the backend's tables.  The name is NULL if there is no such feature. */
static struct feature look_up(const struct rill_backend *b, rill_feature feature)
{
    switch (feature) {
    case RILL_FEATURE_STREAMS: return (struct feature){ "streams", 1 };
    case RILL_FEATURE_EVENTS: return (struct feature){ "events", 1 };
    case RILL_FEATURE_MEMORY: return (struct feature){ "memory", 1 };
    case RILL_FEATURE_POOLS: return (struct feature){ "pools", b->pool != NULL };
    case RILL_FEATURE_KERNELS: return (struct feature){ "kernels", 1 };
    case RILL_FEATURE_HOST_FUNCTIONS: return (struct feature){ "host functions", 1 };
    case RILL_FEATURE_VALUE_OPERATIONS: return (struct feature){ "value operations", 1 };
    case RILL_FEATURE_PEER_ACCESS:
        return (struct feature){ "peer access", b->device->can_access_peer &&
                                                    b->context->enable_peer &&
                                                    b->context->disable_peer };
    case RILL_FEATURE_GRAPHS: return (struct feature){ "graphs", b->graph != NULL };
    case RILL_FEATURE_CAPTURE: return (struct feature){ "capture", b->capture != NULL };
    case RILL_FEATURE_EXECS: return (struct feature){ "execs", b->exec != NULL };
    case RILL_FEATURE_CONDITIONALS:
        return (struct feature){ "conditional nodes", b->graph && b->graph->conditional };
    case RILL_FEATURE_GRAPH_MEMORY:
        return (struct feature){ "graph memory", b->graph && b->graph->get_memory &&
                                                     b->graph->set_memory &&
                                                     b->graph->trim_memory };
    case RILL_FEATURE_VIRTUAL_MEMORY:
        return (struct feature){ "virtual memory", b->vmem != NULL };
    }
    return (struct feature){ NULL, 0 };
}

static rill_status check_support(rill_platform *platform, rill_feature feature)
{
    const struct rill_backend *backend = rl_backend(platform);
    struct feature found = look_up(backend, feature);
    if (!found.name)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "feature",
                                 "feature is %d, which is none of RILL_FEATURE_*", (int)feature);
    if (!found.present)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "feature",
                                 "the %s backend does not implement %s", backend->name, found.name);
    return backend->supports ? backend->supports(platform, feature) : RILL_SUCCESS;
}

rill_status rill_platform_supports(rill_platform *platform, rill_feature feature)
{
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = check_support(platform, feature);
    return rl_finish(__func__, platform, status);
}
