/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of textures and surfaces.  A handle is a place in the table, from 1, and the number
 * of the texture that was put there.
 */
#include "ptx/texture/texture.h"

#include <string.h>

#include "base/alloc.h"
#include "base/lock.h"

#define PLACE_BITS 20
#define PLACE_MOST ((UINT64_C(1) << PLACE_BITS) - 2)

struct place {
    uint64_t handle; /* 0 if it is free */
    size_t next_free;
    struct ptx_texture texture;
};

static struct rl_lock lock; /* protects what follows */
static struct place *places;
static size_t room, count;
static size_t first_free; /* places from here on are a list, by numbers from 1 */
static uint64_t added;

/* Makes places, and puts them into the list.  Requires lock. */
static bool grow(void)
{
    size_t wanted = room ? 2 * room : 16;
    if (wanted > PLACE_MOST) return false;
    struct place *larger = rl_zalloc(wanted * sizeof *larger);
    if (!larger) return false;
    if (room) memcpy(larger, places, room * sizeof *larger);
    for (size_t i = wanted; i > room; i--) {
        larger[i - 1].next_free = first_free;
        first_free = i;
    }
    rl_free(places);
    places = larger;
    room = wanted;
    return true;
}

rill_status ptx_texture_add(const struct ptx_texture *texture, uint64_t *handle)
{
    rill_status status = RILL_SUCCESS;
    rl_lock(&lock);
    if (first_free || grow()) {
        struct place *place = &places[first_free - 1];
        *handle = place->handle = ++added << PLACE_BITS | first_free;
        first_free = place->next_free;
        place->texture = *texture;
        count++;
    } else {
        status = RILL_ERROR_OUT_OF_MEMORY;
    }
    rl_unlock(&lock);
    return status;
}

/* Returns NULL if there is none.  Requires lock. */
static struct place *find_place(uint64_t handle)
{
    size_t number = handle & ((UINT64_C(1) << PLACE_BITS) - 1);
    if (!number || number > room || places[number - 1].handle != handle) return NULL;
    return &places[number - 1];
}

rill_status ptx_texture_add_levels(struct ptx_texture *levels, unsigned level_count,
                                   uint64_t *handle)
{
    uint64_t next = 0;
    for (unsigned i = level_count; i-- > 0;) {
        levels[i].levels = (uint8_t)(level_count - i);
        levels[i].next = next;
        rill_status status = ptx_texture_add(&levels[i], handle);
        if (status) {
            ptx_texture_remove(next);
            return status;
        }
        next = *handle;
    }
    return RILL_SUCCESS;
}

/* Takes a place out of use.  The last one takes the table along, so that nothing is left when the
 * library goes.  Requires lock. */
static void free_place(struct place *place)
{
    place->handle = 0;
    place->next_free = first_free;
    first_free = (size_t)(place - places) + 1;
    if (--count) return;
    rl_free(places);
    places = NULL;
    room = first_free = 0;
}

bool ptx_texture_remove(uint64_t handle)
{
    rl_lock(&lock);
    struct place *place = find_place(handle);
    bool found = place;
    for (; place; place = find_place(handle)) {
        handle = place->texture.next;
        free_place(place);
    }
    rl_unlock(&lock);
    return found;
}

bool ptx_texture_find(uint64_t handle, struct ptx_texture *texture)
{
    rl_lock(&lock);
    const struct place *place = find_place(handle);
    if (place) *texture = place->texture;
    rl_unlock(&lock);
    return place != NULL;
}
