/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program was promised, worked out from its text alone.
 *
 * The order of host calls is a partial one: each thread's own order, and what
 * its AWAITs add.  From it follows for every operation the set of operations
 * that must be done before it starts: what came before it into its stream, what
 * an event stood for when it was waited for, what the default streams add, who
 * writes the value that it waits for.  Where two threads do not ask each other,
 * several answers are possible, and only what all of them share is promised.
 */
#ifndef MODEL_H
#define MODEL_H

#include "random/expected_runs.h"

/* Of a launch, that all of it is done is one thing, and that the node which records
 * its event has been reached is another: that has a number of its own. */
#define RECORD_IN(step) ((step) + STEPS_MAX)
#define SET_WORDS ((2 * STEPS_MAX + 63) / 64)

/* A set of steps, and of records in launches. */
struct step_set {
    uint64_t word[SET_WORDS];
};

static inline void set_add(struct step_set *set, int i)
{
    set->word[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline bool set_has(const struct step_set *set, int i)
{
    return set->word[i / 64] >> (i % 64) & 1;
}

static inline void set_join(struct step_set *set, const struct step_set *other)
{
    for (int w = 0; w < SET_WORDS; w++) set->word[w] |= other->word[w];
}

static inline void set_meet(struct step_set *set, const struct step_set *other)
{
    for (int w = 0; w < SET_WORDS; w++) set->word[w] &= other->word[w];
}

static inline bool set_within(const struct step_set *set, const struct step_set *other)
{
    for (int w = 0; w < SET_WORDS; w++)
        if (set->word[w] & ~other->word[w]) return false;
    return true;
}

struct model {
    const struct program *program;
    int known;         /* steps looked at so far                            */
    bool whole;        /* the program is complete: no step comes after them */
    int last[THREADS_MAX]; /* each thread's last step, or -1                */

    struct step_set earlier[STEPS_MAX]; /* host calls before this one        */
    /* Operations that are done before this one starts; for a step that waits
     * or asks: that are done when it returns, or says so. */
    struct step_set promised[STEPS_MAX];
    struct step_set settled[STEPS_MAX]; /* what the host knows to be done by then */
    /* Launches: done before the first node starts; `promised` holds for those behind
     * the node that waits, and for what comes behind the launch. */
    struct step_set entry[STEPS_MAX];
    struct expected_runs expected[GRAPHS_MAX];

    uint32_t value[STEPS_MAX]; /* READS: what is found there; 0 at first    */
    uint32_t content[BUFFERS_MAX];
};

/* For building a program step by step: starts with none, ... */
void model_start(struct model *model, const struct program *program);

/* ... adds the next.  Promises nothing of events that threads share. */
void model_add(struct model *model);

/* For the next step, whose verb and thread are in their place: what is before it
 * for the host; when all of it is in its place: what it would be promised. */
void model_look_back(struct model *model);
struct step_set model_foresee(struct model *model);

/* The model of a complete program; false when the program is not a good one:
 * a step needs one that was dropped, or memory is used without order. */
bool model_make(struct model *model, const struct program *program);

/* What an event stands for at a step; `sure` when it is always the same. */
struct step_set model_snapshot(const struct model *model, int event, int step, bool *sure);

/* The record that an event has at a step when it can be only one, else -1. */
int model_record_at(const struct model *model, int event, int step);

/* What the event stands for that this step, a record or a launch, sets. */
struct step_set model_recorded(const struct model *model, int step);

static inline int record_in(const struct program *program, int step)
{
    return program->step[step].verb == DO_LAUNCH ? RECORD_IN(step) : step;
}

/* A query at this step cannot answer that work is pending. */
bool model_must_be_done(const struct model *model, int step);

/* Steps that use the same memory, one of them writing, do so one after the
 * other. */
bool model_memory_ordered(const struct model *model, int step);

/* ---- Parts of the model (model.c), for who builds it ----------------------------- */

/* What is before a step for the host. */
void model_order_host(struct model *model, int step);

/* What it is promised, once that and all earlier promises are known; and the first
 * nodes of a launch. */
struct step_set model_entry(const struct model *model, int step);
struct step_set model_promise(const struct model *model, int step);

static inline bool host_before(const struct model *model, int first, int second)
{
    return set_has(&model->earlier[second], first);
}

static inline uint32_t value_written(int step)
{
    return UINT32_C(0x01010101) * (uint32_t)(step % 255 + 1);
}

#endif
