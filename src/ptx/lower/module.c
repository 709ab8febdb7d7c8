/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole module: addresses of its variables, its kernels and what they need, and every
 * function that can run.
 */
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "ptx/affine/abreast.h"
#include "ptx/lower/state.h"
#include "ptx/texture/texture.h"
#include "site/plain.h"

#define INVALID RILL_ERROR_INVALID_PTX
enum { THREADS = 1024 };

struct build {
    struct ptx_code *code;
    const struct ptx_module *module;
    const struct ptx_linkage *linkage;
    struct ptx_refusal *refusal;
    struct ptx_arena *scratch;
    struct lower_layout layout;
    uint32_t *kernel_of; /* by function                                                 */
    bool functions_await; /* a function that is no kernel has griddepcontrol.wait       */
};

/* ---- Variables ----------------------------------------------------------------------------- */

/* Checks the addresses in what a variable begins with.  A variable that is declared and
 * nowhere defined does no harm until something needs its address. */
static rill_status check_initial(struct build *build, const struct ptx_variable *variable)
{
    const struct ptx_variable *variables = build->module->variables;
    for (uint32_t i = 0; i < variable->link_count; i++) {
        const struct ptx_link *link = &variable->links[i];
        if (!link->to_function && variables[link->index].external)
            return ptx_lower_refuse(build->refusal, &variable->place, variable->name, INVALID,
                                    "it points at %s, which is declared and nowhere defined",
                                    variables[link->index].name);
    }
    return RILL_SUCCESS;
}

static rill_status place_variable(struct build *build, uint32_t index)
{
    const struct ptx_variable *variable = &build->module->variables[index];
    uint64_t *address = &build->code->variables[index];
    if (variable->space == PTX_SHARED || variable->space == PTX_LOCAL)
        *address = build->layout.module_places[index];
    else if (ptx_is_reference(variable))
        *address = PTX_REFERENCE(ptx_count_references(build->module, index));
    else if (!variable->external)
        *address = build->linkage->variable(build->linkage->data, index);
    return check_initial(build, variable);
}

static rill_status place_variables(struct build *build)
{
    uint32_t count = build->module->variable_count;
    build->code->variables = ptx_arena_get(build->code->arena,
                                           ((size_t)count + 1) * sizeof(uint64_t));
    if (!build->code->variables) return ptx_lower_refuse_memory(build->refusal);
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < count && !status; i++) status = place_variable(build, i);
    return status;
}

/* Returns an address; those of .global and .const are generic already. */
static uint64_t address_of(const struct ptx_code *code, const struct ptx_link *link)
{
    return link->to_function ? PTX_FUNCTION_ADDRESS(link->index) : code->variables[link->index];
}

void ptx_code_initial(const struct ptx_code *code, uint32_t index, unsigned char *bytes)
{
    const struct ptx_variable *variable = &code->module->variables[index];
    uint64_t given = variable->initial_bytes < variable->bytes ? variable->initial_bytes
                                                               : variable->bytes;
    memset(bytes, 0, variable->bytes);
    if (given) memcpy(bytes, variable->initial, given);
    for (uint32_t i = 0; i < variable->link_count; i++) {
        const struct ptx_link *link = &variable->links[i];
        uint64_t address = address_of(code, link) + (uint64_t)link->addend;
        address = link->shift < 64 ? address >> link->shift : 0;
        for (uint32_t b = 0; b < link->bytes && b < 8; b++)
            if (link->offset + b < variable->bytes)
                bytes[link->offset + b] = (unsigned char)(address >> 8 * b);
    }
}

/* ---- Kernels ------------------------------------------------------------------------------- */

/* Returns the threads of a shape, limited to what a block can have. */
static uint32_t threads_of_shape(const uint32_t shape[3])
{
    uint64_t threads = 1;
    for (unsigned i = 0; i < 3 && threads < THREADS; i++) threads *= shape[i];
    return threads < THREADS ? (uint32_t)threads : THREADS;
}

static bool has_grid_wait(const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *at = &function->instructions[i];
        if (at->opcode == PTX_OP_GRIDDEPCONTROL && ptx_has(&at->modifiers, PTX_MOD_WAIT))
            return true;
    }
    return false;
}

static void note_facts(struct build *build, struct ptx_kernel *kernel)
{
    const struct ptx_function *function = &build->module->functions[kernel->program];
    struct ptx_kernel_facts *facts = &kernel->facts;
    facts->param_bytes = kernel->param_bytes;
    facts->param_count = function->param_count;
    facts->reference_count = kernel->reference_count;
    facts->references_at = kernel->references_at;
    facts->static_shared = ptx_lower_shared_of(&build->layout, kernel->program);
    facts->max_threads = THREADS;
    if (function->max_threads[0]) facts->max_threads = threads_of_shape(function->max_threads);
    if (function->required_threads[0])
        facts->max_threads = threads_of_shape(function->required_threads);
    facts->awaits_grid = build->functions_await || has_grid_wait(function);
    memcpy(facts->required, function->required_threads, sizeof facts->required);
    memcpy(facts->cluster, function->cluster, sizeof facts->cluster);
}

