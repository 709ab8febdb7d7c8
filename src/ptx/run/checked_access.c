/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of a launch that is checked.
 */
#include "ptx/run/checks.h"

#include "ptx/run/block.h"
#include "ptx/run/fault.h"

/* A step's accesses, one lane after the other. */
struct look {
    struct ptx_access *access;
    struct ptx_checks *checks;
    uint32_t lane;
    uint32_t time;
    unsigned manner;
    bool releases;                /* without a fence                              */
    enum ptx_reach reach;
    /* Of the lane's access. */
    const unsigned char *place;
    enum ptx_where where;
    struct ptx_checks *of;        /* of the block whose shared memory it is       */
    uint64_t address;             /* or an offset in shared or local memory       */
};

static struct look open_look(struct ptx_access *access, unsigned manner)
{
    const uint8_t kind = access->step->kind;
    struct ptx_checks *checks = access->group->block->checks;
    struct look look = {
        .access = access, .checks = checks, .manner = manner,
        .time = ptx_order_next(checks->order), .reach = PTX_IN_GRID,
        .releases = kind & PTX_RELEASES,
    };
    if (kind & PTX_STRONG) look.manner |= PTX_DID_STRONGLY;
    if (look.manner & PTX_DID_STRONGLY && kind & PTX_NARROW) {
        look.manner |= PTX_DID_NARROWLY;
        look.reach = PTX_IN_BLOCK;
    }
    return look;
}

/* Finds the block of the cluster whose shared memory a place is in. */
static struct ptx_block *block_of(const struct ptx_block *block, const unsigned char *place)
{
    for (uint32_t rank = 0; rank < block->cluster_blocks; rank++) {
        struct ptx_block *each = ptx_cluster_block(block, rank);
        if ((uintptr_t)place - (uintptr_t)each->shared < each->shared_bytes) return each;
    }
    return NULL;
}

/* Finds what a lane accesses.  Returns false if that is nothing, which fails later, or nothing that
 * is looked at. */
static bool find_place(struct look *look, uint32_t lane)
{
    struct ptx_access *access = look->access;
    const struct ptx_window *window = &access->window;
    look->lane = lane;
    look->place = ptx_access_peek(access, lane);
    if (!look->place) return false;
    look->where = window->where;
    look->address = ptx_access_address(access, lane);
    if (window->where == PTX_TO_SHARED) {
        const struct ptx_block *block = block_of(access->group->block, look->place);
        look->of = block ? block->checks : NULL;
        if (block) look->address = (uint64_t)(look->place - block->shared);
        return look->of;
    }
    if (window->where == PTX_TO_LOCAL) {
        look->address -= window->base;
        look->address |= (uint64_t)ptx_thread_of(access->group, lane) << 32;
        return true;
    }
    return (window->where == PTX_TO_GLOBAL || window->where == PTX_TO_CONST) &&
           !(window->read_only && !access->write);
}

/* ---- Races ---------------------------------------------------------------------------------- */

static const char *past_of(const struct ptx_note *note)
{
    if (note->manner & PTX_DID_ATOMICALLY) return "updated";
    return note->manner & PTX_DID_STORE ? "stored" : "loaded";
}

static void tell_race(const struct look *look, const struct ptx_note *other)
{
    const struct ptx_access *access = look->access;
    const struct ptx_trouble trouble = {
        .wrong = PTX_WRONG_RACE, .group = access->group, .step = access->step, .lane = look->lane,
        .other = other->line, .bytes = access->bytes,
        .does = other->manner & (PTX_DID_STORE | PTX_DID_ATOMICALLY),
        .address = look->where == PTX_TO_SHARED ? 0 : look->address,
    };
    const bool narrow = (look->manner & other->manner) & PTX_DID_STRONGLY;
    char thread[PTX_THREAD_WORDS], place[PTX_PLACE_WORDS];
    ptx_checks_name(access->group->block, other->thread, thread);
    ptx_checks_place(access->group->block, other->line, place);
    if (narrow)
        ptx_checks_tell(&trouble, "a race: %s of %u bytes, which %s %s in %s, and one of the two "
                        "is atomic for its own block only", access->verb, access->bytes, thread,
                        past_of(other), place);
    else if (look->where == PTX_TO_SHARED)
        ptx_checks_tell(&trouble, "a race for shared memory: %s of %u bytes at offset %u, where %s "
                        "%s in %s, and no barrier in between", access->verb, access->bytes,
                        (unsigned)look->address, thread, past_of(other), place);
    else
        ptx_checks_tell(&trouble, "a race for global memory: %s of %u bytes, which %s %s in %s, "
                        "and nothing in between puts the two in order", access->verb,
                        access->bytes, thread, past_of(other), place);
}

