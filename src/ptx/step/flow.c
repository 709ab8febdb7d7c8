/* SPDX-License-Identifier: Apache-2.0
 *
 * Flows: steps of f32 whose number stays in registers of the machine from one to the next.
 *
 * Some lanes take all steps, then the next ones, so what a step costs besides its operation is
 * where it jumps to.  NaNs are made the one that f32 has at the end alone: whatever it was before,
 * sums and products make a NaN of it.
 */
#include "base/unseen.h"
#include "ptx/step/ieee.h"

/* As many lanes as a vector of the machine has, and the same in memory, at any place. */
#ifdef __AVX__
#include <immintrin.h>
#define VECTOR 32
#else
#define VECTOR 16
#endif
#define LANES (VECTOR / 4)
typedef float lanes __attribute__((vector_size(VECTOR)));
typedef uint32_t bits __attribute__((vector_size(VECTOR)));
typedef float lanes_in_memory __attribute__((vector_size(VECTOR), aligned(4), may_alias));
typedef float lane_in_memory __attribute__((may_alias));

/* Vectors that take a step together, at most: half of the registers that there are. */
#define ABREAST 8

#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif
#define INLINE static inline __attribute__((always_inline))

/* Rows of blocks are short and far from each other, so the processor does not foresee where one
 * begins: it is told to fetch the next one while this one is taken, of so many arrays at most, in
 * flows that do not compute for longer than they wait. */
#define LINE 64
#define FETCHED 4
#define FETCHED_OF 8

/* Where the sources of all steps are in a row, in their order: its first lane, or a vector of what
 * is one number for the row. */
struct row {
    const struct ptx_flow *flow;
    struct { const unsigned char *at; ptrdiff_t pitch; } next[FETCHED];
    uint32_t next_count;         /* 0 if there is no next row, or nothing to fetch     */
    const unsigned char *at[PTX_FLOW_SOURCES];
    lanes spread[PTX_FLOW_SOURCES];
};

/* ---- Vectors ------------------------------------------------------------------------------- */

INLINE lanes flushed(lanes x)
{
    const bits all = (bits)x, normal = (bits)((all & SINGLE_INFINITY) != 0);
    return (lanes)(all & (normal | SINGLE_SIGN));
}

/* Returns x, or the one NaN that results of f32 have. */
INLINE lanes result_of(lanes x)
{
#ifdef __AVX__
    const bits nan = (bits){ 0 } + SINGLE_NAN;
    return (lanes)_mm256_blendv_ps((__m256)x, (__m256)nan, (__m256)(x != x));
#else
    const bits number = (bits)(x == x);
    return (lanes)(((bits)x & number) | (SINGLE_NAN & ~number));
#endif
}

INLINE lanes fused(lanes x, lanes y, lanes z)
{
#if defined __AVX__ && defined __FMA__
    return (lanes)_mm256_fmadd_ps((__m256)x, (__m256)y, (__m256)z);
#else
    return x * y + z; /* never asked for: single.c */
#endif
}

/* Returns a vector of a source. */
INLINE lanes get(const unsigned char *at, unsigned number, bool one, bool ftz)
{
    const lanes x = *(const lanes_in_memory *)(const void *)(at + (one ? 0 : number * VECTOR));
    return ftz ? flushed(x) : x;
}

/* Takes a step: x becomes what the operation says of x, p and q.  All but vectors is known when
 * this is compiled. */