/* Places the parameters, each where its alignment puts it; the reader has checked that they
 * are not too many. */
static rill_status place_params(struct build *build, struct ptx_kernel *kernel)
{
    const struct ptx_function *function = &build->module->functions[kernel->program];
    uint64_t end = 0;
    kernel->param_offsets = ptx_arena_get(build->code->arena, ((size_t)function->param_count + 1) *
                                                              sizeof *kernel->param_offsets);
    if (!kernel->param_offsets) return ptx_lower_refuse_memory(build->refusal);
    for (uint32_t i = 0; i < function->param_count; i++) {
        const struct ptx_variable *param = &function->variables[function->params[i]];
        end = (end + param->alignment - 1) & ~((uint64_t)param->alignment - 1);
        kernel->param_offsets[i] = (uint32_t)end;
        end += param->bytes;
    }
    kernel->param_bytes = (uint32_t)end;
    kernel->reference_count =
        ptx_count_references(build->module, build->module->variable_count);
    kernel->packed_bytes = kernel->param_bytes;
    if (kernel->reference_count) {
        kernel->references_at = (kernel->param_bytes + 7) & ~7u;
        kernel->packed_bytes = kernel->references_at + 8 * kernel->reference_count;
    }
    return RILL_SUCCESS;
}

static rill_status describe_kernel(struct build *build, struct ptx_kernel *kernel)
{
    const struct ptx_function *function = &build->module->functions[kernel->program];
    rill_status status = place_params(build, kernel);
    if (status) return status;
    kernel->code = build->code;
    kernel->static_shared = build->layout.dynamic[kernel->program];
    note_facts(build, kernel);
    if (kernel->facts.static_shared > LOWER_MOST_STATIC)
        return ptx_lower_refuse(build->refusal, &function->place, function->name, INVALID,
                                "the kernel has %u bytes in shared variables, and there are %u",
                                kernel->facts.static_shared, LOWER_MOST_STATIC);
    return RILL_SUCCESS;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct ptx_kernel *)a)->name, ((const struct ptx_kernel *)b)->name);
}

static rill_status list_kernels(struct build *build)
{
    const struct ptx_module *module = build->module;
    struct ptx_code *code = build->code;
    size_t count = (size_t)module->function_count + 1;
    build->kernel_of = ptx_arena_get(build->scratch, count * sizeof *build->kernel_of);
    for (uint32_t i = 0; i < module->function_count; i++)
        code->kernel_count += module->functions[i].entry && build->layout.runs[i];
    code->kernels = ptx_arena_get(code->arena,
                                  ((size_t)code->kernel_count + 1) * sizeof *code->kernels);
    if (!build->kernel_of || !code->kernels) return ptx_lower_refuse_memory(build->refusal);
    uint32_t listed = 0;
    for (uint32_t i = 0; i < module->function_count; i++) {
        if (!module->functions[i].entry)
            build->functions_await |= has_grid_wait(&module->functions[i]);
        if (!module->functions[i].entry || !build->layout.runs[i]) continue;
        code->kernels[listed].name = module->functions[i].name;
        cs_plain_prepare(module->functions[i].name);
        code->kernels[listed++].program = i;
    }
    qsort(code->kernels, code->kernel_count, sizeof *code->kernels, by_name);
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < code->kernel_count && !status; i++) {
        build->kernel_of[code->kernels[i].program] = i;
        status = describe_kernel(build, &code->kernels[i]);
    }
    return status;
}

const struct ptx_kernel *ptx_code_kernel(const struct ptx_code *code, const char *name)
{
    struct ptx_kernel key = { .name = name };
    if (!code->kernel_count) return NULL;
    return bsearch(&key, code->kernels, code->kernel_count, sizeof key, by_name);
}

void ptx_kernel_facts(const struct ptx_kernel *kernel, struct ptx_kernel_facts *facts)
{
    *facts = kernel->facts;
}

uint32_t ptx_kernel_param(const struct ptx_kernel *kernel, uint32_t index)
{
    return kernel->param_offsets[index];
}

const char *ptx_kernel_unsupported(const struct ptx_kernel *kernel)
{
    return kernel->unsupported;
}

/* ---- Functions ----------------------------------------------------------------------------- */

enum { REGISTERS = 255 }; /* of a thread, on hardware                                      */

static void finish_facts(struct ptx_kernel *kernel)
{
    const struct ptx_program *program = &kernel->code->programs[kernel->program];
    uint32_t registers = (program->lane_bytes + 3) / 4;
    kernel->facts.local_bytes = program->local_bytes;
    kernel->facts.registers = registers < REGISTERS ? registers : REGISTERS;
    /* The lanes alone are the reference, also for blocks that are not abreast. */
    kernel->abreast = program->steps && kernel->code->way != PTX_BY_LANES &&
                      ptx_may_run_abreast(program->function, &kernel->meets);
}