/* Where nobody looks for races in global memory, what is strong there puts all in order. */
static void assume_order(const struct look *look, uint32_t thread)
{
    if (!(look->manner & PTX_DID_STRONGLY)) return;
    if (look->manner & PTX_DID_STORE)
        ptx_order_publish(&look->checks->turns, thread, look->reach, true);
    if (!(look->manner & PTX_DID_STORE) || look->manner & PTX_DID_ATOMICALLY)
        ptx_order_acquire(&look->checks->turns, thread);
}

/* Takes over what was published where a thread loads, and publishes. */
static void take_turn(const struct look *look, struct ptx_shadow *shadow, struct ptx_visit *visit)
{
    const bool loads = !(look->manner & PTX_DID_STORE) || look->manner & PTX_DID_ATOMICALLY;
    if (!(look->manner & PTX_DID_STRONGLY)) return;
    if (loads && ptx_shadow_offers(shadow, visit)) ptx_order_acquire(visit->block, visit->thread);
    if (!(look->manner & PTX_DID_STORE)) return;
    const unsigned did =
        ptx_order_publish(visit->block, visit->thread, look->reach, look->releases);
    unsigned manner = visit->note.manner;
    if (did & 1u << PTX_IN_BLOCK) manner |= PTX_DID_PUBLISH;
    if (did & 1u << PTX_IN_GRID) manner |= PTX_DID_PUBLISH_ALL;
    if (loads)
        manner |= ptx_shadow_last(shadow, visit->address) &
                  (PTX_DID_PUBLISH | PTX_DID_PUBLISH_ALL);
    visit->note.manner = manner & 0xff;
}

/* Judges a lane's access; `values` are what it stores, unless it loads or is atomic. */
static void judge_race(const struct look *look, const unsigned char *values)
{
    struct ptx_checks *checks = look->checks;
    const bool is_shared = look->where == PTX_TO_SHARED;
    struct ptx_shadow *shadow = is_shared ? &look->of->shared : checks->global;
    const uint32_t thread = ptx_thread_of(look->access->group, look->lane);
    struct ptx_note other;
    if (!(checks->wanted & (PTX_CHECK_RACES | PTX_CHECK_GLOBAL)) || look->where == PTX_TO_LOCAL)
        return;
    if (!shadow) {
        assume_order(look, thread);
        return;
    }
    struct ptx_visit visit = {
        .block = &checks->turns, .thread = thread, .address = look->address,
        .bytes = look->access->bytes, .values = values,
        .note = { .time = look->time, .line = look->access->step->line & 0xffffff,
                  .manner = look->manner & 0xff,
                  .thread = (uint32_t)(checks->turns.number * checks->order->threads) + thread },
    };
    take_turn(look, shadow, &visit);
    if (ptx_shadow_visit(shadow, &visit, &other) &&
        checks->wanted & (is_shared ? PTX_CHECK_RACES : PTX_CHECK_GLOBAL))
        tell_race(look, &other);
}

/* ---- What was written ----------------------------------------------------------------------- */

/* Returns what is known of the memory of a lane's access, or NULL if nobody asks. */
static struct ptx_written *written_of(const struct look *look)
{
    if (!(look->checks->wanted & PTX_CHECK_INIT)) return NULL;
    if (look->where == PTX_TO_LOCAL) return &look->checks->local_written;
    return look->where == PTX_TO_SHARED ? &look->of->shared_written : NULL;
}

static void note_written(const struct look *look)
{
    struct ptx_written *written = written_of(look);
    if (written)
        ptx_written_add(written, look->address, look->access->bytes,
                        &look->checks->order->allowance);
}

/* Returns the size of an element of a vector. */
static uint32_t element_bytes(const struct ptx_access *access)
{
    const uint32_t width = access->step->width;
    return width && access->bytes % width == 0 ? access->bytes / width : access->bytes;
}

