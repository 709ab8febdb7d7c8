/* SPDX-License-Identifier: Apache-2.0 */
#include "random/shrink.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "random/model.h"
#include "support/process.h"
#include "support/watchdog.h"

extern char **environ;

#define SECONDS_MOST 120

/* ---- Leaving out --------------------------------------------------------------------- */

static bool refers(const struct program *program, int step, int to)
{
    const struct step *s = &program->step[step];
    if (s->partner == to) return true;
    if (s->stream >= 0 && program->stream[s->stream].born == to) return true;
    if (s->other >= 0 && program->stream[s->other].born == to) return true;
    if (s->event >= 0 && program->event[s->event].born == to) return true;
    return s->event2 >= 0 && program->event[s->event2].born == to;
}

/* With everything that needs it; a gate that nobody opens must not stay. */
static void drop(struct program *program, int step)
{
    struct step *s = &program->step[step];
    if (s->dropped) return;
    s->dropped = true;
    if (s->verb == DO_OPEN) drop(program, s->partner);
    for (int i = 0; i < program->steps; i++)
        if (refers(program, i, step)) drop(program, i);
}

/* Nodes of graphs that do nothing have numbers behind those of steps. */
static struct node_plan *node_of(struct program *program, int thing)
{
    int at = thing - STEPS_MAX;
    return &program->graph[at / NODES_MAX].node[at % NODES_MAX];
}

static int things(const struct program *program)
{
    return STEPS_MAX + program->graphs * NODES_MAX;
}

static bool is_dropped(struct program *program, int thing)
{
    return thing < STEPS_MAX ? program->step[thing].dropped : node_of(program, thing)->dropped;
}

static void leave_out(struct program *program, int thing)
{
    if (thing < program->steps) drop(program, thing);
    if (thing < STEPS_MAX || thing >= things(program)) return;
    int at = thing - STEPS_MAX;
    const struct graph_plan *plan = &program->graph[at / NODES_MAX];
    if (at % NODES_MAX < plan->nodes && graph_can_drop(plan, at % NODES_MAX))
        node_of(program, thing)->dropped = true;
}

void shrink_obey(struct program *program)
{
    const char *list = getenv("RILL_RANDOM_DROP");
    while (list && *list) {
        char *end;
        long thing = strtol(list, &end, 10);
        if (end == list) return;
        if (thing >= 0 && thing < things(program)) leave_out(program, (int)thing);
        list = *end ? end + 1 : end;
    }
}

/* ---- Trying ------------------------------------------------------------------------------ */

static void tell(struct program *program)
{
    char list[(STEPS_MAX + GRAPHS_MAX * NODES_MAX) * 5] = "", number[32];
    for (int i = 0; i < things(program); i++) {
        if (!is_dropped(program, i)) continue;
        snprintf(number, sizeof number, "%s%d", *list ? "," : "", i);
        strcat(list, number);
    }
    setenv("RILL_RANDOM_DROP", list, 1);
    snprintf(number, sizeof number, "%llu", (unsigned long long)program->seed);
    setenv("RILL_RANDOM_SEED", number, 1);
    setenv("RILL_RANDOM_CHILD", "1", 1);
}

static bool fails(struct program *program)
{
    char path[PATH_MAX], *self = process_program(path), *arguments[] = { self, NULL };
    posix_spawn_file_actions_t silence;
    pid_t child;
    int status;
    tell(program);
    watchdog_pat();
    posix_spawn_file_actions_init(&silence);
    posix_spawn_file_actions_addopen(&silence, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&silence, 1, 2);
    int failed = posix_spawn(&child, self, &silence, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&silence);
    return !failed && waitpid(child, &status, 0) == child && status != 0;
}

/* Without the `count` steps or nodes from `first` on. */
static bool try_without(struct program *program, int first, int count)
{
    static struct program less;
    static struct model model;
    bool smaller = false;
    less = *program;
    for (int i = first; i < first + count && i < things(program); i++) {
        bool before = is_dropped(&less, i);
        leave_out(&less, i);
        smaller = smaller || is_dropped(&less, i) != before;
    }
    if (!smaller || !model_make(&model, &less) || !fails(&less)) return false;
    *program = less;
    return true;
}

bool shrink_program(struct program *program)
{
    time_t end = time(NULL) + SECONDS_MOST;
    if (!fails(program)) {
        unsetenv("RILL_RANDOM_CHILD");
        return false;
    }
    for (int count = program->steps / 2; count > 0; count /= 2) {
        bool any = true;
        while (any && time(NULL) < end) {
            any = false;
            for (int first = 0; first < things(program) && time(NULL) < end; first += count)
                any = try_without(program, first, count) || any;
            if (count > 1) break;
        }
    }
    tell(program);
    unsetenv("RILL_RANDOM_CHILD");
    return true;
}
