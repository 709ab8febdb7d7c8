/* SPDX-License-Identifier: Apache-2.0
 *
 * The place of every column.
 *
 * Columns that are not needed at the same time take turns in the same memory, so that what a
 * bundle works on stays in the first cache.  liveness.c says when a column is needed: from
 * one place in the text to another.  Columns are given places in the order of the text; the
 * place of a column that is no longer needed is free for the next one of its size.
 *
 * A place never changes its size, so two columns are the same or disjoint, never overlap in
 * part.  For the size decides where a lane's own bytes are, and lanes may be at different
 * steps.  Predicates have places of their own, which always hold 0 or 1.
 */
#include "ptx/lower/liveness.h"

#include <string.h>

/* The limit of a thread's frame; a bundle has 256 times that. */
#define MOST_BYTES (UINT64_C(256) << 10)

enum {
    PREDICATES = 0,
    SIZES = 14,       /* 1 to 8192 bytes                                               */
    LARGE = SIZES + 1, /* and all others: those are used once                          */
    CLASSES
};

/* A place in a frame, for one column after the other. */
struct seat {
    uint32_t size_class, bytes;
    uint32_t next_free;
    uint32_t at;
};

struct seating {
    struct ptx_lowering *lowering;
    const struct lower_live *live;
    struct seat *seats;
    uint32_t count;
    uint32_t free[CLASSES];
    uint32_t *seat_of;                 /* by column                                    */
    uint32_t *begins, *next_begin;     /* columns by where they begin ...              */
    uint32_t *ends, *next_end;         /* ... and end                                  */
};

static uint32_t size_class_of(const struct lower_column *column)
{
    if (column->predicate) return PREDICATES;
    for (uint32_t size_class = 1; size_class <= SIZES; size_class++)
        if (column->bytes == UINT32_C(1) << (size_class - 1)) return size_class;
    return LARGE;
}

static void take_place(struct seating *seating, uint32_t column)
{
    const struct lower_column *is = &seating->lowering->columns[column];
    uint32_t size_class = size_class_of(is), seat = seating->free[size_class];
    if (seat != PTX_NONE) {
        seating->free[size_class] = seating->seats[seat].next_free;
    } else {
        seat = seating->count++;
        seating->seats[seat].size_class = size_class;
        seating->seats[seat].bytes = size_class == PREDICATES ? 1
                                     : size_class == LARGE    ? (is->bytes + 15) & ~15u
                                                         : UINT32_C(1) << (size_class - 1);
    }
    seating->seat_of[column] = seat;
}

static void leave_place(struct seating *seating, uint32_t column)
{
    uint32_t seat = seating->seat_of[column];
    struct seat *is = &seating->seats[seat];
    if (is->size_class == LARGE) return;
    is->next_free = seating->free[is->size_class];
    seating->free[is->size_class] = seat;
}

static void note_span(struct seating *seating, uint32_t column)
{
    const struct lower_span *span = &seating->live->spans[column];
    seating->next_begin[column] = seating->begins[span->from];
    seating->begins[span->from] = column;
    seating->next_end[column] = seating->ends[span->to];
    seating->ends[span->to] = column;
}

static void seat_all(struct seating *seating)
{
    uint32_t count = seating->lowering->column_count;
    for (uint32_t i = 0; i < count; i++) {
        if (seating->live->spans[i].from == PTX_NONE) take_place(seating, i);
        else note_span(seating, i);
    }
    for (uint32_t at = 0; at < seating->live->places; at++) {
        for (uint32_t i = seating->begins[at]; i != PTX_NONE; i = seating->next_begin[i])
            take_place(seating, i);
        for (uint32_t i = seating->ends[at]; i != PTX_NONE; i = seating->next_end[i])
            leave_place(seating, i);
    }
}

/* Lays out the large places first, so that each is aligned to its size. */
static uint64_t lay_out_places(struct seating *seating)
{
    uint64_t total = 0;
    for (uint32_t size_class = CLASSES; size_class-- > 0;)
        for (uint32_t i = 0; i < seating->count; i++) {
            struct seat *seat = &seating->seats[i];
            if (seat->size_class != size_class) continue;
            seat->at = (uint32_t)total;
            total += seat->bytes;
            if (total > UINT32_MAX / 2) return total;
        }
    return (total + 15) & ~UINT64_C(15);
}

static bool prepare_seating(struct seating *seating)
{
    struct ptx_lowering *lowering = seating->lowering;
    size_t count = (size_t)lowering->column_count + 1, places = seating->live->places;
    uint32_t *lists = ptx_arena_get(lowering->scratch, (3 * count + 2 * places) * sizeof *lists);
    seating->seats = ptx_arena_get(lowering->scratch, count * sizeof *seating->seats);
    if (!lists || !seating->seats) return false;
    seating->seat_of = lists;
    seating->next_begin = lists + count;
    seating->next_end = lists + 2 * count;
    seating->begins = lists + 3 * count;
    seating->ends = seating->begins + places;
    memset(seating->begins, 0xff, 2 * places * sizeof *lists);
    memset(seating->free, 0xff, sizeof seating->free);
    return true;
}

/* ---- Last reads ---------------------------------------------------------------------------- */

/* Returns true if nobody reads a column after an instruction. */
static bool ends_at(const struct ptx_lowering *lowering, const struct lower_live *live,
                    uint32_t name, uint32_t instruction)
{
    const uint32_t column = name - LOWER_NAME;
    if (name < LOWER_NAME || column >= lowering->column_count) return false;
    if (lowering->columns[column].kind != LOWER_REGISTER) return false;
    const struct lower_span *span = &live->spans[column];
    return span->from != PTX_NONE && span->to / 2 == instruction;
}