INLINE void take(lanes *x, const unsigned char *const *at, size_t offset, unsigned count,
                 unsigned way)
{
    const bool ftz = way & PTX_FLOW_FTZ, p_is_one = way & PTX_FLOW_ONE_P;
    const bool q_is_one = way & PTX_FLOW_ONE_Q;
    const unsigned does = way & PTX_FLOW_WAY;
    const unsigned char *p = at[0] + (p_is_one ? 0 : offset), *q = p;
    if (PTX_FLOW_HAS_Q(way)) q = at[1] + (q_is_one ? 0 : offset);
    UNROLLED for (unsigned k = 0; k < count; k++) {
        const lanes y = ftz && does != PTX_FLOW_BEGIN ? flushed(x[k]) : x[k];
        const lanes u = get(p, k, p_is_one, ftz);
        if (does == PTX_FLOW_BEGIN) x[k] = u;
        else if (does == PTX_FLOW_ADD) x[k] = y + u;
        else if (does == PTX_FLOW_SUB) x[k] = y - u;
        else if (does == PTX_FLOW_FROM) x[k] = u - y;
        else if (does == PTX_FLOW_MUL) x[k] = y * u;
        else if (does == PTX_FLOW_SCALE) x[k] = fused(y, u, get(q, k, q_is_one, ftz));
        else x[k] = fused(u, get(q, k, q_is_one, ftz), y);
        if (ftz) x[k] = flushed(x[k]);
    }
}

#define CASE(way) \
    case way: \
        take(x, at, offset, count, way); \
        at += PTX_FLOW_HAS_Q(way) ? 2 : 1; \
        break;
#define WAYS_P(way) CASE(way) CASE((way) | PTX_FLOW_ONE_P)
#define WAYS_PQ(way) WAYS_P(way) WAYS_P((way) | PTX_FLOW_ONE_Q)
#define WAYS(flush) \
    WAYS_P(PTX_FLOW_ADD | (flush)) WAYS_P(PTX_FLOW_SUB | (flush)) \
    WAYS_P(PTX_FLOW_FROM | (flush)) WAYS_P(PTX_FLOW_MUL | (flush)) \
    WAYS_PQ(PTX_FLOW_SCALE | (flush)) WAYS_PQ(PTX_FLOW_MORE | (flush))

