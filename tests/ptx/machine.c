/* SPDX-License-Identifier: Apache-2.0 */
#include "machine_parts.h"

/* ---- Modules ---------------------------------------------------------------------- */

struct machine *machine_open(void)
{
    struct machine *machine = calloc(1, sizeof *machine);
    if (!machine) abort();
    pthread_mutex_init(&machine->lock, NULL);
    machine->heap_limit = 1 << 20;
    machine->live = rl_alloc_live();
    machine_make_host(machine);
    return machine;
}

static void unload(struct machine *machine)
{
    ptx_code_free(machine->code);
    ptx_module_free(machine->module);
    machine->code = NULL;
    machine->module = NULL;
    free(machine->variables);
    machine->variables = NULL;
    for (size_t i = machine->place_count; i-- > 0;)
        if (machine->places[i].variable) place_drop(machine, i);
}

void machine_close(struct machine *machine)
{
    unload(machine);
    long live = rl_alloc_live();
    while (machine->place_count) place_drop(machine, machine->place_count - 1);
    long before = machine->live;
    free(machine->places);
    free(machine->printed);
    pthread_mutex_destroy(&machine->lock);
    free(machine);
    assert_int_equal(live, before);
}

static bool is_addressed(const struct ptx_variable *variable)
{
    return variable->space == PTX_GLOBAL || variable->space == PTX_CONST;
}

static uint64_t linkage_variable(void *data, uint32_t index)
{
    const struct machine *machine = data;
    return (uintptr_t)machine->variables[index];
}

static bool linkage_replaced(void *data, const char *kernel)
{
    (void)data, (void)kernel;
    return false;
}

static void place_variables(struct machine *machine)
{
    const struct ptx_module *module = machine->module;
    machine->variables = calloc(module->variable_count + 1u, sizeof *machine->variables);
    if (!machine->variables) abort();
    for (uint32_t i = 0; i < module->variable_count; i++) {
        if (!is_addressed(&module->variables[i])) continue;
        struct place *place = place_add(machine, (size_t)module->variables[i].bytes);
        place->variable = true;
        place->constant = module->variables[i].space == PTX_CONST;
        machine->variables[i] = place->memory;
    }
}

static void fill_variables(struct machine *machine)
{
    const struct ptx_module *module = machine->module;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        if (!is_addressed(&module->variables[i])) continue;
        ptx_code_initial(machine->code, i, machine->variables[i]);
    }
}

rill_status machine_try_load(struct machine *machine, const char *text, size_t bytes,
                             const struct ptx_limits *limits, struct ptx_refusal *refusal)
{
    struct ptx_module *module;
    unload(machine);
    memset(refusal, 0, sizeof *refusal);
    rill_status status = ptx_read(text, bytes, limits, &module, refusal);
    return status ? status : machine_try_take(machine, module, limits, refusal);
}

rill_status machine_try_take(struct machine *machine, struct ptx_module *module,
                             const struct ptx_limits *limits, struct ptx_refusal *refusal)
{
    unload(machine);
    machine->module = module;
    place_variables(machine);
    struct ptx_linkage linkage = { machine, linkage_variable, linkage_replaced };
    rill_status status = ptx_compile(machine->module, &linkage, limits, &machine->code, refusal);
    if (status) {
        machine->code = NULL;
        unload(machine);
        return status;
    }
    fill_variables(machine);
    return RILL_SUCCESS;
}

void machine_load(struct machine *machine, const char *text)
{
    struct ptx_refusal refusal;
    rill_status status = machine_try_load(machine, text, strlen(text), NULL, &refusal);
    if (status)
        fail_msg("status %d, line %u, column %u: %s", (int)status, refusal.line, refusal.column,
                 refusal.message);
}

void machine_refuses(struct machine *machine, const char *text, rill_status status,
                     const char *words, const char *more)
{
    struct ptx_refusal refusal;
    rill_status got = machine_try_load(machine, text, strlen(text), NULL, &refusal);
    if (got == status && strstr(refusal.message, words) && strstr(refusal.message, more)) return;
    fail_msg("status %d, not %d, of \"%s\"", (int)got, (int)status, refusal.message);
}

const struct ptx_module *machine_module(struct machine *machine)
{
    return machine->module;
}

