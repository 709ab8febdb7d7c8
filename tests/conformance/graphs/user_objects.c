/* SPDX-License-Identifier: Apache-2.0
 *
 * User objects: kept by whoever holds a reference, destroyed once when the last
 * is gone.  A driver may take its time to do that.
 */
#include <limits.h>

#include "conformance/graphs/drawing.h"

static rill_user_object *object_of(struct fixture *f, atomic_int *destroyed, uint32_t references)
{
    rill_user_object *object = NULL;
    ok(rill_user_object_create(f->platform, destroyed, count_up, references, &object));
    return object;
}

static void end_graph(struct fixture *f, rill_graph *graph)
{
    forget(f, graph);
    ok(rill_graph_destroy(&graph));
}

/* graph.userobj_create_args */
static void an_object_begins_with_a_reference(void **state)
{
    struct fixture *f = *state;
    rill_user_object *object = NULL;
    atomic_int destroyed = 0;
    refuses(RILL_ERROR_INVALID_VALUE, "references",
            rill_user_object_create(f->platform, &destroyed, count_up, 0, &object));
    is(RILL_ERROR_INVALID_VALUE,
       rill_user_object_create(f->platform, &destroyed, NULL, 1, &object));
    assert_null(object);
    object = object_of(f, &destroyed, 0x80000000u); /* as the driver takes it */
    ok(rill_user_object_release(&object, INT_MAX));
    ok(rill_user_object_release(&object, 1));
    assert_null(object);
    comes_to(&destroyed, 1);
}

static void the_last_reference_destroys_it(void **state)
{
    struct fixture *f = *state;
    atomic_int destroyed = 0;
    rill_user_object *object = object_of(f, &destroyed, 2);
    ok(rill_user_object_retain(object, 3));
    ok(rill_user_object_release(&object, 4));
    assert_non_null(object);
    comes_to(&destroyed, 0);
    const uint32_t wrong[] = { 0, (uint32_t)INT_MAX + 1 }; /* UO-2 */
    for (int i = 0; i < 2; i++) {
        refuses(RILL_ERROR_INVALID_VALUE, "count", rill_user_object_retain(object, wrong[i]));
        refuses(RILL_ERROR_INVALID_VALUE, "count", rill_user_object_release(&object, wrong[i]));
        assert_non_null(object);
    }
    ok(rill_user_object_release(&object, 1));
    assert_null(object);
    comes_to(&destroyed, 1);
}