/* Takes all steps for some lanes of a row. */
INLINE void take_vectors(const struct row *row, unsigned char *to, uint32_t lane, unsigned count)
{
    const struct ptx_flow *flow = row->flow;
    const unsigned char *const *at = row->at;
    const size_t offset = lane * sizeof(float);
    lanes x[ABREAST];
    if (flow->ways[0] & PTX_FLOW_ONE_P) take(x, at, offset, count, PTX_FLOW_BEGIN | PTX_FLOW_ONE_P);
    else take(x, at, offset, count, PTX_FLOW_BEGIN);
    at++;
    for (const uint8_t *way = flow->ways + 1, *end = flow->ways + flow->count; way < end; way++) {
        switch (*way) {
        WAYS(0)
        WAYS(PTX_FLOW_FTZ)
        default: __builtin_unreachable();
        }
    }
    UNROLLED for (unsigned k = 0; k < count; k++)
        *(lanes_in_memory *)(void *)(to + offset + k * VECTOR) = result_of(x[k]);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* Takes all steps for less than a vector: a vector of copies. */
RL_UNSEEN static void take_few(const struct row *row, unsigned char *to, uint32_t lane,
                               uint32_t count)
{
    struct row few;
    lanes result;
    few.flow = row->flow;
    for (uint32_t i = 0; i < row->flow->source_count; i++) {
        few.at[i] = row->at[i];
        if (row->flow->sources[i].one) continue;
        few.at[i] = (const void *)&few.spread[i];
        few.spread[i] = (lanes){ 0 };
        memcpy(&few.spread[i], row->at[i] + lane * sizeof(float), count * sizeof(float));
    }
    take_vectors(&few, (unsigned char *)&result, 0, 1);
    memcpy(to + lane * sizeof(float), &result, count * sizeof(float));
}

/* Finds the sources in a row. */
RL_UNSEEN static void find_sources(const struct ptx_flow *flow, uint32_t number, struct row *row)
{
    for (uint32_t i = 0; i < flow->source_count; i++) {
        const struct ptx_flow_source *source = &flow->sources[i];
        row->at[i] = source->first + (ptrdiff_t)number * source->pitch;
        if (!source->one) continue;
        const float p = *(const lane_in_memory *)(const void *)row->at[i];
        row->spread[i] = (lanes){ 0 } + p;
        row->at[i] = (const void *)&row->spread[i];
    }
}

/* Returns true if what lies at `to` is half a row from `from`, or less. */
static bool is_near(uintptr_t from, uintptr_t to, uintptr_t row_bytes)
{
    return to - from + row_bytes / 2 <= row_bytes;
}

/* Returns true if the next row of a source is not what another source is at already, nor what one
 * before it fetches. */
static bool leads(const struct ptx_flow *flow, uint32_t number)
{
    const struct ptx_flow_source *source = &flow->sources[number];
    const uintptr_t at = (uintptr_t)source->first, next = at + (uintptr_t)source->pitch;
    const uintptr_t row_bytes = flow->width * sizeof(float);
    if (source->one) return false;
    for (uint32_t i = 0; i < flow->source_count; i++) {
        const uintptr_t other = (uintptr_t)flow->sources[i].first;
        if (i == number || flow->sources[i].one) continue;
        if (is_near(other, next, row_bytes) || (i < number && is_near(other, at, row_bytes)))
            return false;
    }
    return true;
}

static void fetch(struct row *row, const unsigned char *first, ptrdiff_t pitch)
{
    row->next[row->next_count].at = first;
    row->next[row->next_count++].pitch = pitch;
}

/* Finds what is to be fetched of each row but the first one. */
static void find_next(const struct ptx_flow *flow, struct row *row)
{
    row->next_count = 0;
    if (flow->rows == 1 || flow->source_count > FETCHED_OF) return;
    fetch(row, flow->first, flow->pitch);
    for (uint32_t i = 0; i < flow->source_count && row->next_count < FETCHED; i++)
        if (leads(flow, i)) fetch(row, flow->sources[i].first, flow->sources[i].pitch);
}

INLINE void fetch_next(const struct row *row, uint32_t lane)
{
    for (uint32_t i = 0; i < row->next_count; i++) {
        const unsigned char *at = row->next[i].at + lane * sizeof(float);
        UNROLLED for (unsigned k = 0; k < ABREAST * VECTOR; k += LINE) __builtin_prefetch(at + k);
    }
}

/* Takes all steps for a row.  If nothing is written that is read, the last lanes may be those of
 * whole vectors, some of which were there before. */
RL_UNSEEN static void take_row(const struct row *row, unsigned char *to)
{
    const uint32_t width = row->flow->width;
    uint32_t lane = 0;
    for (; width - lane >= ABREAST * LANES; lane += ABREAST * LANES) {
        fetch_next(row, lane);
        take_vectors(row, to, lane, ABREAST);
    }
    if (lane && lane < width && row->flow->apart) {
        take_vectors(row, to, width - ABREAST * LANES, ABREAST);
        return;
    }
    if (width - lane >= ABREAST / 2 * LANES) {
        take_vectors(row, to, lane, ABREAST / 2);
        lane += ABREAST / 2 * LANES;
    }
    for (; width - lane >= LANES; lane += LANES) take_vectors(row, to, lane, 1);
    if (width == lane) return;
    if (row->flow->apart && width >= LANES) take_vectors(row, to, width - LANES, 1);
    else take_few(row, to, lane, width - lane);
}

void ptx_take_flow(const struct ptx_flow *flow)
{
    struct row row;
    row.flow = flow;
    find_next(flow, &row);
    for (uint32_t i = 0; i < flow->rows; i++) {
        find_sources(flow, i, &row);
        if (i + 1 == flow->rows) row.next_count = 0;
        for (uint32_t k = 0; k < row.next_count; k++) row.next[k].at += row.next[k].pitch;
        take_row(&row, flow->first + (ptrdiff_t)i * flow->pitch);
    }
}
