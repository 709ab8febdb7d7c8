/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/async/barrier.h"

#include <stddef.h>

#include "ptx/run/fault.h"
#include "ptx/run/touches.h"
#include "ptx/run/warp_bundle.h"

#define COUNT_BITS 20
#define COUNT_MOST ((1u << COUNT_BITS) - 1)
#define TX_MOST ((1 << 20) - 1)

/* A barrier, taken apart.  Its phase ends when no arrival and no byte is pending. */
struct mbarrier {
    uint32_t pending, expected; /* arrivals: of this phase, and of each                      */
    int32_t bytes;              /* that are expected and have not come; less than 0: more came */
    bool phase, valid;
};

static struct mbarrier mbarrier_of(uint64_t word)
{
    int32_t bytes = (int32_t)(word >> 40 & 0x1fffff);
    return (struct mbarrier){
        .pending = word & COUNT_MOST, .expected = word >> COUNT_BITS & COUNT_MOST,
        .bytes = bytes & 0x100000 ? bytes - 0x200000 : bytes,
        .phase = word >> 61 & 1, .valid = word >> 62 == 2,
    };
}

static uint64_t word_of(const struct mbarrier *barrier)
{
    return barrier->pending | (uint64_t)barrier->expected << COUNT_BITS |
           (uint64_t)((uint32_t)barrier->bytes & 0x1fffff) << 40 | (uint64_t)barrier->phase << 61 |
           (uint64_t)2 << 62;
}

/* ---- Operations --------------------------------------------------------------------------- */

/* Each returns NULL, or what is wrong. */

static const char *init_barrier(struct mbarrier *barrier, uint32_t count)
{
    if (count == 0 || count > COUNT_MOST) return "an mbarrier is for 1 to 1048575 arrivals";
    *barrier = (struct mbarrier){ .pending = count, .expected = count, .valid = true };
    return NULL;
}

static void settle_phase(struct mbarrier *barrier)
{
    if (barrier->pending || barrier->bytes) return;
    barrier->phase = !barrier->phase;
    barrier->pending = barrier->expected;
}

static const char *count_arrivals(struct mbarrier *barrier, uint32_t count, bool drops)
{
    if (count == 0 || count > barrier->pending)
        return "more threads arrive at an mbarrier than its phase waits for, or none";
    if (drops) barrier->expected -= count;
    barrier->pending -= count;
    settle_phase(barrier);
    return NULL;
}

static const char *count_bytes(struct mbarrier *barrier, int64_t bytes)
{
    int64_t sum = barrier->bytes + bytes;
    if (sum > TX_MOST || sum < -TX_MOST) return "an mbarrier cannot count so many bytes";
    barrier->bytes = (int32_t)sum;
    return NULL;
}

static const char *arrive_and_expect(struct mbarrier *barrier, uint32_t bytes, bool drops)
{
    const char *wrong = count_bytes(barrier, bytes);
    return wrong ? wrong : count_arrivals(barrier, 1, drops);
}

static const char *complete_bytes(struct mbarrier *barrier, uint32_t bytes)
{
    const char *wrong = count_bytes(barrier, -(int64_t)bytes);
    if (!wrong) settle_phase(barrier);
    return wrong;
}

static const char *change_barrier(struct mbarrier *barrier, uint32_t operation, uint32_t count)
{
    bool phase = barrier->phase;
    const char *wrong = NULL;
    switch ((enum mbarrier_operation)(operation & ~MBARRIER_STAYS)) {
    case MBARRIER_INIT: return init_barrier(barrier, count);
    case MBARRIER_ARRIVE: wrong = count_arrivals(barrier, count, false); break;
    case MBARRIER_DROP: wrong = count_arrivals(barrier, count, true); break;
    case MBARRIER_ARRIVE_EXPECT: wrong = arrive_and_expect(barrier, count, false); break;
    case MBARRIER_DROP_EXPECT: wrong = arrive_and_expect(barrier, count, true); break;
    case MBARRIER_EXPECT: wrong = count_bytes(barrier, count); break;
    case MBARRIER_COMPLETE: wrong = complete_bytes(barrier, count); break;
    default: break;
    }
    if (!wrong && (operation & MBARRIER_STAYS) && barrier->phase != phase)
        return "an arrival with .noComplete completes the phase of the mbarrier";
    return wrong;
}

/* ---- Steps -------------------------------------------------------------------------------- */

