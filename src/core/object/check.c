/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/check.h"

#include <stdbool.h>

#include "core/object/error.h"
#include "core/object/gone.h"

/* Tells of a handle at whose address there is no object, or one of another kind by now. */
static rill_status explain_gone(const struct rl_kind *wanted, const struct rl_kind *gone,
                                const char *argument)
{
    if (gone == wanted)
        return rill_backend_fail(wanted->when_wrong, argument,
                                 "%s was destroyed; make a new one with %s()", argument,
                                 wanted->maker);
    return rill_backend_fail(wanted->when_wrong, argument,
                             "%s is %s that was destroyed; pass %s from %s()", argument,
                             gone->phrase, wanted->phrase, wanted->maker);
}

rill_status rl_explain_handle(const void *object, rill_object_kind kind, const char *argument)
{
    const struct rl_kind *wanted = rl_kind(kind);
    if (!object)
        return rill_backend_fail(wanted->when_null, argument, "%s is NULL; pass %s from %s()",
                                 argument, wanted->phrase, wanted->maker);
    const struct rill_object *head = object;
    unsigned tag = rl_tag(head), mark = tag >> 24;
    const struct rl_kind *found = rl_kind(tag & 0xff), *gone = rl_kind(rl_gone_kind(object));
    bool is_object = found && (mark == RL_MARK_LIVE || mark == RL_MARK_DEAD);
    if (gone && (!is_object || (found != wanted && gone == wanted)))
        return explain_gone(wanted, gone, argument);
    if (!is_object)
        return rill_backend_fail(wanted->when_wrong, argument,
                                 "%s is no handle of this library; pass %s from %s()", argument,
                                 wanted->phrase, wanted->maker);
    if ((tag ^ rl_life()) & 0xffff00u)
        return rill_backend_fail(RILL_ERROR_NOT_INITIALIZED, argument,
                                 "%s was made before this process was forked off; open a platform "
                                 "of its own in the child",
                                 argument);
    if (found != wanted)
        return rill_backend_fail(wanted->when_wrong, argument, "%s is %s; pass %s from %s()",
                                 argument, found->phrase, wanted->phrase, wanted->maker);
    if (mark == RL_MARK_DEAD && kind != RILL_OBJECT_CONTEXT)
        return rill_backend_fail(wanted->when_wrong, argument,
                                 "%s was destroyed; make a new one with %s()", argument,
                                 wanted->maker);
    return rill_backend_fail(RILL_ERROR_CONTEXT_IS_DESTROYED, argument,
                             kind == RILL_OBJECT_CONTEXT
                                 ? "%s was destroyed; make a new one with rill_context_create()"
                                 : "the context of %s was destroyed; all that is left is to "
                                   "destroy what was made in it",
                             argument);
}

rill_status rl_explain_misfit(const void *object, rill_object_kind kind, const char *argument,
                              const void *peer)
{
    if (!rl_usable(object, kind)) return rl_explain_handle(object, kind, argument);
    char other[RILL_LABEL_MAX];
    rl_describe(peer, other);
    return rill_backend_fail(kind == RILL_OBJECT_CONTEXT ? RILL_ERROR_INVALID_CONTEXT
                                                         : RILL_ERROR_INVALID_HANDLE,
                             argument, "%s is of another platform than %s; make both on one",
                             argument, other);
}

rill_status rl_explain_pair(const void *object, const void *other, const struct rl_pair *pair)
{
    rill_status status = rl_explain_handle(object, pair->kind, pair->argument);
    if (!rl_usable(object, pair->other_kind) || !rl_usable(other, pair->kind)) return status;
    return rill_backend_fail(status, pair->argument, "%s is %s, and %s is %s; are they swapped?",
                             pair->argument, rl_kind(pair->other_kind)->phrase,
                             pair->other_argument, rl_kind(pair->kind)->phrase);
}

rill_status rl_check_work(const rill_graph *graph, const char *remedy)
{
    const rill_context *context = rill_object_of(graph)->context;
    if (!context)
        return rill_backend_fail(RILL_ERROR_INVALID_CONTEXT, "graph",
                                 "graph was made without a context, and the call needs one; %s",
                                 remedy);
    if (rl_usable(context, RILL_OBJECT_CONTEXT)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_CONTEXT_IS_DESTROYED, "graph",
                             "the context that graph was made in was destroyed, and the call needs "
                             "one; %s",
                             remedy);
}

rill_status rl_explain_null(const char *argument)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                             "%s is NULL, but the call needs it; pass its address", argument);
}

rill_status rl_explain_array(const void *array, const char *argument, const char *counted)
{
    if (!array) return rl_explain_null(argument);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, counted,
                             "%s cannot be so many; pass in %s how many there are", argument,
                             counted);
}

rill_status rl_explain_missing(const void *object, const char *operation)
{
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, NULL,
                             "the %s backend does not implement %s(); ask "
                             "rill_platform_supports() before",
                             rl_backend(object)->name, operation);
}
