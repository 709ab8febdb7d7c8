/* SPDX-License-Identifier: Apache-2.0
 *
 * Most registers are written and read in one stretch of code without jumps: they are needed
 * from the first use to the last.  For the others a data flow analysis finds which of them
 * are needed at the beginning of each block, from the blocks that can follow, until nothing
 * changes.  A lane takes its own way through the blocks and columns have an element for each
 * lane, so it does not matter here that other lanes take another way.
 *
 * If that would take too much memory or time, the others keep a place each.
 */
#include "ptx/lower/liveness.h"

#include "base/alloc.h"

#define MOST_BYTES ((size_t)16 << 20) /* of sets                                          */
#define MOST_WORDS ((size_t)4 << 20)  /* of sets that lists of labels add in each pass    */
enum { MOST_PASSES = 32 };

/* A summary of a column's uses. */
struct summary {
    uint32_t block;      /* the block of all uses; PTX_NONE if several                  */
    uint32_t first;      /* instruction                                                 */
    bool used, written_first;
    uint32_t wanderer;   /* number among those that are needed in several blocks        */
};

struct flow {
    struct ptx_lowering *lowering;
    struct lower_live *live;
    struct summary *columns;
    uint32_t *block_of;  /* by instruction, the end included                            */
    uint32_t *first;     /* instruction, by block, and one past the last                */
    uint32_t *first_aim; /* likewise: of the jumps                                      */
    uint32_t count;      /* of blocks                                                   */
    uint32_t tables;     /* sets that follow the blocks': all that a table leads to     */
    uint32_t *wanderers; /* columns                                                     */
    uint32_t wanderer_count, words;
    uint64_t *sets, *in, *reads, *writes, *out; /* `words` for each block; `out` once   */
};

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Returns true if what follows an instruction can be reached from it. */
static bool goes_on(const struct ptx_instruction *instruction)
{
    if (instruction->guard != PTX_NONE) return true;
    switch (instruction->opcode) {
    case PTX_OP_BRA:
    case PTX_OP_BRX:
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_TRAP: return false;
    default: return true;
    }
}

static bool is_jump(const struct ptx_instruction *instruction)
{
    return instruction->opcode == PTX_OP_BRA || instruction->opcode == PTX_OP_BRX ||
           !goes_on(instruction);
}

static void find_blocks(struct flow *flow, uint8_t *begins)
{
    const struct ptx_lowering *lowering = flow->lowering;
    const struct ptx_function *function = lowering->function;
    uint32_t count = function->instruction_count;
    begins[0] = 1;
    for (uint32_t i = 0; i < function->label_count; i++) begins[function->labels[i].at] = 1;
    for (uint32_t i = 0; i < count; i++)
        if (is_jump(&function->instructions[i])) begins[i + 1] = 1;
    uint32_t aim = 0;
    for (uint32_t i = 0; i <= count; i++) {
        if (begins[i]) {
            while (aim < lowering->aim_count && lowering->aims[aim].instruction < i) aim++;
            flow->first[flow->count] = i;
            flow->first_aim[flow->count++] = aim;
        }
        flow->block_of[i] = flow->count - 1;
    }
    flow->first[flow->count] = count + 1;
    flow->first_aim[flow->count] = lowering->aim_count;
}

static bool open_flow(struct flow *flow)
{
    struct ptx_lowering *lowering = flow->lowering;
    size_t instructions = (size_t)lowering->function->instruction_count + 2;
    size_t columns = (size_t)lowering->column_count + 1;
    uint8_t *begins = ptx_arena_get(lowering->scratch, instructions);
    uint32_t *numbers = ptx_arena_get(lowering->scratch,
                                      (3 * instructions + columns) * sizeof *numbers);
    flow->columns = ptx_arena_get(lowering->scratch, columns * sizeof *flow->columns);
    flow->live->spans = ptx_arena_get(lowering->scratch, columns * sizeof *flow->live->spans);
    if (!begins || !numbers || !flow->columns || !flow->live->spans) return false;
    flow->block_of = numbers;
    flow->first = numbers + instructions;
    flow->first_aim = numbers + 2 * instructions;
    flow->wanderers = numbers + 3 * instructions;
    flow->live->places = 2 * (uint32_t)instructions;
    flow->tables = lowering->function->table_count;
    find_blocks(flow, begins);
    return true;
}

/* ---- Uses ------------------------------------------------------------------------------------ */

