/* SPDX-License-Identifier: Apache-2.0 */
#include "random/checked/findings.h"

#include <stdio.h>

/* Called by one thread at a time. */
void findings_take(void *data, const rill_finding *finding)
{
    struct findings *findings = data;
    if (finding->kind == RILL_FINDING_HINT || finding->kind == RILL_FINDING_LEAK) return;
    if (findings->count++ >= FINDINGS_MAX) return;
    struct found *found = &findings->found[findings->count - 1];
    *found = (struct found){ .kind = finding->kind, .mend = finding->mend,
                             .places = (int)finding->place_count,
                             .assumed = finding->assumed };
    for (int i = 0; i < found->places && i < 2; i++) {
        const rill_finding_place *place = &finding->place[i];
        found->place[i] = (struct found_place){ place->stream_id, place->number, place->node, "" };
        snprintf(found->place[i].what, sizeof found->place[i].what, "%s %s",
                 place->what ? place->what : "", place->stream ? place->stream : "");
    }
    snprintf(found->sentence, sizeof found->sentence, "%s", finding->sentence);
    snprintf(found->advice, sizeof found->advice, "%s", finding->advice ? finding->advice : "");
}

/* A node may be counted in the graph that holds it itself, or the one that is launched. */
static bool is_node(const struct act *act, uint64_t number)
{
    return number == (uint64_t)act->node + 1 || number == (uint64_t)act->outer + 1;
}

static bool is_at(const struct running *running, const struct act *act,
                  const struct found_place *place)
{
    const struct step *s = &running->program->step[act->step];
    if (s->stream < 0) return !place->stream && !place->number;
    bool launch = place->stream == running->stream_id[s->stream] &&
                  place->number == running->number[act->step];
    if (act->node < 0) return launch;
    if (!place->stream && place->node) return is_node(act, place->node);
    return launch && (!place->node || is_node(act, place->node));
}

bool finding_names(const struct found *found, const struct running *running,
                   const struct promises *promises, int acts[2])
{
    if (found->places < 2) return false;
    for (int a = 0; a < promises->acts; a++) {
        if (!is_at(running, &promises->act[a], &found->place[0])) continue;
        for (int b = 0; b < promises->acts; b++) {
            if (b == a || !is_at(running, &promises->act[b], &found->place[1])) continue;
            if (!acts_race(promises, a, b)) continue;
            acts[0] = a > b ? a : b;
            acts[1] = a > b ? b : a;
            return true;
        }
    }
    return false;
}

size_t finding_print(const struct found *found, char *text, size_t room)
{
    static const char *const mends[] = { "none", "wait", "edge", "sync" };
    size_t used = 0;
    int length = snprintf(text, room, "finding of kind %d: %s%s\n", (int)found->kind,
                          found->sentence, found->assumed ? " (assumed)" : "");
    for (int i = 0; i < found->places && i < 2 && length > 0 && used + (size_t)length < room; i++) {
        const struct found_place *place = &found->place[i];
        used += (size_t)length;
        length = snprintf(text + used, room - used,
                          "  %s: stream %llu, operation %llu, node %llu\n", place->what,
                          (unsigned long long)place->stream, (unsigned long long)place->number,
                          (unsigned long long)place->node);
    }
    if (length > 0 && used + (size_t)length < room) {
        used += (size_t)length;
        length = snprintf(text + used, room - used, "  to mend (%s): %s\n",
                          mends[found->mend & 3], found->advice);
    }
    if (length > 0 && used + (size_t)length < room) used += (size_t)length;
    return used;
}
