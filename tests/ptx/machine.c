/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define CHECKED_MEMORY 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__
#define CHECKED_MEMORY 1
#endif

/* Bytes of a known value around each allocation.  What checks memory sees the first byte
 * behind one by itself. */
#define GUARD 256
#ifdef CHECKED_MEMORY
#define GUARD_BEHIND 0
#else
#define GUARD_BEHIND 256
#endif
#define GUARD_BYTE 0xa5

enum place_state { IN_USE, READ_ONLY, GONE };

struct place {
    unsigned char *memory; /* behind the first guard */
    size_t bytes;
    enum place_state state;
    bool heap;             /* a kernel's malloc()    */
    bool variable;         /* of the module, ...     */
    bool constant;         /* ... in .const          */
};

/* An array in the order of addresses, under the machine's lock. */
struct machine {
    pthread_mutex_t lock;
    struct place *places;
    size_t place_count, place_room;
    _Atomic uint_least64_t changes;
    size_t heap_bytes, heap_limit;
    char *printed;
    size_t printed_bytes, printed_room;
    uint64_t conditional;
    uint32_t conditional_value;

    struct ptx_module *module;
    struct ptx_code *code;
    void **variables; /* by the module's index */
    struct ptx_host host;
    struct ptx_fault fault;
    long live;        /* allocations of the library before there was a module */
};

/* ---- Memory ----------------------------------------------------------------------- */

/* The first place that ends behind an address; with an empty one, that begins there. */
static size_t place_behind(const struct machine *machine, uint64_t address)
{
    size_t from = 0, to = machine->place_count;
    while (from < to) {
        size_t middle = (from + to) / 2;
        const struct place *place = &machine->places[middle];
        if ((uintptr_t)place->memory + place->bytes > address) to = middle;
        else from = middle + 1;
    }
    return from;
}

static struct place *place_around(const struct machine *machine, uint64_t address)
{
    size_t at = place_behind(machine, address);
    if (at == machine->place_count) return NULL;
    struct place *place = &machine->places[at];
    return (uintptr_t)place->memory <= address ? place : NULL;
}

static struct place *place_add(struct machine *machine, size_t bytes)
{
    if (machine->place_count == machine->place_room) {
        machine->place_room = machine->place_room ? 2 * machine->place_room : 64;
        machine->places = realloc(machine->places,
                                  machine->place_room * sizeof *machine->places);
        if (!machine->places) abort();
    }
    void *all = NULL;
    if (posix_memalign(&all, 256, GUARD + bytes + GUARD_BEHIND)) abort();
    memset(all, GUARD_BYTE, GUARD + bytes + GUARD_BEHIND);
    unsigned char *memory = (unsigned char *)all + GUARD;
    memset(memory, 0, bytes);

    size_t at = place_behind(machine, (uintptr_t)memory);
    memmove(&machine->places[at + 1], &machine->places[at],
            (machine->place_count - at) * sizeof *machine->places);
    machine->place_count++;
    machine->places[at] = (struct place){ .memory = memory, .bytes = bytes };
    return &machine->places[at];
}

static bool is_filled(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != GUARD_BYTE) return false;
    return true;
}

static void place_drop(struct machine *machine, size_t at)
{
    struct place place = machine->places[at];
    bool intact = is_filled(place.memory - GUARD, GUARD) &&
                  is_filled(place.memory + place.bytes, GUARD_BEHIND);
    machine->place_count--;
    memmove(&machine->places[at], &machine->places[at + 1],
            (machine->place_count - at) * sizeof *machine->places);
    free(place.memory - GUARD);
    if (!intact) fail_msg("something wrote around an allocation of %zu bytes", place.bytes);
}

void *machine_memory(struct machine *machine, size_t bytes)
{
    pthread_mutex_lock(&machine->lock);
    void *memory = place_add(machine, bytes)->memory;
    pthread_mutex_unlock(&machine->lock);
    return memory;
}

static void set_state(struct machine *machine, const void *memory, enum place_state state)
{
    pthread_mutex_lock(&machine->lock);
    struct place *place = place_around(machine, (uintptr_t)memory);
    if (place) place->state = state;
    atomic_fetch_add_explicit(&machine->changes, 1, memory_order_release);
    pthread_mutex_unlock(&machine->lock);
    assert_non_null(place);
}

void machine_forget(struct machine *machine, const void *memory)
{
    set_state(machine, memory, GONE);
}

void machine_protect(struct machine *machine, const void *memory)
{
    set_state(machine, memory, READ_ONLY);
}