const struct ptx_code *machine_code(struct machine *machine)
{
    return machine->code;
}

void *machine_variable(struct machine *machine, const char *name, size_t *bytes)
{
    const struct ptx_variable *variable = ptx_find_variable(machine->module, name);
    if (!variable) fail_msg("there is no variable %s", name);
    if (bytes) *bytes = (size_t)variable->bytes;
    return machine->variables[variable - machine->module->variables];
}

/* ---- Launches --------------------------------------------------------------------- */

static void copy_extent(uint32_t to[3], const uint32_t from[3])
{
    for (int i = 0; i < 3; i++) to[i] = from[i] ? from[i] : 1;
}

static void *run_blocks(void *grid)
{
    return (void *)(uintptr_t)ptx_grid_run(grid);
}

/* Exactly one of the threads learns that the grid is done. */
static void run_grid(struct ptx_grid *grid, unsigned threads)
{
    pthread_t others[64];
    unsigned other_count = threads > 1 ? threads - 1 : 0;
    assert_true(other_count <= 64);
    for (unsigned i = 0; i < other_count; i++)
        assert_int_equal(pthread_create(&others[i], NULL, run_blocks, grid), 0);
    unsigned told = ptx_grid_run(grid);
    for (unsigned i = 0; i < other_count; i++) {
        void *last;
        assert_int_equal(pthread_join(others[i], &last), 0);
        told += (unsigned)(uintptr_t)last;
    }
    assert_int_equal(told, 1);
    assert_false(ptx_grid_has_more(grid));
}

rill_status machine_launch(struct machine *machine, const char *name,
                           const struct machine_shape *shape, const void *params, size_t bytes)
{
    const struct ptx_kernel *kernel = ptx_code_kernel(machine->code, name);
    if (!kernel) fail_msg("there is no kernel %s", name);
    if (ptx_kernel_unsupported(kernel)) fail_msg("%s", ptx_kernel_unsupported(kernel));
    struct ptx_kernel_facts facts;
    ptx_kernel_facts(kernel, &facts);
    if (bytes < facts.param_bytes || bytes >= facts.param_bytes + 16)
        fail_msg("%s takes %u bytes of parameters, not %zu", name, facts.param_bytes, bytes);

    memset(&machine->fault, 0, sizeof machine->fault);
    machine->printed_bytes = 0;
    if (machine->printed) machine->printed[0] = '\0';
    struct ptx_launch launch = {
        .dynamic_shared = shape->shared,
        .params = params,
        .grid_id = 1,
        .threads = shape->threads ? shape->threads : 1,
        .cooperative = shape->cooperative,
        .checks = shape->checks | machine->checks, .findings = shape->findings,
        .steps = shape->steps,
        .footprint = shape->footprint,
        .host = &machine->host,
        .fault = &machine->fault,
    };
    copy_extent(launch.grid, shape->grid);
    copy_extent(launch.block, shape->block);
    memcpy(launch.cluster, shape->cluster, sizeof launch.cluster);

    struct ptx_grid *grid = NULL;
    rill_status status = ptx_grid_open(kernel, &launch, &grid);
    if (status) return status;
    run_grid(grid, shape->threads);
    ptx_grid_close(grid);
    return (rill_status)atomic_load(&machine->fault.status);
}

void machine_check_all(struct machine *machine)
{
    machine->checks = PTX_CHECK_ALL;
}

void machine_run(struct machine *machine, const char *kernel, const struct machine_shape *shape,
                 const void *params, size_t bytes)
{
    rill_status status = machine_launch(machine, kernel, shape, params, bytes);
    if (status) fail_msg("status %d: %s", (int)status, machine->fault.message);
}

void machine_fails(struct machine *machine, const char *kernel, const struct machine_shape *shape,
                   const void *params, size_t bytes, rill_status status, const char *words,
                   const char *more)
{
    rill_status got = machine_launch(machine, kernel, shape, params, bytes);
    const char *message = machine->fault.message;
    if (got == status && strstr(message, words) && strstr(message, more)) return;
    fail_msg("status %d, not %d, of \"%s\"", (int)got, (int)status, message);
}

const struct ptx_fault *machine_fault(struct machine *machine)
{
    return &machine->fault;
}
