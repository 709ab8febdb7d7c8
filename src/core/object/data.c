/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's own word on each object, and the function to call when the object is
 * freed.
 */
#include "core/object/object.h"

/* Tells whether a handle is an object's, even if the object's context is gone: the program
 * may need the word to find that out. */
static int is_object(const void *object)
{
    if (!object) return 0;
    unsigned kind = rl_tag(object) - rl_life();
    return kind >= RILL_OBJECT_PLATFORM && kind < RILL_OBJECT_PLATFORM + RILL_OBJECT_KINDS;
}

void rill_set_data(void *object, void *data, rill_destroy_fn gone)
{
    if (!is_object(object)) return;
    struct rl_data *place = rl_data_place(object);
    place->gone = gone;
    __atomic_store_n(&place->word, data, __ATOMIC_RELEASE);
}

void *rill_data(const void *object)
{
    if (!is_object(object)) return NULL;
    return __atomic_load_n(&rl_data_place(object)->word, __ATOMIC_ACQUIRE);
}
