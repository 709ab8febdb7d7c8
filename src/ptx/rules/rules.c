/* SPDX-License-Identifier: Apache-2.0
 *
 * What does not go together.
 *
 * Forms say which words an instruction may have.  Rules say which of them exclude each other, or
 * need each other, or a type, or a state space, or a target: what an assembler refuses, so that a
 * text that runs here is one that a GPU would get.  An instruction of whose rules one holds is
 * refused.  The order is that of the sentences' precedence.
 */
#include "ptx/rules/rules.h"

#include "ptx/step/form.h"

/* Assemblers that know the rules know no target before this one. */
#define FIRST_TARGET 75

/* A rule holds if all that it names does; a set that is empty names nothing. */
struct rule {
    enum ptx_opcode opcodes[2];      /* the second one may be the same                         */
    struct ptx_modifiers any, also;  /* it has one of each of these sets                       */
    struct ptx_modifiers none;       /* and none of these                                      */
    uint64_t types, sources;         /* bits: types[0] and types[1] are among them             */
    uint32_t spaces;                 /* bits: its space is one of them                         */
    uint32_t operands;               /* so many of them                                        */
    uint32_t before;                 /* the target is older; 0: whatever it is                 */
    const char *why;
};

#define T(type) (UINT64_C(1) << PTX_##type)
#define S(space) (1u << PTX_##space)

#define BYTES (T(B8) | T(U8) | T(S8))
#define SHORTS (T(B16) | T(U16) | T(S16))
#define LONGS (T(B64) | T(U64) | T(S64) | T(F64))
#define WORDS (T(B32) | T(U32) | T(S32) | T(F32))
#define HALVES (T(F16) | T(BF16))
#define PAIRS (T(F16X2) | T(BF16X2))

#define SCOPES CTA, CLUSTER, GPU, SYS
#define L2_EVICTION L2__EVICT_NORMAL, L2__EVICT_FIRST, L2__EVICT_LAST
#define L1_EVICTION L1__EVICT_NORMAL, L1__EVICT_UNCHANGED, L1__EVICT_FIRST, L1__EVICT_LAST, \
    L1__NO_ALLOCATE
#define ACCESS .opcodes = { PTX_OP_LD, PTX_OP_ST }
#define ATOMIC .opcodes = { PTX_OP_ATOM, PTX_OP_RED }
#define ONE(code) .opcodes = { PTX_OP_##code, PTX_OP_##code }

/* .sat of integers, where every number of the source is one of the result. */
#define CLAMPS_NOTHING(result, source) \
    { ONE(CVT), .any = PTX_SET(SAT), .types = T(result), .sources = source, \
      .why = ".sat belongs to results that cannot hold all numbers of the source" }

#define WIDE_WHY ".v4 of 64 bits and .v8 of 32 bits are there since sm_100, in .global"
#define EVICTION_WHY "L2::evict_normal, _first and _last belong to .v8.b32 and .v4.b64"
#define STRONG_WHY "only accesses to .global, .shared and generic addresses can be strong"
#define NOFTZ_WHY "this is .noftz with halves, and only with them"
#define BF16_WHY "there is nothing between bf16 and 8 bits"
#define RESTRICT_WHY "it is .acquire.sync_restrict::shared::cluster.cluster or .release with ::cta"
#define NEW_90_WHY "this is there since sm_90"
#define SCOPE_WHY "an order and a scope belong together"

