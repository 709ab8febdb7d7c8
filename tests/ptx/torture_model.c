/* SPDX-License-Identifier: Apache-2.0 */
#include "torture.h"

static uint32_t op_add(uint32_t a, uint32_t b, uint32_t c) { (void)c; return a + b; }
static uint32_t op_sub(uint32_t a, uint32_t b, uint32_t c) { (void)c; return a - b; }
static uint32_t op_mul(uint32_t a, uint32_t b, uint32_t c) { (void)c; return a * b; }
static uint32_t op_mad(uint32_t a, uint32_t b, uint32_t c) { return a * b + c; }
static uint32_t op_and(uint32_t a, uint32_t b, uint32_t c) { (void)c; return a & b; }
static uint32_t op_or(uint32_t a, uint32_t b, uint32_t c) { (void)c; return a | b; }
static uint32_t op_xor(uint32_t a, uint32_t b, uint32_t c) { return a ^ b ^ c; }
static uint32_t op_shl(uint32_t a, uint32_t b, uint32_t c) { (void)c; return b > 31 ? 0 : a << b; }
static uint32_t op_shr(uint32_t a, uint32_t b, uint32_t c) { (void)c; return b > 31 ? 0 : a >> b; }
static uint32_t op_div(uint32_t a, uint32_t b, uint32_t c) { (void)c; return a / (b | 1); }

static uint32_t op_sar(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return (uint32_t)((int32_t)a >> (b > 31 ? 31 : b));
}

static uint32_t op_high(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32);
}

static uint32_t op_min(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return (int32_t)a < (int32_t)b ? a : b;
}

static uint32_t op_rem(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return (uint32_t)((int64_t)(int32_t)a % ((int32_t)b | 1));
}

static uint32_t op_popc(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return (uint32_t)__builtin_popcount(a) + (b ? (uint32_t)__builtin_clz(b) : 32);
}

