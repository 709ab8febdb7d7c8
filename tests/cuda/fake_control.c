/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/fake.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <rill/cuda.h>

#include "backend-cuda/driver/driver.h"
#include "support/cmocka_all.h"
#include "support/world.h"

static void find(void *library, const char *name, void *control)
{
    void *symbol = dlsym(library, name);
    if (!symbol) fail_msg("the fake has no %s", name);
    memcpy(control, &symbol, sizeof symbol);
}

const struct fake *fake_load(void)
{
    static struct fake fake;
    if (!fake.reset) {
        void *library = dlopen(FAKE_PATH, RTLD_NOW | RTLD_LOCAL);
        if (!library) fail_msg("%s", dlerror());
#define FAKE_FIND(type, name, parameters) find(library, "fake_" #name, &fake.name);
        FAKE_CONTROLS(FAKE_FIND)
#undef FAKE_FIND
    }
    fake.reset();
    cuda_forget_driver();
    return &fake;
}

int fake_open(rill_platform **platform)
{
    const rill_cuda_options cuda = { .size = sizeof cuda, .library = FAKE_PATH };
    const rill_open_options options = { .size = sizeof options, .backend = "cuda", .cuda = &cuda };
    return (int)rill_open(&options, platform);
}

const struct fake *fake_world(struct world *world)
{
    const struct fake *fake = fake_load();
    rill_platform *platform = NULL;
    assert_int_equal(fake_open(&platform), RILL_SUCCESS);
    assert_int_equal(world_fill(world, platform), RILL_SUCCESS);
    return fake;
}