/* What is loaded may be padding in part, so only elements count of which nothing was written. */
static void judge_written(const struct look *look)
{
    const struct ptx_access *access = look->access;
    struct ptx_written *written = written_of(look);
    const uint32_t bytes = element_bytes(access);
    for (uint32_t n = 0; written && n < access->bytes; n += bytes) {
        const uint64_t at = look->address + n;
        if (ptx_written_any(written, at, bytes, &look->checks->order->allowance)) continue;
        const struct ptx_trouble trouble = {
            .wrong = PTX_WRONG_UNWRITTEN, .group = access->group, .step = access->step,
            .lane = look->lane, .bytes = access->bytes,
        };
        ptx_checks_tell(&trouble, "%s of %u bytes at offset %u of %s memory, which nothing has "
                        "written", access->verb, bytes, (unsigned)at,
                        look->where == PTX_TO_SHARED ? "shared" : "local");
        ptx_written_add(written, at, bytes, &look->checks->order->allowance); /* once is enough */
        return;
    }
}

/* ---- Accesses ------------------------------------------------------------------------------- */

void ptx_checks_load(struct ptx_access *access)
{
    struct look look = open_look(access, 0);
    PTX_IN_TURN(access->group, i) {
        if (!find_place(&look, i)) continue;
        judge_written(&look);
        judge_race(&look, NULL);
    }
}

/* The most that a step stores for a lane: eight elements of 16 bytes. */
#define STORED_MOST 128

static void collect_values(const struct look *look, size_t memory, size_t reg,
                           unsigned char values[STORED_MOST])
{
    const struct ptx_access *access = look->access;
    for (uint32_t n = 0; n < access->bytes; n++) {
        const unsigned char *value = PTX_ELEMENT(access->group, access->step, n / memory,
                                                 access->step->b, const unsigned char);
        values[n] = value[look->lane * reg + n % memory];
    }
}

void ptx_checks_store(struct ptx_access *access, size_t memory, size_t reg)
{
    struct look look = open_look(access, PTX_DID_STORE);
    unsigned char values[STORED_MOST];
    PTX_IN_TURN(access->group, i) {
        if (!find_place(&look, i)) continue;
        note_written(&look);
        collect_values(&look, memory, reg, values);
        judge_race(&look, values);
    }
}

void ptx_checks_atomic(struct ptx_access *access)
{
    const bool swaps = access->step->c != PTX_NO_COLUMN;
    struct look look = open_look(access, PTX_DID_STORE | PTX_DID_ATOMICALLY | PTX_DID_STRONGLY |
                                         (swaps ? PTX_DID_SWAP : 0));
    PTX_IN_TURN(access->group, i) {
        if (!find_place(&look, i)) continue;
        judge_written(&look);
        judge_race(&look, NULL);
    }
}

void ptx_checks_mbarrier(struct ptx_access *access, bool makes)
{
    struct look look = open_look(access, PTX_DID_STORE | PTX_DID_ATOMICALLY | PTX_DID_STRONGLY);
    look.releases = true;
    PTX_IN_TURN(access->group, i) {
        if (!find_place(&look, i)) continue;
        if (makes) note_written(&look);
        else judge_written(&look);
        judge_race(&look, NULL);
    }
}

void ptx_checks_note_written(const struct ptx_access *access, uint32_t lane, uint64_t address,
                             uint64_t bytes)
{
    struct ptx_access piece = *access;
    struct look look = { .access = &piece, .checks = access->group->block->checks };
    piece.offset = address;
    piece.base = NULL;
    if (!find_place(&look, lane)) return;
    struct ptx_written *written = written_of(&look);
    if (written)
        ptx_written_add(written, look.address, bytes, &look.checks->order->allowance);
}

void ptx_checks_call(const struct ptx_group *group, uint32_t base, uint32_t bytes)
{
    struct ptx_checks *checks = group->block->checks;
    if (!bytes || !(checks->wanted & PTX_CHECK_INIT)) return;
    PTX_IN_TURN(group, i)
        ptx_written_remove(&checks->local_written,
                           ((uint64_t)ptx_thread_of(group, i) << 32) + base, bytes);
}

void ptx_checks_allocated(const struct ptx_group *group, uint64_t address, uint64_t bytes)
{
    struct ptx_checks *checks = group->block->checks;
    if (checks && checks->global) ptx_shadow_forget(checks->global, address, bytes);
}