void machine_heap_limit(struct machine *machine, size_t bytes)
{
    machine->heap_limit = bytes;
}

size_t machine_heap_live(struct machine *machine)
{
    size_t live = 0;
    for (size_t i = 0; i < machine->place_count; i++)
        live += machine->places[i].heap && machine->places[i].state != GONE;
    return live;
}

/* ---- What kernels reach ------------------------------------------------------------- */

static bool world_find(void *data, uint64_t address, struct ptx_extent *extent)
{
    struct machine *machine = data;
    pthread_mutex_lock(&machine->lock);
    const struct place *place = place_around(machine, address);
    bool found = place && place->state != GONE;
    if (found) {
        extent->base = (uintptr_t)place->memory;
        extent->end = extent->base + place->bytes;
        extent->read_only = place->state == READ_ONLY;
        extent->constant = place->constant;
    }
    pthread_mutex_unlock(&machine->lock);
    return found;
}

static void world_explain(void *data, uint64_t address, char *words, size_t room)
{
    struct machine *machine = data;
    pthread_mutex_lock(&machine->lock);
    const struct place *place = place_around(machine, address);
    if (place)
        snprintf(words, room, "%llu bytes into %zu bytes that were freed",
                 (unsigned long long)(address - (uintptr_t)place->memory), place->bytes);
    else
        snprintf(words, room, "in no allocation");
    pthread_mutex_unlock(&machine->lock);
}

static uint64_t world_allocate(void *data, uint64_t bytes)
{
    struct machine *machine = data;
    uint64_t address = 0;
    pthread_mutex_lock(&machine->lock);
    if (bytes <= machine->heap_limit - machine->heap_bytes) {
        struct place *place = place_add(machine, (size_t)bytes);
        place->heap = true;
        machine->heap_bytes += (size_t)bytes;
        address = (uintptr_t)place->memory;
    }
    pthread_mutex_unlock(&machine->lock);
    return address;
}

static bool world_release(void *data, uint64_t address)
{
    struct machine *machine = data;
    pthread_mutex_lock(&machine->lock);
    struct place *place = place_around(machine, address);
    bool good = place && place->heap && place->state != GONE &&
                address == (uintptr_t)place->memory;
    if (good) {
        place->state = GONE;
        machine->heap_bytes -= place->bytes;
        atomic_fetch_add_explicit(&machine->changes, 1, memory_order_release);
    }
    pthread_mutex_unlock(&machine->lock);
    return good;
}

static void world_print(void *data, const char *text, size_t bytes)
{
    struct machine *machine = data;
    pthread_mutex_lock(&machine->lock);
    if (machine->printed_bytes + bytes + 1 > machine->printed_room) {
        machine->printed_room = 2 * (machine->printed_bytes + bytes + 1);
        machine->printed = realloc(machine->printed, machine->printed_room);
        if (!machine->printed) abort();
    }
    memcpy(machine->printed + machine->printed_bytes, text, bytes);
    machine->printed_bytes += bytes;
    machine->printed[machine->printed_bytes] = '\0';
    pthread_mutex_unlock(&machine->lock);
}

static void world_set_conditional(void *data, uint64_t handle, uint32_t value)
{
    struct machine *machine = data;
    pthread_mutex_lock(&machine->lock);
    machine->conditional = handle;
    machine->conditional_value = value;
    pthread_mutex_unlock(&machine->lock);
}

static uint64_t world_now(void *data)
{
    (void)data;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const char *machine_printed(struct machine *machine)
{
    return machine->printed ? machine->printed : "";
}

uint64_t machine_conditional(struct machine *machine, uint32_t *value)
{
    *value = machine->conditional_value;
    return machine->conditional;
}

/* ---- Modules ---------------------------------------------------------------------- */

struct machine *machine_open(void)
{
    struct machine *machine = calloc(1, sizeof *machine);
    if (!machine) abort();
    pthread_mutex_init(&machine->lock, NULL);
    machine->heap_limit = 1 << 20;
    machine->live = rl_alloc_live();
    machine->host = (struct ptx_host){
        .data = machine,
        .find = world_find,
        .explain = world_explain,
        .changes = &machine->changes,
        .allocate = world_allocate,
        .release = world_release,
        .print = world_print,
        .set_conditional = world_set_conditional,
        .now = world_now,
    };
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
        .cooperative = shape->cooperative,
        .check_races = shape->check_races,
        .steps = shape->steps,
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
