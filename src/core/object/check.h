/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of arguments.  A check that passes is a few loads and compares; if one fails, its
 * sentence is made out of line.
 */
#ifndef RL_CHECK_H
#define RL_CHECK_H

#include "core/object/object.h"

/* Note what is wrong and return the status of that, which is never RILL_SUCCESS. */
rill_status rl_explain_handle(const void *object, rill_object_kind kind, const char *argument);
rill_status rl_explain_misfit(const void *object, rill_object_kind kind, const char *argument,
                              const void *peer);
rill_status rl_explain_null(const char *argument);
rill_status rl_explain_array(const void *array, const char *argument, const char *counted);
rill_status rl_explain_missing(const void *object, const char *operation);

/* Tells whether an object is live, of the kind, and in a live context.  A graph belongs to no
 * context; only its work may need one, see rl_check_work(). */
static inline int rl_usable(const void *object, rill_object_kind kind)
{
    const struct rill_object *head = object;
    unsigned life = rl_life();
    if (!head || rl_tag(head) != life + (unsigned)kind) return 0;
    if (kind == RILL_OBJECT_GRAPH || !head->context) return 1;
    return rl_tag((const void *)head->context) == life + RILL_OBJECT_CONTEXT;
}

static inline rill_status rl_check(const void *object, rill_object_kind kind, const char *argument)
{
    if (__builtin_expect(rl_usable(object, kind), 1)) return RILL_SUCCESS;
    return rl_explain_handle(object, kind, argument);
}

/* Checks an object, and that it is on the platform of `peer`, which was checked before. */
static inline rill_status rl_check_with(const void *object, rill_object_kind kind,
                                        const char *argument, const void *peer)
{
    if (__builtin_expect(rl_usable(object, kind), 1) &&
        __builtin_expect(rill_object_of(object)->platform == rill_object_of(peer)->platform, 1))
        return RILL_SUCCESS;
    return rl_explain_misfit(object, kind, argument, peer);
}

/* Two handles of a call, the first of which is checked first. */
struct rl_pair {
    rill_object_kind kind, other_kind;
    const char *argument, *other_argument;
};

/* As rl_explain_handle(), and says so if each is what the other should be. */
rill_status rl_explain_pair(const void *object, const void *other, const struct rl_pair *pair)
    __attribute__((cold));

/* Checks the first of two handles. */
static inline rill_status rl_check_first(const void *object, const void *other,
                                         const struct rl_pair *pair)
{
    if (__builtin_expect(rl_usable(object, pair->kind), 1)) return RILL_SUCCESS;
    return rl_explain_pair(object, other, pair);
}

/* Checks that the context of a graph's work exists, for a call that needs it. */
rill_status rl_check_work(const rill_graph *graph, const char *remedy);

/* Checks a pointer that must not be NULL. */
static inline rill_status rl_required(const void *pointer, const char *argument)
{
    return __builtin_expect(pointer != NULL, 1) ? RILL_SUCCESS : rl_explain_null(argument);
}

/* A larger count was never set, or is negative. */
#define RL_COUNT_MAX (SIZE_MAX > UINT32_MAX ? (size_t)UINT32_MAX : SIZE_MAX / 2)

/* Checks an array, which may be NULL if it is empty; `counted` names its count. */
static inline rill_status rl_required_array(const void *array, size_t count, const char *argument,
                                            const char *counted)
{
    if (__builtin_expect((array || !count) && count <= RL_COUNT_MAX, 1)) return RILL_SUCCESS;
    return rl_explain_array(array, argument, counted);
}

/* Checks that the object's backend has an optional slot or table. */
static inline rill_status rl_need(const void *object, int present, const char *operation)
{
    return __builtin_expect(present, 1) ? RILL_SUCCESS : rl_explain_missing(object, operation);
}

#endif