/* Finds a lane's barrier.  Returns NULL if there is none; the lane has failed then. */
static ptx_mem64 *find_barrier(struct ptx_access *access, uint32_t lane, uint32_t operation)
{
    const char *wrong = NULL;
    ptx_mem64 *at = (ptx_mem64 *)(void *)ptx_access_place(access, lane);
    if (!at) return NULL;
    if (access->window.where != PTX_TO_SHARED)
        wrong = "an mbarrier that is not in shared memory";
    else if (operation != MBARRIER_INIT && !mbarrier_of(*at).valid)
        wrong = "there is no mbarrier at this address: it was not initialized";
    if (!wrong) return at;
    ptx_fail(access->group, access->step, lane, RILL_ERROR_ILLEGAL_INSTRUCTION,
             ptx_access_address(access, lane), "%s", wrong);
    return NULL;
}

static bool is_wait(uint32_t operation)
{
    return operation == MBARRIER_WAIT || operation == MBARRIER_WAIT_PARITY;
}

/* Waits for no lane, but says whether the phase is over; groups that ask in vain let others
 * run. */
static void ask_barriers(struct ptx_access *access, uint32_t operation)
{
    struct ptx_group *group = access->group;
    const struct ptx_step *step = access->step;
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    bool over = false;
    PTX_IN_TURN(group, i) {
        const ptx_mem64 *at = find_barrier(access, i, operation);
        if (!at) return;
        bool phase = mbarrier_of(*at).phase;
        bool since = operation == MBARRIER_WAIT
                         ? mbarrier_of(PTX_COLUMN(group, step->b, const uint64_t)[i]).phase
                         : PTX_COLUMN(group, step->b, const uint32_t)[i] & 1;
        d[i] = phase != since;
        over |= d[i];
    }
    ptx_group_note_vain(group, !over);
}

static void change_barriers(struct ptx_access *access, uint32_t operation)
{
    struct ptx_group *group = access->group;
    const struct ptx_step *step = access->step;
    uint64_t *d = step->d == PTX_NO_COLUMN ? NULL : PTX_COLUMN(group, step->d, uint64_t);
    const uint32_t *b = step->b == PTX_NO_COLUMN ? NULL : PTX_COLUMN(group, step->b, uint32_t);
    PTX_IN_TURN(group, i) {
        ptx_mem64 *at = find_barrier(access, i, operation);
        if (!at) return;
        const uint64_t before = *at;
        struct mbarrier barrier = mbarrier_of(before);
        const char *wrong = change_barrier(&barrier, operation, b ? b[i] : 1);
        if (wrong) {
            ptx_fail(group, step, i, RILL_ERROR_ILLEGAL_INSTRUCTION,
                     ptx_access_address(access, i), "%s", wrong);
            return;
        }
        *at = operation == MBARRIER_INVAL ? 0 : word_of(&barrier);
        if (d) d[i] = before;
    }
}

void ptx_mbarrier_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_access access;
    ptx_access_open(&access, group, step, sizeof(uint64_t), true, "mbarrier operation");
    access.atomic = true;
    if (group->block->watched) ptx_watch_mbarrier(&access, step->target == MBARRIER_INIT);
    if (is_wait(step->target)) ask_barriers(&access, step->target);
    else change_barriers(&access, step->target);
}

bool ptx_mbarrier_complete(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                           uint64_t address, uint32_t bytes)
{
    struct ptx_access access = {
        .group = group, .step = step, .offset = address, .bytes = sizeof(uint64_t),
        .misaligned = sizeof(uint64_t) - 1, .where = PTX_TO_ANY, .write = true, .atomic = true,
        .verb = "mbarrier operation",
    };
    ptx_mem64 *at = find_barrier(&access, lane, MBARRIER_COMPLETE);
    if (!at) return false;
    struct mbarrier barrier = mbarrier_of(*at);
    const char *wrong = complete_bytes(&barrier, bytes);
    if (wrong) ptx_fail(group, step, lane, RILL_ERROR_ILLEGAL_INSTRUCTION, address, "%s", wrong);
    else *at = word_of(&barrier);
    return !wrong;
}

void ptx_mbarrier_pending_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    const uint64_t *a = PTX_COLUMN(group, step->a, const uint64_t);
    PTX_EACH_LANE(group, i) d[i] = mbarrier_of(a[i]).pending;
}