static void summarize_uses(struct flow *flow)
{
    const struct ptx_lowering *lowering = flow->lowering;
    for (uint32_t i = 0; i < lowering->use_count; i++) {
        const struct lower_use *use = &lowering->uses[i];
        struct summary *column = &flow->columns[use->column];
        uint32_t block = flow->block_of[use->instruction];
        bool writes = use->writes && !use->partly;
        if (!column->used) {
            *column = (struct summary){ block, use->instruction, true, writes, PTX_NONE };
            continue;
        }
        if (column->block != block) column->block = PTX_NONE;
        if (use->instruction == column->first && !writes) column->written_first = false;
    }
    for (uint32_t i = 0; i < lowering->column_count; i++) {
        struct summary *column = &flow->columns[i];
        if (!column->used || (column->block != PTX_NONE && column->written_first)) continue;
        column->wanderer = flow->wanderer_count;
        flow->wanderers[flow->wanderer_count++] = i;
    }
}

static void widen_span(struct lower_span *span, uint32_t from, uint32_t to)
{
    if (from < span->from) span->from = from;
    if (span->to == PTX_NONE || to > span->to) span->to = to;
}

/* Finds spans from the uses alone. */
static void span_uses(struct flow *flow)
{
    const struct ptx_lowering *lowering = flow->lowering;
    struct lower_span *spans = flow->live->spans;
    for (uint32_t i = 0; i < lowering->column_count; i++) {
        const struct lower_column *column = &lowering->columns[i];
        spans[i] = (struct lower_span){ PTX_NONE, PTX_NONE };
        if (column->kind == LOWER_TEMPORARY)
            spans[i] = (struct lower_span){ 2 * column->instruction,
                                            2 * column->instruction + 1 };
    }
    for (uint32_t i = 0; i < lowering->use_count; i++) {
        const struct lower_use *use = &lowering->uses[i];
        uint32_t at = 2 * use->instruction;
        if (!lowering->alone[use->instruction]) widen_span(&spans[use->column], at, at + 1);
        else widen_span(&spans[use->column], at + use->writes, at + use->writes);
    }
}

/* ---- Sets ------------------------------------------------------------------------------------ */

static bool open_sets(struct flow *flow)
{
    size_t blocks = (size_t)flow->count + flow->tables, words = flow->words;
    flow->sets = rl_zalloc((3 * blocks + 1) * words * sizeof *flow->sets);
    if (!flow->sets) return false;
    flow->in = flow->sets;
    flow->reads = flow->in + blocks * words;
    flow->writes = flow->reads + blocks * words;
    flow->out = flow->writes + blocks * words;
    return true;
}

static void set_bit(uint64_t *set, uint32_t number)
{
    set[number / 64] |= UINT64_C(1) << number % 64;
}

static bool has_bit(const uint64_t *set, uint32_t number)
{
    return set[number / 64] >> number % 64 & 1;
}

/* Finds what a block reads before it has written it, and what it certainly writes.  An
 * instruction reads first, in whatever order its uses were recorded. */
static void fill_sets(struct flow *flow)
{
    const struct ptx_lowering *lowering = flow->lowering;
    for (uint32_t i = 0, end; i < lowering->use_count; i = end) {
        uint32_t instruction = lowering->uses[i].instruction;
        size_t row = (size_t)flow->block_of[instruction] * flow->words;
        for (end = i; end < lowering->use_count; end++)
            if (lowering->uses[end].instruction != instruction) break;
        for (int writing = 0; writing < 2; writing++)
            for (uint32_t n = i; n < end; n++) {
                const struct lower_use *use = &lowering->uses[n];
                uint32_t number = flow->columns[use->column].wanderer;
                bool writes = use->writes && !use->partly &&
                              !lowering->columns[use->column].scoped;
                if (number == PTX_NONE || writes != writing) continue;
                if (writes) set_bit(flow->writes + row, number);
                else if (!has_bit(flow->writes + row, number)) set_bit(flow->reads + row, number);
            }
    }
}

static void add_row(struct flow *flow, uint64_t *to, uint32_t from)
{
    const uint64_t *row = flow->in + (size_t)from * flow->words;
    for (uint32_t w = 0; w < flow->words; w++) to[w] |= row[w];
}

static uint32_t block_of_label(const struct flow *flow, uint32_t label)
{
    return flow->block_of[flow->lowering->function->labels[label].at];
}

/* Finds what is needed after a block, into `out`. */
static void find_out(struct flow *flow, uint32_t block)
{
    const struct ptx_lowering *lowering = flow->lowering;
    const struct ptx_function *function = lowering->function;
    uint32_t last = flow->first[block + 1] - 1;
    for (uint32_t w = 0; w < flow->words; w++) flow->out[w] = 0;
    for (uint32_t i = flow->first_aim[block]; i < flow->first_aim[block + 1]; i++)
        add_row(flow, flow->out, block_of_label(flow, lowering->aims[i].label));
    if (last >= function->instruction_count) return;
    const struct ptx_instruction *instruction = &function->instructions[last];
    if (goes_on(instruction) && block + 1 < flow->count)
        add_row(flow, flow->out, block + 1);
    if (instruction->opcode != PTX_OP_BRX) return;
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == PTX_OPERAND_TABLE)
            add_row(flow, flow->out, flow->count + instruction->operands[i].index);
}

