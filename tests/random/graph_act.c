/* SPDX-License-Identifier: Apache-2.0
 *
 * What the verbs that use an exec call.
 */
#include <rill/exec.h>

#include <string.h>

#include "random/play.h"

struct user {
    struct play *play;
    const struct step *s;
    const struct graph_plan *plan;
    struct graph_play *its;
    int step;
};

#define FINE(user, call) fine((user)->play, (user)->step, call, #call)

static void change(const struct user *user)
{
    struct node_form form;
    graph_fill_form(user->play, user->s->graph, user->s->node, user->s->how, user->its->handle,
                    &form);
    FINE(user, rill_exec_set_op(user->its->exec, user->its->own.node[user->s->node], &form.op));
}

static void switch_node(const struct user *user)
{
    rill_node node = user->its->own.node[user->s->node];
    int enabled = -1;
    FINE(user, rill_exec_set_enabled(user->its->exec, node, user->s->how));
    if (FINE(user, rill_exec_get_enabled(user->its->exec, node, &enabled)) &&
        enabled != user->s->how)
        accuse(user->play, user->step, "rill_exec_get_enabled() says %d", enabled);
}

static bool update_from(const struct user *user, const struct built_graph *from)
{
    rill_update_result result;
    if (!FINE(user, rill_exec_update(user->its->exec, from->graph, &result))) return false;
    if (result.reason) accuse(user->play, user->step, "the reason is %d", (int)result.reason);
    memcpy(user->its->handle, from->handle, sizeof from->handle);
    return true;
}

static void update_from_another(const struct user *user)
{
    struct built_graph made;
    if (graph_build(user->play, user->s->graph, user->s->how, user->step, &made))
        update_from(user, &made);
    FINE(user, rill_graph_destroy(&made.graph));
}

static void update_from_its_own(const struct user *user)
{
    struct built_graph *own = &user->its->own;
    for (int n = 0; n < user->plan->nodes; n++) {
        struct node_form form;
        if (!graph_can_change(user->plan, n)) continue;
        graph_fill_form(user->play, user->s->graph, n, user->s->how, own->handle, &form);
        FINE(user, rill_node_set_op(own->part[user->plan->node[n].part], own->node[n], &form.op));
    }
    update_from(user, own);
}

static void update(const struct user *user)
{
    if (user->plan->fixed || (!user->plan->goes && user->s->how % 2)) update_from_its_own(user);
    else update_from_another(user);
}

void graph_take_step(struct play *play, int step, rill_stream *stream)
{
    const struct step *s = &play->program->step[step];
    struct user user = { play, s, &play->program->graph[s->graph], &play->graph[s->graph], step };
    switch (s->verb) {
    case DO_LAUNCH: FINE(&user, rill_exec_launch(user.its->exec, stream)); break;
    case DO_CHANGE: change(&user); break;
    case DO_SWITCH: switch_node(&user); break;
    case DO_UPDATE: update(&user); break;
    default: FINE(&user, rill_exec_destroy(&user.its->exec)); break;
    }
}
