/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's memory, and what else kernels reach.
 */
#include "machine_parts.h"

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

struct place *place_add(struct machine *machine, size_t bytes)
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

void place_drop(struct machine *machine, size_t at)
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
        extent->host = (unsigned char *)place->memory;
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

void machine_make_host(struct machine *machine)
{
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
