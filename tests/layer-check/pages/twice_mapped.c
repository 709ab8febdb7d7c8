/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/pages/twice_mapped.h"

#include <errno.h>
#include <stdlib.h>

atomic_long protect_calls, protect_calls_refused;

static int protect_counted(void *address, size_t bytes, int protection)
{
    atomic_fetch_add(&protect_calls, 1);
    if (!atomic_load(&protect_calls_refused)) return mprotect(address, bytes, protection);
    atomic_fetch_sub(&protect_calls_refused, 1);
    errno = ENOMEM;
    return -1;
}

int scene_open(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    scene->memory = map_twice();
    scene->pages = ck_pages_create(note_touch, &scene->touches);
    assert_non_null(scene->pages);
    assert_true(ck_pages_add(scene->pages, scene->memory.program, PAGES * PAGE));
    ck_pages_protect = protect_counted;
    protect_calls = 0;
    *state = scene;
    return 0;
}

int scene_close(void **state)
{
    struct scene *scene = *state;
    ck_pages_destroy(scene->pages);
    unmap_twice(&scene->memory);
    free(scene);
    return 0;
}