/* Marks in the last step of each instruction the sources that nobody reads any more. */
static void mark_last(struct ptx_lowering *lowering, const struct lower_live *live)
{
    const uint32_t count = lowering->function->instruction_count;
    for (uint32_t i = 0; i < count; i++) {
        if (lowering->first_step[i] == lowering->first_step[i + 1]) continue;
        struct ptx_step *step = &lowering->steps[lowering->first_step[i + 1] - 1];
        unsigned last = 0;
        if (ends_at(lowering, live, step->a, i)) last |= PTX_LAST_A;
        if (ends_at(lowering, live, step->b, i)) last |= PTX_LAST_B;
        if (ends_at(lowering, live, step->c, i)) last |= PTX_LAST_C;
        step->last = last & 0xf;
    }
}

/* ---- Names become places ------------------------------------------------------------------- */

static void rename_one(const struct ptx_lowering *lowering, uint32_t *name)
{
    uint32_t column = *name - LOWER_NAME;
    if (*name >= LOWER_NAME && column < lowering->column_count)
        *name = lowering->columns[column].at;
}

static void rename_all(struct ptx_lowering *lowering)
{
    for (uint32_t i = 0; i < lowering->step_count; i++) {
        struct ptx_step *step = &lowering->steps[i];
        uint32_t *const names[] = { &step->d, &step->a, &step->b, &step->c, &step->e,
                                    &step->guard };
        for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
            rename_one(lowering, names[n]);
    }
    for (uint32_t i = 0; i < lowering->more_count; i++) rename_one(lowering, &lowering->more[i]);
    struct ptx_program *program = lowering->program;
    const struct ptx_function *function = lowering->function;
    for (uint32_t i = 0; program->params && i < function->param_count; i++)
        rename_one(lowering, &program->params[i].column);
    for (uint32_t i = 0; program->results && i < function->result_count; i++)
        rename_one(lowering, &program->results[i].column);
}

/* Lists what has to be in columns when the function begins. */
static rill_status list_contents(struct ptx_lowering *lowering)
{
    struct ptx_program *program = lowering->program;
    uint32_t constants = 0, cleared = 0;
    for (uint32_t i = 0; i < lowering->column_count; i++) {
        constants += lowering->columns[i].kind == LOWER_CONSTANT;
        cleared += lowering->columns[i].cleared;
    }
    struct ptx_constant *list = ptx_arena_get(lowering->code->arena,
                                              ((size_t)constants + cleared + 1) * sizeof *list);
    if (!list) return ptx_lower_no_memory(lowering);
    program->constants = list;
    program->cleared = list + constants;
    for (uint32_t i = 0; i < lowering->column_count; i++) {
        const struct lower_column *column = &lowering->columns[i];
        struct ptx_constant is = { column->at, column->bytes, column->bits };
        if (column->kind == LOWER_CONSTANT)
            program->constants[program->constant_count++] = is;
        else if (column->cleared) program->cleared[program->cleared_count++] = is;
    }
    return RILL_SUCCESS;
}

/* Lists the places, and what is known of them when the function begins: constants are the same
 * for all lanes. */
static rill_status list_places(struct ptx_lowering *lowering, const struct seating *seating)
{
    struct ptx_program *program = lowering->program;
    struct ptx_arena *arena = lowering->code->arena;
    if (lowering->code->way == PTX_BY_LANES) return RILL_SUCCESS;
    program->places = ptx_arena_get(arena, ((size_t)seating->count + 1) * sizeof *program->places);
    program->sizes = ptx_arena_get(arena, 2 * ((size_t)program->lane_bytes + 1));
    if (!program->places || !program->sizes) return ptx_lower_no_memory(lowering);
    program->known = program->sizes + program->lane_bytes;
    for (uint32_t i = 0; i < seating->count; i++) {
        const struct seat *seat = &seating->seats[i];
        if (seat->bytes > 16) continue;
        program->sizes[seat->at] = (uint8_t)__builtin_ctz(seat->bytes);
        program->places[program->place_count++] =
            (struct ptx_place_of_columns){ seat->at, seat->bytes };
    }
    for (uint32_t i = 0; i < program->constant_count; i++)
        program->known[program->constants[i].column] = PTX_SAME | PTX_STALE;
    return RILL_SUCCESS;
}

rill_status ptx_lower_place_columns(struct ptx_lowering *lowering)
{
    struct lower_live live;
    rill_status status = ptx_lower_live(lowering, &live);
    if (status) return status;
    struct seating seating = { .lowering = lowering, .live = &live };
    if (!prepare_seating(&seating)) return ptx_lower_no_memory(lowering);
    seat_all(&seating);
    uint64_t bytes =
        lay_out_places(&seating), most = 8 * (uint64_t)lowering->code->limits.registers;
    if (most > MOST_BYTES) most = MOST_BYTES;
    if (bytes > most)
        return ptx_lower_fail(lowering, &lowering->function->place, RILL_ERROR_NOT_SUPPORTED,
                              "registers and call parameters take %llu bytes of a thread, and "
                              "there are %llu", (unsigned long long)bytes,
                              (unsigned long long)most);
    lowering->program->lane_bytes = (uint32_t)bytes;
    for (uint32_t i = 0; i < lowering->column_count; i++)
        lowering->columns[i].at = seating.seats[seating.seat_of[i]].at;
    mark_last(lowering, &live);
    rename_all(lowering);
    status = list_contents(lowering);
    return status ? status : list_places(lowering, &seating);
}
