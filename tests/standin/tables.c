/* SPDX-License-Identifier: Apache-2.0
 *
 * A library with tables that nobody should have: the environment says with which.
 */
#include <rill/standin.h>

#include <stdlib.h>
#include <string.h>

static void k(const rill_launch *launch)
{
    (void)launch;
}

static const rill_param no_size[] = { { 0, 1 } };
static const rill_function nameless[] = { { .over_grid = k } };
static const rill_function empty_name[] = { { .name = "", .over_grid = k } };
static const rill_function idle[] = { { .name = "fine", .over_grid = k }, { .name = "k" } };
static const rill_function torn[] = { { .name = "k", .over_grid = k, .over_block = k } };
static const rill_function counting[] = { { .name = "k", .over_grid = k, .param_count = 1 } };
static const rill_function endless[] = {
    { .name = "k", .over_grid = k, .params = no_size, .param_count = ~(size_t)0 },
};
static const rill_function shapeless[] = {
    { .name = "k", .over_grid = k, .params = no_size, .param_count = 1 },
};
static const rill_function fine[] = { { .name = "k", .over_grid = k } };

enum { SIZE = sizeof(rill_kernel_table) };

static const struct {
    const char *name;
    rill_kernel_table table;
} tables[] = {
    { "no-size", { 0, (const void *)8, ~(size_t)0 } },
    { "no-functions", { SIZE, NULL, 5 } },
    { "too-many", { SIZE, fine, ~(size_t)0 } },
    { "nameless", { SIZE, nameless, 1 } },
    { "empty-name", { SIZE, empty_name, 1 } },
    { "idle", { SIZE, idle, 2 } },
    { "torn", { SIZE, torn, 1 } },
    { "counting", { SIZE, counting, 1 } },
    { "endless", { SIZE, endless, 1 } },
    { "shapeless", { SIZE, shapeless, 1 } },
    { "empty", { SIZE, NULL, 0 } },
    { "fine", { SIZE, fine, 1 } },
};

/* Not constant here, and read like any other. */
rill_kernel_table chosen __asm__("rill_kernels");

__attribute__((constructor)) static void choose(void)
{
    const char *name = getenv("TABLE");
    for (size_t i = 0; name && i < sizeof tables / sizeof *tables; i++)
        if (!strcmp(name, tables[i].name)) chosen = tables[i].table;
}