static const struct rule rules[] = {
    /* ld, st */
    { ACCESS, .any = PTX_SET(VOLATILE, RELAXED, ACQUIRE, RELEASE, MMIO),
      .spaces = S(LOCAL) | S(PARAM) | S(CONST), .why = STRONG_WHY },
    { ACCESS, .any = PTX_SET(MMIO), .spaces = S(SHARED),
      .why = ".mmio is for .global and generic addresses" },
    { ACCESS, .any = PTX_SET(MMIO), .also = PTX_SET(V2, V4, V8), .why = ".mmio has no vectors" },
    { ACCESS, .any = PTX_SET(V8), .types = LONGS | T(B128), .why = ".v8 is of types of 32 bits" },
    { ACCESS, .any = PTX_SET(V8), .types = WORDS, .before = 100, .why = WIDE_WHY },
    { ACCESS, .any = PTX_SET(V4), .types = LONGS, .before = 100, .why = WIDE_WHY },
    { ACCESS, .any = PTX_SET(V8), .types = WORDS, .spaces = ~(S(GLOBAL) | S(GENERIC)),
      .why = WIDE_WHY },
    { ACCESS, .any = PTX_SET(V4), .types = LONGS, .spaces = ~(S(GLOBAL) | S(GENERIC)),
      .why = WIDE_WHY },
    { ACCESS, .any = PTX_SET(L2_EVICTION), .none = PTX_SET(V4, V8), .why = EVICTION_WHY },
    { ACCESS, .any = PTX_SET(L2_EVICTION), .also = PTX_SET(V4), .types = ~LONGS,
      .why = EVICTION_WHY },
    { ONE(LD), .any = PTX_SET(NC), .also = PTX_SET(CV, LU), .why = ".nc has no .cv and no .lu" },
    { ACCESS, .any = PTX_SET(CA, CG, CS, LU, CV, WB, WT), .also = PTX_SET(L1_EVICTION),
      .why = "one of both says what the caches do" },
    { ONE(LDU), .any = PTX_SET(V4), .types = LONGS, .why = "a vector has 16 bytes at most" },
    { .opcodes = { PTX_OP_SULD, PTX_OP_SUST }, .any = PTX_SET(V4), .types = T(B64),
      .why = "a vector has 16 bytes at most" },
    /* atom, red */
    { ATOMIC, .any = PTX_SET(ADD), .none = PTX_SET(ASYNC), .types = T(S64),
      .why = ".add of 64 bits is .u64" },
    { ATOMIC, .types = HALVES | PAIRS, .none = PTX_SET(NOFTZ), .why = NOFTZ_WHY },
    { ATOMIC, .types = ~(HALVES | PAIRS), .any = PTX_SET(NOFTZ), .why = NOFTZ_WHY },
    { ATOMIC, .any = PTX_SET(MIN, MAX), .types = HALVES | PAIRS, .none = PTX_SET(V2, V4, V8),
      .why = ".min and .max of halves belong to vectors" },
    { ATOMIC, .any = PTX_SET(V8), .types = PAIRS | T(F32), .why = "a vector has 16 bytes at most" },
    { ATOMIC, .any = PTX_SET(V2, V4, V8), .before = 90, .why = "vectors are there since sm_90" },
    /* Fences, barriers */
    { ONE(FENCE), .any = PTX_SET(GL), .why = ".gl belongs to membar; here it is .gpu" },
    { ONE(FENCE), .any = PTX_SET(SC, ACQ_REL, ACQUIRE, RELEASE), .none = PTX_SET(SCOPES, PROXY),
      .why = "one of .cta, .cluster, .gpu and .sys belongs here" },
    { ONE(BAR), .any = PTX_SET(ALIGNED), .why = "bar is .aligned without saying so" },
    { ONE(MBARRIER), .any = PTX_SET(SCOPES), .none = PTX_SET(RELAXED, ACQUIRE, RELEASE),
      .why = SCOPE_WHY },
    { ONE(MBARRIER), .any = PTX_SET(RELAXED, ACQUIRE, RELEASE), .none = PTX_SET(SCOPES),
      .why = SCOPE_WHY },
    { ONE(MBARRIER), .any = PTX_SET(NO_COMPLETE), .also = PTX_SET(RELAXED, CLUSTER),
      .why = ".noComplete is .release.cta" },
    { ONE(MBARRIER), .any = PTX_SET(INIT), .also = PTX_SET(SHARED_CLUSTER),
      .why = "a barrier is made in the block's own memory, .shared::cta" },
    { ONE(RED), .any = PTX_SET(ASYNC), .none = PTX_SET(RELAXED), .why = "red.async is .relaxed" },
    { ONE(RED), .any = PTX_SET(ASYNC), .none = PTX_SET(SCOPES), .why = SCOPE_WHY },
    { ONE(ST), .any = PTX_SET(ASYNC), .also = PTX_SET(RELAXED),
      .why = "st.async is .weak" },
    { ONE(ST), .any = PTX_SET(WEAK), .also = PTX_SET(SCOPES), .why = ".weak has no scope" },
    { ONE(FENCE), .any = PTX_SET(ASYNC_GENERIC), .also = PTX_SET(ACQUIRE),
      .none = PTX_SET(SYNC_RESTRICT_CLUSTER), .why = RESTRICT_WHY },
    { ONE(FENCE), .any = PTX_SET(ASYNC_GENERIC), .also = PTX_SET(RELEASE),
      .none = PTX_SET(SYNC_RESTRICT_CTA), .why = RESTRICT_WHY },
    { ONE(FENCE), .any = PTX_SET(SYNC_RESTRICT_CTA, SYNC_RESTRICT_CLUSTER), .also = PTX_SET(CTA),
      .why = RESTRICT_WHY },
    /* cp.reduce.async.bulk */
    { ONE(CP), .any = PTX_SET(REDUCE), .also = PTX_SET(SHARED_CLUSTER), .none = PTX_SET(ADD),
      .types = LONGS, .why = "in .shared::cluster .add alone has 64 bits" },
    { ONE(CP), .any = PTX_SET(REDUCE), .also = PTX_SET(ADD), .none = PTX_SET(NOFTZ),
      .types = HALVES, .why = NOFTZ_WHY },
    /* cvt */
    { ONE(CVT), .any = PTX_SET(SAT), .also = PTX_SET(SATFINITE, RELU),
      .why = ".sat goes without .satfinite and .relu" },
    { ONE(CVT), .any = PTX_SET(FTZ), .also = PTX_SET(SATFINITE, RELU),
      .why = ".ftz goes without .satfinite and .relu" },
    { ONE(CVT), .types = BYTES, .sources = T(BF16), .why = BF16_WHY },
    { ONE(CVT), .types = T(BF16), .sources = BYTES, .why = BF16_WHY },
    { ONE(CVT), .any = PTX_SET(SAT), .types = BYTES | SHORTS | WORDS | LONGS, .sources = T(BF16),
      .why = "integers of bf16 have no .sat" },
    { ONE(CVT), .any = PTX_SET(SATFINITE), .also = PTX_SET(RN, RZ), .types = T(TF32), .before = 100,
      .why = "with .rn and .rz .satfinite is there since sm_100" },
    CLAMPS_NOTHING(U8, T(U8)), CLAMPS_NOTHING(S8, T(S8)),
    CLAMPS_NOTHING(U16, T(U8) | T(U16)), CLAMPS_NOTHING(S16, T(U8) | T(S8) | T(S16)),
    CLAMPS_NOTHING(U32, T(U8) | T(U16) | T(U32)),
    CLAMPS_NOTHING(S32, T(U8) | T(S8) | T(U16) | T(S16) | T(S32)),
    CLAMPS_NOTHING(U64, T(U8) | T(U16) | T(U32) | T(U64)),
    CLAMPS_NOTHING(S64, T(U8) | T(S8) | T(U16) | T(S16) | T(U32) | T(S32) | T(S64)),
    /* Clusters, and what copies many bytes */
    { ACCESS, .any = PTX_SET(CLUSTER, SHARED_CLUSTER, ASYNC), .before = 90, .why = NEW_90_WHY },
    { ATOMIC, .any = PTX_SET(CLUSTER, SHARED_CLUSTER, ASYNC), .before = 90, .why = NEW_90_WHY },
    { ATOMIC, .types = T(B128), .before = 90, .why = NEW_90_WHY },
    { .opcodes = { PTX_OP_CVTA, PTX_OP_ISSPACEP }, .any = PTX_SET(SHARED_CLUSTER), .before = 90,
      .why = NEW_90_WHY },
    { .opcodes = { PTX_OP_FENCE, PTX_OP_BARRIER }, .any = PTX_SET(CLUSTER, TENSORMAP_GENERIC),
      .before = 90, .why = NEW_90_WHY },
    { ONE(CP), .any = PTX_SET(BULK), .before = 90, .why = NEW_90_WHY },
    { ONE(MBARRIER),
      .any = PTX_SET(CLUSTER, SHARED_CLUSTER, RELAXED, TRY_WAIT, EXPECT_TX, COMPLETE_TX),
      .before = 90, .why = NEW_90_WHY },
    { .opcodes = { PTX_OP_TENSORMAP, PTX_OP_WGMMA }, .before = 90, .why = NEW_90_WHY },
    { .opcodes = { PTX_OP_MULTIMEM, PTX_OP_MAPA }, .before = 90, .why = NEW_90_WHY },
    { .opcodes = { PTX_OP_GETCTARANK, PTX_OP_ELECT }, .before = 90, .why = NEW_90_WHY },
    /* Arithmetic */
    { ONE(FMA), .any = PTX_SET(OOB), .before = 90, .why = NEW_90_WHY },
    { .opcodes = { PTX_OP_SET, PTX_OP_SETP }, .types = T(BF16) | T(BF16X2), .before = 90,
      .why = NEW_90_WHY },
    { ONE(SET), .sources = T(BF16) | T(BF16X2), .before = 90, .why = NEW_90_WHY },
    { .opcodes = { PTX_OP_ADD, PTX_OP_SUB }, .types = T(F32), .sources = HALVES, .before = 100,
      .why = "sums of .f32 and halves are there since sm_100" },
    { ONE(FMA), .types = T(F32), .sources = HALVES, .before = 100,
      .why = "sums of .f32 and halves are there since sm_100" },
    { .opcodes = { PTX_OP_MIN, PTX_OP_MAX }, .types = T(F32), .operands = 4, .before = 100,
      .why = "that of three numbers is there since sm_100" },
};

