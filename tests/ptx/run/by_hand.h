/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of a few steps that are made by hand: steps that look at the thread or count in its
 * columns, and a grid that runs them.
 */
#ifndef PTX_RUN_BY_HAND_H
#define PTX_RUN_BY_HAND_H

#include <string.h>

#include "base/alloc.h"
#include "ptx/run/control.h"
#include "ptx/run/fault.h"
#include "ptx/run/grid.h"
#include "ptx/run/lane_group.h"
#include "support/cmocka_all.h"

#define MOST_STEPS 32

/* A kernel of a few steps.  Columns: X is what the test looks at, the others are scratch. */
enum { X = 0, Y = 4, ONE = 8, P = 12, LANE_BYTES = 16 };

struct scene {
    struct ptx_step steps[MOST_STEPS];
    struct ptx_module module;
    struct ptx_program program;
    struct ptx_code code;
    struct ptx_kernel kernel;
    struct ptx_launch launch;
    struct ptx_fault fault;
    struct ptx_constant one;
};

/* What the threads of the grid left in X; by block, then by thread. */
static uint32_t results[4][1024];

static inline void identify(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = ptx_thread_of(group, i);
}

static inline void add(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    const uint32_t *b = PTX_COLUMN(group, step->b, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = a[i] + b[i];
}

static inline void clear(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = 0;
}

static inline void is_odd(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = a[i] & 1;
}

static unsigned stores;

static inline void store(struct ptx_group *group, const struct ptx_step *step)
{
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    stores++;
    PTX_EACH_LANE(group, i) results[group->block->number][ptx_thread_of(group, i)] = a[i];
}

static inline void less(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    const uint32_t *b = PTX_COLUMN(group, step->b, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = a[i] < b[i];
}

static bool raised;

static inline void is_raised(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    uint8_t value = raised;
    PTX_EACH_LANE(group, i) d[i] = value;
}

static inline void raise_flag(struct ptx_group *group, const struct ptx_step *step)
{
    (void)group;
    (void)step;
    raised = true;
}

static inline struct scene scene_of(uint32_t blocks, uint32_t threads)
{
    stores = 0;
    raised = false;
    memset(results, 0, sizeof results);
    return (struct scene){ .launch = { .grid = { blocks, 1, 1 }, .block = { threads, 1, 1 } } };
}

static inline void run(struct scene *scene)
{
    struct ptx_grid *grid;
    scene->one = (struct ptx_constant){ .column = ONE, .bytes = 4, .bits = 1 };
    scene->code = (struct ptx_code){ .module = &scene->module, .programs = &scene->program };
    scene->program = (struct ptx_program){
        .code = &scene->code, .steps = scene->steps, .step_count = MOST_STEPS,
        .lane_bytes = LANE_BYTES, .constants = &scene->one, .constant_count = 1,
    };
    scene->kernel = (struct ptx_kernel){ .name = "k", .code = &scene->code };
    scene->launch.fault = &scene->fault;
    assert_int_equal(RILL_SUCCESS, ptx_grid_open(&scene->kernel, &scene->launch, &grid));
    assert_true(ptx_grid_has_more(grid));
    assert_true(ptx_grid_run(grid));
    assert_false(ptx_grid_has_more(grid));
    ptx_grid_close(grid);
    assert_int_equal(0, rl_alloc_live());
}

#define CONTROL .flags = PTX_STEP_CONTROL
#define EXIT { .run = ptx_exit_step, CONTROL }

#endif