static rill_status lower_functions(struct build *build)
{
    const struct ptx_module *module = build->module;
    struct ptx_code *code = build->code;
    code->programs = ptx_arena_get(code->arena, ((size_t)module->function_count + 1) *
                                                sizeof *code->programs);
    if (!code->programs) return ptx_lower_refuse_memory(build->refusal);
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < module->function_count && !status; i++) {
        if (!build->layout.runs[i]) continue;
        struct ptx_kernel *kernel =
            module->functions[i].entry ? &code->kernels[build->kernel_of[i]] : NULL;
        status = ptx_lower_function(code, &build->layout, i, kernel, build->refusal);
        if (!status && kernel) finish_facts(kernel);
    }
    return status;
}

/* Finds what kernels need that call functions. */
static rill_status measure_calls(struct build *build)
{
    struct ptx_code *code = build->code;
    const size_t bytes = build->layout.nodes * sizeof(uint32_t);
    uint32_t *depths = ptx_arena_get(build->scratch, bytes);
    uint32_t *next = ptx_arena_get(build->scratch, bytes);
    uint32_t *list = ptx_arena_get(build->scratch, bytes);
    if (!depths || !next || !list) return ptx_lower_refuse_memory(build->refusal);
    ptx_lower_measure(&build->layout, depths, next, list);
    for (uint32_t i = 0; i < code->kernel_count; i++)
        code->kernels[i].call_depth = depths[code->kernels[i].program];
    for (uint32_t i = 0; i < build->module->function_count; i++) {
        const struct ptx_program *program = &code->programs[i];
        if (build->module->functions[i].entry || !program->steps) continue;
        if (!code->widest || program->lane_bytes > code->widest->lane_bytes)
            code->widest = program;
        if (program->local_bytes > code->most_local) code->most_local = program->local_bytes;
    }
    return RILL_SUCCESS;
}

/* Builds the code.  Without a linkage only the kernels are listed. */
static rill_status build_code(struct build *build)
{
    rill_status status = ptx_lower_layout(build->module, build->linkage, build->scratch,
                                          build->refusal, &build->layout);
    if (!status && build->linkage) status = place_variables(build);
    if (!status) status = list_kernels(build);
    if (status || !build->linkage) return status;
    status = lower_functions(build);
    if (!status) status = measure_calls(build);
    if (!status) status = ptx_lower_find_unsupported(build->code, &build->layout, build->refusal);
    return status;
}

/* Finds how steps are run: RILL_PTX_CODE says so, for those who want to compare. */
static rill_status find_way(struct build *build)
{
    static const char *const words[] = { [PTX_BY_AFFINE] = "affine", [PTX_BY_LANES] = "lanes",
                                         [PTX_BY_BOTH] = "both" };
    static const struct ptx_place start = { 1, 1 };
    const char *said = rl_getenv("RILL_PTX_CODE");
    if (!said || !*said) return RILL_SUCCESS;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(said, words[i])) {
            build->code->way = (enum ptx_way)i;
            return RILL_SUCCESS;
        }
    return ptx_lower_refuse(build->refusal, &start, "RILL_PTX_CODE", RILL_ERROR_INVALID_VALUE,
                            "there is no way '%.64s' to run steps: affine, lanes or both", said);
}

static struct ptx_code *open_code(const struct ptx_module *module, const struct ptx_limits *given)
{
    struct ptx_limits limits = ptx_limits_of(given);
    struct ptx_arena *arena = ptx_arena_open(limits.module_bytes);
    struct ptx_code *code = arena ? ptx_arena_get(arena, sizeof *code) : NULL;
    if (!code) {
        ptx_arena_close(arena);
        return NULL;
    }
    code->arena = arena;
    code->module = module;
    code->limits = limits;
    return code;
}

rill_status ptx_compile(const struct ptx_module *module, const struct ptx_linkage *linkage,
                        const struct ptx_limits *limits, struct ptx_code **code,
                        struct ptx_refusal *refusal)
{
    struct build build = { .module = module, .linkage = linkage, .refusal = refusal };
    memset(refusal, 0, sizeof *refusal);
    build.code = open_code(module, limits);
    if (!build.code) return ptx_lower_refuse_memory(refusal);
    build.scratch = ptx_arena_open(build.code->limits.module_bytes);
    rill_status status = build.scratch ? find_way(&build) : ptx_lower_refuse_memory(refusal);
    if (!status) status = build_code(&build);
    ptx_arena_close(build.scratch);
    if (status) ptx_code_free(build.code);
    else *code = build.code;
    return status;
}

rill_status ptx_list_kernels(const struct ptx_module *module, struct ptx_code **code,
                             struct ptx_refusal *refusal)
{
    return ptx_compile(module, NULL, NULL, code, refusal);
}

void ptx_code_free(struct ptx_code *code)
{
    if (code) ptx_arena_close(code->arena);
}
