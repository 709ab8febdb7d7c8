/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of the scalar video instructions.
 */
#include "ptx/step/video.h"

#include <string.h>

#include "base/wide.h"
#include "ptx/step/lanes.h"

static struct ptx_video_plan plan_of(const struct ptx_step *step)
{
    struct ptx_video_plan plan;
    memcpy(&plan, &step->immediate, sizeof plan);
    return plan;
}

static unsigned bits_of(unsigned part)
{
    return part == PTX_WHOLE ? 32 : part >= PTX_HALF_0 ? 16 : 8;
}

static unsigned shift_of(unsigned part)
{
    return part == PTX_WHOLE    ? 0
           : part >= PTX_HALF_0 ? 16 * (part - PTX_HALF_0) : 8 * (part - PTX_BYTE_0);
}

static int64_t extracted(uint32_t value, unsigned part, bool is_signed)
{
    unsigned empty = 64 - bits_of(part);
    uint64_t high = (uint64_t)(value >> shift_of(part)) << empty;
    return is_signed ? (int64_t)high >> empty : (int64_t)(high >> empty);
}

static bool compares(unsigned comparison, int64_t a, int64_t b)
{
    switch ((enum ptx_video_comparison)comparison) {
    case PTX_VIDEO_EQ: return a == b;
    case PTX_VIDEO_NE: return a != b;
    case PTX_VIDEO_LT: return a < b;
    case PTX_VIDEO_LE: return a <= b;
    case PTX_VIDEO_GT: return a > b;
    default: return a >= b;
    }
}

static unsigned distance_of(bool wraps, int64_t b)
{
    return wraps ? (unsigned)b & 31 : (uint64_t)b > 32 ? 32 : (unsigned)b;
}

static int64_t first_of(unsigned opcode, unsigned more, int64_t a, int64_t b)
{
    switch (opcode) {
    case PTX_OP_VSHL: return (int64_t)((uint64_t)a << distance_of(more, b));
    case PTX_OP_VSHR: return a >> distance_of(more, b);
    case PTX_OP_VSET: return compares(more, a, b);
    case PTX_OP_VAVRG2: return (a + b + (a + b >= 0)) >> 1;
    case PTX_OP_VADD: return a + b;
    case PTX_OP_VSUB: return a - b;
    case PTX_OP_VABSDIFF: return a > b ? a - b : b - a;
    case PTX_OP_VMIN: return a < b ? a : b;
    default: return a > b ? a : b;
    }
}

/* Saturates a result, as measured, and not as the ISA says: in a part, everything outside 0 and
 * the largest number becomes the largest, negative numbers too; an unsigned register is kept
 * from negative numbers alone, and wraps around above. */
static int64_t saturated(int64_t value, const struct ptx_video_plan *plan)
{
    unsigned bits = bits_of(plan->d);
    int64_t least = plan->d_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    int64_t most = (INT64_C(1) << (bits - plan->d_signed)) - 1;
    if (plan->d == PTX_WHOLE && !plan->d_signed) return value < 0 ? 0 : (uint32_t)value;
    if (value > most || (value < 0 && plan->d != PTX_WHOLE)) return most;
    return value < least ? least : value;
}

static bool is_shift(unsigned opcode)
{
    return opcode == PTX_OP_VSHL || opcode == PTX_OP_VSHR;
}

/* Saturates what was shifted, as measured: 34 bits of it, to 32 bits even in a part. */
static int64_t saturated_shift(int64_t value, bool is_signed)
{
    const int64_t least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
    value = (int64_t)((uint64_t)value << 30) >> 30;
    return value < least ? least : value > most ? most : value;
}

/* Merges a result into a part of another value.  The upper half takes the upper half of the
 * result, as measured, and all other parts take its lower bits. */
static uint32_t merged(uint32_t value, uint32_t into, unsigned part)
{
    uint32_t mask = ((UINT32_C(1) << bits_of(part)) - 1) << shift_of(part);
    uint32_t moved = part == PTX_HALF_1 ? value : value << shift_of(part);
    return (into & ~mask) | (moved & mask);
}

/* Returns what of a result is compared with a third source.  As measured, the saturated ones of
 * unsigned sums and differences are taken for signed ones and extended, so that the upper half of
 * them exceeds everything, and a distance is compared before it wraps around.  So is what was
 * shifted, and its saturated ones are extended. */
static int64_t compared(unsigned opcode, const struct ptx_video_plan *plan, int64_t exact,
                        uint32_t value)
{
    if (is_shift(opcode)) return plan->saturates ? (int32_t)value : exact;
    if (plan->d_signed) return (int32_t)value;
    if (!plan->saturates) return value;
    if (opcode == PTX_OP_VABSDIFF) return exact;
    return opcode == PTX_OP_VADD || opcode == PTX_OP_VSUB ? (int32_t)value : (int64_t)value;
}

static uint32_t second_of(unsigned opcode, const struct ptx_video_plan *plan, int64_t exact,
                          uint32_t value, uint32_t c)
{
    const int64_t first = compared(opcode, plan, exact, value);
    const bool less = plan->d_signed ? first < (int32_t)c : (uint64_t)first < c;
    switch (plan->second) {
    case PTX_VIDEO_ADD: return value + c;
    case PTX_VIDEO_MIN: return less ? value : c;
    case PTX_VIDEO_MAX: return less ? c : value;
    default: return plan->d == PTX_WHOLE ? value : merged(value, c, plan->d);
    }
}

static int64_t saturated_result(unsigned opcode, const struct ptx_video_plan *plan, int64_t exact)
{
    if (!plan->saturates) return exact;
    return is_shift(opcode) ? saturated_shift(exact, plan->d_signed) : saturated(exact, plan);
}