static void pass_tables(struct flow *flow)
{
    const struct ptx_lowering *lowering = flow->lowering;
    for (uint32_t t = 0; t < flow->tables; t++) {
        const struct ptx_table *table = &lowering->function->tables[t];
        if (!table->labels) continue;
        uint64_t *row = flow->in + ((size_t)flow->count + t) * flow->words;
        for (uint32_t i = 0; i < table->count; i++)
            add_row(flow, row, block_of_label(flow, table->items[i]));
    }
}

static bool flow_once(struct flow *flow)
{
    bool changed = false;
    pass_tables(flow);
    for (uint32_t block = flow->count; block-- > 0;) {
        size_t row = (size_t)block * flow->words;
        find_out(flow, block);
        for (uint32_t w = 0; w < flow->words; w++) {
            uint64_t in = flow->reads[row + w] | (flow->out[w] & ~flow->writes[row + w]);
            changed |= in != flow->in[row + w];
            flow->in[row + w] = in;
        }
    }
    return changed;
}

/* Extends spans from the first block that is entered with a column to the last that is left
 * with it.  Every set is looked at, but each column is found only twice. */
static void span_blocks(struct flow *flow)
{
    struct lower_span *spans = flow->live->spans;
    uint64_t *seen = flow->writes;
    for (uint32_t w = 0; w < flow->words; w++) seen[w] = 0;
    for (uint32_t block = 0; block < flow->count; block++)
        for (uint32_t w = 0; w < flow->words; w++) {
            uint64_t found = flow->in[(size_t)block * flow->words + w] & ~seen[w];
            seen[w] |= found;
            for (; found; found &= found - 1) {
                uint32_t column = flow->wanderers[64 * w + (uint32_t)__builtin_ctzll(found)];
                uint32_t at = 2 * flow->first[block];
                widen_span(&spans[column], at, at);
                if (block == 0) flow->lowering->columns[column].cleared = true;
            }
        }
    for (uint32_t w = 0; w < flow->words; w++) seen[w] = 0;
    for (uint32_t block = flow->count; block-- > 0;) {
        find_out(flow, block);
        for (uint32_t w = 0; w < flow->words; w++) {
            uint64_t found = flow->out[w] & ~seen[w];
            seen[w] |= found;
            for (; found; found &= found - 1) {
                uint32_t column = flow->wanderers[64 * w + (uint32_t)__builtin_ctzll(found)];
                uint32_t at = 2 * flow->first[block + 1] - 1;
                widen_span(&spans[column], at, at);
            }
        }
    }
}

/* Lets every wanderer keep a place of its own. */
static void keep_wanderers(struct flow *flow)
{
    for (uint32_t i = 0; i < flow->wanderer_count; i++) {
        uint32_t column = flow->wanderers[i];
        flow->live->spans[column] = (struct lower_span){ PTX_NONE, PTX_NONE };
        flow->lowering->columns[column].cleared = true;
    }
}

static bool is_too_much(const struct flow *flow)
{
    const struct ptx_function *function = flow->lowering->function;
    size_t row = 3 * (size_t)flow->words * sizeof *flow->sets, listed = 0;
    for (uint32_t t = 0; t < function->table_count; t++) listed += function->tables[t].count;
    return (size_t)flow->count + flow->tables > MOST_BYTES / row ||
           listed > MOST_WORDS / flow->words;
}

static rill_status follow_wanderers(struct flow *flow)
{
    flow->words = (flow->wanderer_count + 63) / 64;
    if (flow->words == 0) return RILL_SUCCESS;
    if (is_too_much(flow)) {
        keep_wanderers(flow);
        return RILL_SUCCESS;
    }
    if (!open_sets(flow)) return ptx_lower_no_memory(flow->lowering);
    fill_sets(flow);
    int passes = 0;
    while (flow_once(flow))
        if (++passes == MOST_PASSES) break;
    if (passes < MOST_PASSES) span_blocks(flow);
    else keep_wanderers(flow);
    rl_free(flow->sets);
    return RILL_SUCCESS;
}

rill_status ptx_lower_live(struct ptx_lowering *lowering, struct lower_live *live)
{
    struct flow flow = { .lowering = lowering, .live = live };
    if (!open_flow(&flow)) return ptx_lower_no_memory(lowering);
    summarize_uses(&flow);
    span_uses(&flow);
    return follow_wanderers(&flow);
}