static uint32_t op_float(uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    float value = (float)a * 0.7f;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t op_wide(uint32_t a, uint32_t b, uint32_t c)
{
    return (uint32_t)(((uint64_t)a * b + c) >> 7);
}

static uint32_t op_choose(uint32_t a, uint32_t b, uint32_t c)
{
    return (int32_t)c > 100 ? a : b;
}

static uint32_t op_turn(uint32_t a, uint32_t b, uint32_t c)
{
    c &= 31;
    return c ? b << c | a >> (32 - c) : b;
}

/* Constants that the text and the value share are written out in both. */
const struct operation torture_operations[] = {
    { "add.u32 $d, $a, $b;", op_add },
    { "sub.s32 $d, $a, $b;", op_sub },
    { "mul.lo.s32 $d, $a, $b;", op_mul },
    { "mad.lo.u32 $d, $a, $b, $c;", op_mad },
    { "and.b32 $d, $a, $b;", op_and },
    { "or.b32 $d, $a, $b;", op_or },
    { "lop3.b32 $d, $a, $b, $c, 0x96;", op_xor },
    { "shl.b32 $d, $a, $b;", op_shl },
    { "shr.u32 $d, $a, $b;", op_shr },
    { "shr.s32 $d, $a, $b;", op_sar },
    { "or.b32 %t0, $b, 1; div.u32 $d, $a, %t0;", op_div },
    { "or.b32 %t0, $b, 1; rem.s32 $d, $a, %t0;", op_rem },
    { "mul.hi.s32 $d, $a, $b;", op_high },
    { "min.s32 $d, $a, $b;", op_min },
    { "clz.b32 %t0, $b; popc.b32 %t1, $a; add.u32 $d, %t0, %t1;", op_popc },
    { "cvt.rn.f32.u32 %f0, $a; mul.rn.f32 %f0, %f0, 0f3F333333; mov.b32 $d, %f0;", op_float },
    { "mov.b64 %l0, {$c, %zero}; mad.wide.u32 %l0, $a, $b, %l0; shr.u64 %l0, %l0, 7; "
      "cvt.u32.u64 $d, %l0;", op_wide },
    { "setp.gt.s32 %p1, $c, 100; selp.b32 $d, $a, $b, %p1;", op_choose },
    { "shf.l.wrap.b32 $d, $a, $b, $c;", op_turn },
};
const unsigned torture_operation_count = sizeof torture_operations / sizeof torture_operations[0];

uint32_t torture_count(uint32_t counter, uint32_t old, uint32_t value)
{
    switch (counter % 4) {
    case 0: return old + value;
    case 1: return old ^ value;
    case 2: return old > value ? old : value;
    default: return old | value;
    }
}

uint32_t torture_descend(uint32_t a, uint32_t b)
{
    return b ? torture_descend(a * 5 + b, b - 1) ^ a : a;
}

/* ---- A thread ----------------------------------------------------------------------- */

struct thread {
    uint32_t registers[REGISTERS], locals[LOCALS];
    bool gone;
};

struct run {
    const struct torture *torture;
    struct torture_result *result;
    struct thread *threads;
    uint32_t shared[COUNTERS];
};

/* How a list of acts ends. */
enum course { ON, LEFT_LOOP, NEXT, RETURNED };

static enum course run_list(struct run *run, uint32_t *registers, uint32_t *locals, uint16_t at);

static uint32_t call(struct run *run, unsigned function, uint32_t a, uint32_t b)
{
    if (function == FUNCTIONS) return torture_descend(a, b & 7);
    uint32_t registers[REGISTERS] = { a, b, a ^ b, 7 };
    run_list(run, registers, NULL, run->torture->functions[function]);
    return registers[0];
}

static enum course run_loop(struct run *run, uint32_t *registers, uint32_t *locals,
                            const struct act *act)
{
    for (uint32_t rounds = (registers[act->a] & 3) + 1; rounds > 0; rounds--) {
        enum course course = run_list(run, registers, locals, act->body[0]);
        if (course == RETURNED) return RETURNED;
        if (course == LEFT_LOOP) break;
    }
    return ON;
}

static void count(uint32_t *counters, const struct act *act, const uint32_t *registers)
{
    uint32_t k = act->number % COUNTERS;
    counters[k] = torture_count(k, counters[k], registers[act->a]);
}

static enum course run_act(struct run *run, uint32_t *r, uint32_t *locals, const struct act *act)
{
    bool holds = torture_holds(act, r);
    switch (act->kind) {
    case COMPUTE_IF:
        if (!holds) return ON;
        /* fall through */
    case COMPUTE:
        r[act->d] = torture_operations[act->operation].value(r[act->a], r[act->b], r[act->c]);
        return ON;
    case BRANCH: return run_list(run, r, locals, act->body[holds ? 0 : 1]);
    case LOOP: return run_loop(run, r, locals, act);
    case LEAVE_LOOP: return holds ? LEFT_LOOP : ON;
    case NEXT_ROUND: return holds ? NEXT : ON;
    case SWITCH: return run_list(run, r, locals, act->body[r[act->a] & 3]);
    case STORE_LOCAL: locals[r[act->a] % LOCALS] = r[act->b]; return ON;
    case LOAD_LOCAL: r[act->d] = locals[r[act->a] % LOCALS]; return ON;
    case CALL: r[act->d] = call(run, act->operation, r[act->a], r[act->b]); return ON;
    case CALL_POINTER: r[act->d] = call(run, r[act->c] & 1, r[act->a], r[act->b]); return ON;
    case COUNT_SHARED: count(run->shared, act, r); return ON;
    case COUNT_GLOBAL: count(run->result->counters, act, r); return ON;
    default: return holds ? RETURNED : ON;
    }
}

static enum course run_list(struct run *run, uint32_t *registers, uint32_t *locals, uint16_t at)
{
    enum course course = ON;
    for (; at != NO_ACT && course == ON; at = run->torture->acts[at].next)
        course = run_act(run, registers, locals, &run->torture->acts[at]);
    return course;
}

/* ---- A block -------------------------------------------------------------------------- */

static void run_subset(struct run *run, const struct act *act, uint32_t warp)
{
    struct thread *lanes = run->threads + warp;
    uint32_t first = 32, odd = 0, values[32];
    for (uint32_t i = 0; i < 32; i++) {
        if (!torture_holds(act, lanes[i].registers)) continue;
        if (first == 32) first = i;
        odd += lanes[i].registers[act->b] & 1;
    }
    for (uint32_t i = 0; i < 32; i++)
        values[i] = torture_holds(act, lanes[i].registers) ? lanes[first].registers[act->a] + odd
                                                           : lanes[i].registers[act->d];
    for (uint32_t i = 0; i < 32; i++) lanes[i].registers[act->d] = values[i];
}

/* The lane whose value a lane gets: up, down, another by its bits, one for all. */
static uint32_t shuffled(const struct act *act, uint32_t lane)
{
    uint32_t by = act->number & 31;
    switch (act->operation % 4) {
    case 0: return lane >= by ? lane - by : lane;
    case 1: return lane + by < 32 ? lane + by : lane;
    case 2: return lane ^ by;
    default: return by;
    }
}

static void run_together(struct run *run, const struct act *act)
{
    uint32_t block = run->result->block, sum = 0;
    struct thread *threads = run->threads;
    uint32_t *values = calloc(block, sizeof *values);
    if (!values) abort();
    for (uint32_t i = 0; i < block; i++) sum += torture_holds(act, threads[i].registers);
    for (uint32_t i = 0; i < block; i++) {
        uint32_t warp = i / 32 * 32;
        if (act->kind == EXCHANGE)
            values[i] = threads[(i + act->number) % block].registers[act->a];
        if (act->kind == SHUFFLE)
            values[i] = threads[warp + shuffled(act, i % 32)].registers[act->a];
        if (act->kind == BALLOT)
            for (uint32_t k = 0; k < 32; k++)
                values[i] |= (uint32_t)torture_holds(act, threads[warp + k].registers) << k;
        if (act->kind == BARRIER_SUM) values[i] = sum;
    }
    for (uint32_t i = 0; i < block; i++) threads[i].registers[act->d] = values[i];
    free(values);
}

static void run_acts(struct run *run, uint16_t at)
{
    for (; at != NO_ACT; at = run->torture->acts[at].next) {
        const struct act *act = &run->torture->acts[at];
        if (act->kind == TOGETHER_LOOP)
            for (uint32_t i = 0; i < act->number; i++) run_acts(run, act->body[0]);
        else if (act->kind == SUBSET)
            for (uint32_t warp = 0; warp < run->result->block; warp += 32)
                run_subset(run, act, warp);
        else if (act->kind >= EXCHANGE)
            run_together(run, act);
        else
            for (uint32_t i = 0; i < run->result->block; i++) {
                struct thread *thread = &run->threads[i];
                if (!thread->gone)
                    thread->gone = run_act(run, thread->registers, thread->locals, act) == RETURNED;
            }
    }
}

void torture_model(const struct torture *torture, struct torture_result *result)
{
    struct run run = { torture, result, calloc(result->block, sizeof *run.threads), { 0 } };
    if (!run.threads) abort();
    for (uint32_t b = 0; b < result->grid; b++) {
        uint32_t *registers = result->registers + (size_t)b * result->block * REGISTERS;
        memset(run.threads, 0, result->block * sizeof *run.threads);
        memset(run.shared, 0, sizeof run.shared);
        for (uint32_t i = 0; i < result->block; i++)
            memcpy(run.threads[i].registers, registers + i * REGISTERS,
                   sizeof run.threads[i].registers);
        run_acts(&run, torture->kernel);
        for (uint32_t i = 0; i < result->block; i++)
            memcpy(registers + i * REGISTERS, run.threads[i].registers,
                   sizeof run.threads[i].registers);
        for (uint32_t k = 0; k < COUNTERS; k++)
            result->counters[k] = torture_count(k, result->counters[k], run.shared[k]);
    }
    free(run.threads);
}