static void any(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_video_plan plan = plan_of(step);
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    const uint32_t *b = PTX_COLUMN(group, step->b, uint32_t);
    const uint32_t *c = step->c == PTX_NO_COLUMN ? a : PTX_COLUMN(group, step->c, uint32_t);
    PTX_EACH_LANE(group, i) {
        int64_t exact = first_of(step->kind, step->width, extracted(a[i], plan.a, plan.a_signed),
                                 extracted(b[i], plan.b, plan.b_signed));
        int64_t value = saturated_result(step->kind, &plan, exact);
        d[i] = second_of(step->kind, &plan, exact, (uint32_t)value, c[i]);
    }
}

/* Sums for which compilers use these instructions. */
PTX_LANES_3(sum, uint32_t, uint32_t, uint32_t, uint32_t, x + y + z)
PTX_LANES_3(difference, uint32_t, uint32_t, uint32_t, uint32_t, x - y + z)

static ptx_run run_mad;

ptx_run *ptx_video_step(unsigned opcode, const struct ptx_video_plan *plan)
{
    if (opcode == PTX_OP_VMAD) return run_mad;
    if (plan->a != PTX_WHOLE || plan->b != PTX_WHOLE || plan->saturates ||
        plan->second != PTX_VIDEO_ADD)
        return any;
    return opcode == PTX_OP_VADD ? sum : opcode == PTX_OP_VSUB ? difference : any;
}

/* ---- vmad ----------------------------------------------------------------------------------- */

/* The sum has up to 65 bits before it is scaled.  As measured, a first source that is a whole
 * register is signed, and so is the third, whatever the types are. */
static int64_t multiplied(const struct ptx_video_plan *plan, unsigned more, uint32_t a, uint32_t b,
                          uint32_t c)
{
    bool is_signed = plan->a_signed || plan->b_signed ||
                     (more & (PTX_VIDEO_NEGATE_PRODUCT | PTX_VIDEO_NEGATE_ADDEND));
    bool first_signed = plan->a_signed || plan->a == PTX_WHOLE;
    struct rl_wide sum = rl_multiply_signed(extracted(a, plan->a, first_signed),
                                            extracted(b, plan->b, plan->b_signed));
    int64_t addend = (int32_t)c;
    if (more & PTX_VIDEO_NEGATE_PRODUCT) sum = rl_wide_negated(sum);
    if (more & PTX_VIDEO_NEGATE_ADDEND) addend = -addend;
    sum = rl_wide_plus_signed(sum, addend + !!(more & PTX_VIDEO_PLUS_ONE));
    unsigned scale = more & PTX_VIDEO_SCALE;
    int64_t result = (int64_t)(scale ? sum.high << (64 - scale) | sum.low >> scale : sum.low);
    if (!plan->saturates) return result;
    if (!is_signed && result < 0 && more & PTX_VIDEO_SCALE) return UINT32_MAX; /* measured */
    int64_t least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
    return result < least ? least : result > most ? most : result;
}

static void run_mad(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_video_plan plan = plan_of(step);
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    const uint32_t *b = PTX_COLUMN(group, step->b, uint32_t);
    const uint32_t *c = PTX_COLUMN(group, step->c, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = (uint32_t)multiplied(&plan, step->width, a[i], b[i], c[i]);
}

/* ---- Several parts at once ------------------------------------------------------------------- */

static int64_t part_of(const struct ptx_video_lanes *plan, uint32_t a, uint32_t b, uint32_t part,
                       bool is_signed)
{
    uint64_t both = (uint64_t)b << 32 | a;
    unsigned empty = 64 - plan->bits;
    uint64_t high = both >> (part * plan->bits % 64) << empty;
    return is_signed ? (int64_t)high >> empty : (int64_t)(high >> empty);
}

static int64_t clamped_part(const struct ptx_video_lanes *plan, int64_t value)
{
    bool is_signed = plan->flags & PTX_VIDEO_D_SIGNED;
    int64_t least = is_signed ? -(INT64_C(1) << (plan->bits - 1)) : 0;
    int64_t most = (INT64_C(1) << (plan->bits - is_signed)) - 1;
    return value < least ? least : value > most ? most : value;
}

static uint32_t combined(const struct ptx_video_lanes *plan, unsigned more, uint32_t a, uint32_t b,
                         uint32_t c)
{
    const uint32_t ones = (UINT32_C(1) << plan->bits) - 1;
    uint32_t result = c;
    for (uint32_t i = 0; i < 32u / plan->bits; i++) {
        if (!(plan->mask >> i & 1)) continue;
        int64_t value = first_of(plan->operation, more,
                                 part_of(plan, a, b, plan->a >> 4 * i & 7,
                                         plan->flags & PTX_VIDEO_A_SIGNED),
                                 part_of(plan, a, b, plan->b >> 4 * i & 7,
                                         plan->flags & PTX_VIDEO_B_SIGNED));
        if (plan->flags & PTX_VIDEO_SATURATES) value = clamped_part(plan, value);
        if (plan->flags & PTX_VIDEO_ADDS_UP)
            result += (uint32_t)value;
        else
            result = (result & ~(ones << plan->bits * i)) |
                     ((uint32_t)value & ones) << plan->bits * i;
    }
    return result;
}

void ptx_video_lanes_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_video_lanes plan;
    memcpy(&plan, &step->immediate, sizeof plan);
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    const uint32_t *b = PTX_COLUMN(group, step->b, uint32_t);
    const uint32_t *c = PTX_COLUMN(group, step->c, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = combined(&plan, step->width, a[i], b[i], c[i]);
}