static bool is_empty(const struct ptx_modifiers *set)
{
    for (unsigned i = 0; i < PTX_MODIFIER_WORDS; i++)
        if (set->bits[i]) return false;
    return true;
}

static bool meets(const struct ptx_modifiers *set, const struct ptx_modifiers *said)
{
    for (unsigned i = 0; i < PTX_MODIFIER_WORDS; i++)
        if (set->bits[i] & said->bits[i]) return true;
    return false;
}

static bool holds(const struct rule *rule, const struct ptx_instruction *instruction,
                  uint32_t target)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    const uint32_t types = instruction->type_count;
    return (!rule->before || target < rule->before) &&
           (is_empty(&rule->any) || meets(&rule->any, said)) &&
           (is_empty(&rule->also) || meets(&rule->also, said)) && !meets(&rule->none, said) &&
           (!rule->types || (types > 0 && rule->types >> instruction->types[0] & 1)) &&
           (!rule->sources || (types > 1 && rule->sources >> instruction->types[1] & 1)) &&
           (!rule->spaces || rule->spaces >> instruction->spaces[0] & 1) &&
           (!rule->operands || rule->operands == instruction->operand_count);
}

const char *ptx_broken_rule(const struct ptx_instruction *instruction, uint32_t target)
{
    if (target < FIRST_TARGET) return NULL;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if ((rules[i].opcodes[0] == instruction->opcode ||
             rules[i].opcodes[1] == instruction->opcode) &&
            holds(&rules[i], instruction, target))
            return rules[i].why;
    return NULL;
}