/* graph.userobj_graph_args */
static void what_a_graph_is_given_is_checked(void **state)
{
    struct fixture *f = *state;
    atomic_int destroyed = 0;
    rill_user_object *object = object_of(f, &destroyed, 1), *other = object_of(f, &destroyed, 1);
    rill_graph *g = new_graph(f);
    refuses(RILL_ERROR_INVALID_VALUE, "count", rill_graph_retain_user_object(g, object, 0, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_retain_user_object(g, object, 0x80000000u, 0));
    refuses(RILL_ERROR_INVALID_VALUE, "flags", rill_graph_retain_user_object(g, object, 1, 2));
    is(RILL_ERROR_INVALID_VALUE,
       rill_graph_retain_user_object(g, object, 1, 2 | RILL_USER_OBJECT_MOVE));
    ok(rill_graph_retain_user_object(g, object, 1, 0));
    refuses(RILL_ERROR_INVALID_VALUE, "count", rill_graph_release_user_object(g, object, 0));
    ok(rill_graph_release_user_object(g, object, 1));
    comes_to(&destroyed, 0);
    ok(rill_user_object_release(&object, 1));
    ok(rill_user_object_release(&other, 1));
    comes_to(&destroyed, 2);
}

/* graph.userobj_move */
static void a_reference_is_moved_or_one_more_taken(void **state)
{
    struct fixture *f = *state;
    atomic_int moved = 0, shared = 0;
    rill_user_object *a = object_of(f, &moved, 1), *b = object_of(f, &shared, 1);
    rill_graph *g = new_graph(f), *h = new_graph(f);
    ok(rill_graph_retain_user_object(g, a, 1, RILL_USER_OBJECT_MOVE));
    ok(rill_graph_retain_user_object(h, b, 1, 0));
    end_graph(f, g);
    comes_to(&moved, 1);
    end_graph(f, h);
    comes_to(&shared, 0);
    ok(rill_user_object_release(&b, 1));
    comes_to(&shared, 1);
}

/* graph.userobj_graph_counts */
static void a_graph_gives_back_what_it_has(void **state)
{
    struct fixture *f = *state;
    atomic_int destroyed = 0;
    rill_user_object *object = object_of(f, &destroyed, 1);
    rill_graph *g = new_graph(f), *h = new_graph(f);
    ok(rill_graph_retain_user_object(g, object, 2, 0));
    ok(rill_graph_retain_user_object(g, object, 1, 0));
    ok(rill_graph_retain_user_object(h, object, 1, RILL_USER_OBJECT_MOVE));
    ok(rill_graph_release_user_object(g, object, 1));
    end_graph(f, h);
    comes_to(&destroyed, 0);
    ok(rill_graph_release_user_object(g, object, 2));
    comes_to(&destroyed, 1);
}

/* graph.userobj_graph_args, graph.userobj_graph_counts */
static void what_a_graph_gives_back_beyond_that_is_of_others(void **state)
{
    struct fixture *f = *state;
    atomic_int destroyed = 0, foreign = 0;
    rill_user_object *object = object_of(f, &destroyed, 1), *other = object_of(f, &foreign, 1);
    rill_graph *g = new_graph(f);
    ok(rill_graph_release_user_object(g, other, 1));
    comes_to(&foreign, 1);
    ok(rill_user_object_retain(object, 2));
    ok(rill_graph_retain_user_object(g, object, 3, RILL_USER_OBJECT_MOVE));
    ok(rill_graph_release_user_object(g, object, 5));
    comes_to(&destroyed, 0);
    end_graph(f, g);
    comes_to(&destroyed, 1);
}

/* graph.userobj_clone */
static void a_clone_has_references_of_its_own(void **state)
{
    struct fixture *f = *state;
    atomic_int destroyed = 0;
    rill_user_object *object = object_of(f, &destroyed, 1);
    rill_graph *g = new_graph(f), *clone = NULL;
    ok(rill_graph_retain_user_object(g, object, 1, RILL_USER_OBJECT_MOVE));
    ok(rill_graph_clone(g, &clone));
    end_graph(f, g);
    comes_to(&destroyed, 0);
    ok(rill_graph_destroy(&clone));
    comes_to(&destroyed, 1);
}

/* graph.userobj_child, without an exec */
static void a_child_has_references_of_its_own(void **state)
{
    struct fixture *f = *state;
    atomic_int destroyed = 0;
    rill_user_object *object = object_of(f, &destroyed, 1);
    rill_graph *child = new_graph(f), *g = new_graph(f);
    ok(rill_graph_retain_user_object(child, object, 1, RILL_USER_OBJECT_MOVE));
    rill_node holder = add(g, NULL, child_op(child, 0));
    end_graph(f, child);
    comes_to(&destroyed, 0);
    ok(rill_graph_remove_node(g, holder));
    comes_to(&destroyed, 1);
}

/* graph.userobj_exec: what the graph was given later is not the exec's. */
static void an_exec_has_references_of_its_own(void **state)
{
    struct fixture *f = *state;
    atomic_int destroyed = 0, late = 0;
    rill_user_object *object = object_of(f, &destroyed, 1), *other = object_of(f, &late, 1);
    rill_graph *g = new_graph(f);
    add(g, NULL, empty_op());
    ok(rill_graph_retain_user_object(g, object, 1, RILL_USER_OBJECT_MOVE));
    rill_exec *exec = new_exec(f, g);
    ok(rill_graph_retain_user_object(g, other, 1, RILL_USER_OBJECT_MOVE));
    end_graph(f, g);
    comes_to(&late, 1);
    comes_to(&destroyed, 0);
    ok(rill_exec_launch(exec, new_stream(f)));
    ok(rill_context_synchronize(f->context));
    comes_to(&destroyed, 0);
    forget(f, exec);
    ok(rill_exec_destroy(&exec));
    comes_to(&destroyed, 1);
}

/* graph.userobj_child */
static void an_exec_holds_what_children_hold(void **state)
{
    struct fixture *f = *state;
    atomic_int destroyed = 0;
    rill_user_object *object = object_of(f, &destroyed, 1);
    rill_graph *child = new_graph(f), *g = new_graph(f);
    add(child, NULL, empty_op());
    ok(rill_graph_retain_user_object(child, object, 1, RILL_USER_OBJECT_MOVE));
    rill_node holder = add(g, NULL, child_op(child, 0));
    end_graph(f, child);
    rill_exec *exec = new_exec(f, g);
    ok(rill_graph_remove_node(g, holder));
    comes_to(&destroyed, 0);
    forget(f, exec);
    ok(rill_exec_destroy(&exec));
    comes_to(&destroyed, 1);
}

/* graph.userobj_in_flight */
static void a_launch_in_flight_holds_what_its_exec_held(void **state)
{
    struct fixture *f = *state;
    atomic_int destroyed = 0;
    rill_user_object *object = object_of(f, &destroyed, 1);
    rill_graph *g = new_graph(f);
    rill_stream *s = new_stream(f);
    add(g, NULL, empty_op());
    ok(rill_graph_retain_user_object(g, object, 1, RILL_USER_OBJECT_MOVE));
    rill_exec *exec = new_exec(f, g);
    end_graph(f, g);
    struct gate *held_back = gate(f, s);
    ok(rill_exec_launch(exec, s));
    forget(f, exec);
    ok(rill_exec_destroy(&exec));
    comes_to(&destroyed, 0);
    open_gate(held_back);
    ok(rill_stream_synchronize(s));
    comes_to(&destroyed, 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_object_begins_with_a_reference),
    cmocka_unit_test(the_last_reference_destroys_it),
    cmocka_unit_test(what_a_graph_is_given_is_checked),
    cmocka_unit_test(a_reference_is_moved_or_one_more_taken),
    cmocka_unit_test(a_graph_gives_back_what_it_has),
    cmocka_unit_test(what_a_graph_gives_back_beyond_that_is_of_others),
    cmocka_unit_test(a_clone_has_references_of_its_own),
    cmocka_unit_test(a_child_has_references_of_its_own),
    cmocka_unit_test(an_exec_has_references_of_its_own),
    cmocka_unit_test(an_exec_holds_what_children_hold),
    cmocka_unit_test(a_launch_in_flight_holds_what_its_exec_held),
};

SUITE_GROUP(user_objects, 1);
