/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "random/checked/running.h"

static uint32_t word_after(const struct work *work, uint32_t old, uint32_t source)
{
    switch (work->kind) {
    case WORK_COPY: return source;
    case WORK_FILL: return work->value;
    case WORK_MIX: return source * 3 + work->value;
    default: return old + work->value;
    }
}

static void apply_row(const struct work *work, unsigned char *out, const unsigned char *in)
{
    for (int i = 0; i < work->out.width; i += 4) {
        uint32_t old, source = 0;
        memcpy(&old, out + i, 4);
        if (in) memcpy(&source, in + i, 4);
        old = word_after(work, old, source);
        memcpy(out + i, &old, 4);
    }
}

void work_apply(const struct work *work, unsigned char *out, const unsigned char *in)
{
    for (int row = 0; row < work->out.rows; row++)
        apply_row(work, out + work->out.at + row * work->out.pitch,
                  in ? in + work->in.at + row * work->in.pitch : NULL);
}

void contents_expect(struct contents *contents, const struct promises *promises)
{
    memset(contents, 0, sizeof *contents);
    for (int i = 0; i < promises->acts; i++) {
        const struct step *s = &promises->program->step[promises->act[i].step];
        const struct work *work = &promises->act[i].work;
        if (s->verb == DO_GIVE_BACK) memset(contents->memory[s->memory], 0, MEMORY_BYTES);
        if (work->out.memory < 0) continue;
        work_apply(work, contents->memory[work->out.memory],
                   work->in.memory < 0 ? NULL : contents->memory[work->in.memory]);
    }
}

bool contents_differ(const struct recorded *program, const struct contents *one,
                     const struct contents *other, int *memory)
{
    for (int m = 0; m < program->memories; m++) {
        if (program->memory[m].kind >= MEMORY_POOL) continue;
        if (!memcmp(one->memory[m], other->memory[m], MEMORY_BYTES)) continue;
        *memory = m;
        return true;
    }
    return false;
}
