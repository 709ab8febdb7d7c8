/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator's own calls on what reaches beyond one program: memory that processes share, a
 * module's textures, all schedules of a function, the end of a machine.
 */
#include <rill/explore.h>
#include <rill/sim.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "reference/own_calls.h"

/* ---- Another process, which shares an allocation and a pool, and ends with this one */

static struct theirs {
    pid_t process;
    rill_sim_shared memory, block;
    int file; /* of the pool, in that process */
} theirs;

static rill_status fill_theirs(void)
{
    const rill_pool_options options = { .size = sizeof options, .shareable = 1 };
    struct world w;
    rill_pool *pool;
    rill_devptr address;
    rill_status status = world_open(&w, "sim");
    if (!status) status = rill_sim_share(w.context, w.address, &theirs.memory);
    if (!status) status = rill_pool_create(w.platform, &options, &pool);
    if (!status) status = rill_sim_share_pool(pool, &theirs.file);
    if (!status) status = rill_mem_alloc_from_pool_async(w.stream, pool, 64, &address);
    if (!status) status = rill_stream_synchronize(w.stream);
    if (!status) status = rill_sim_share_block(w.platform, address, &theirs.block);
    return status;
}

static rill_status start_another(void)
{
    int tell[2], stay[2];
    char none;
    if (pipe(tell) || pipe(stay)) return RILL_ERROR_OPERATING_SYSTEM;
    pid_t child = fork();
    if (child < 0) return RILL_ERROR_OPERATING_SYSTEM;
    if (!child) {
        close(stay[1]);
        theirs.process = getpid();
        if (!fill_theirs() && write(tell[1], &theirs, sizeof theirs) == sizeof theirs)
            (void)!read(stay[0], &none, 1);
        _exit(0);
    }
    close(tell[1]);
    return read(tell[0], &theirs, sizeof theirs) == sizeof theirs ? RILL_SUCCESS
                                                                  : RILL_ERROR_OPERATING_SYSTEM;
}

/* ---- Memory */

static rill_devptr address, opened;
static rill_pool *pool, *pool_of_theirs;

static void open_memory(struct arguments *a)
{
    PREPARE(rill_sim_open_shared(a->w.context, &theirs.memory, &opened));
}
AS(rill_sim_open_shared, a->w.context, &theirs.memory, a->out)
AS(rill_sim_close_shared, a->w.context, opened)

static void make_pool(struct arguments *a)
{
    const rill_pool_options options = { .size = sizeof options, .shareable = 1 };
    PREPARE(rill_pool_create(a->w.platform, &options, &pool));
}
static void share_pool(struct arguments *a)
{
    int file;
    make_pool(a);
    PREPARE(rill_sim_share_pool(pool, &file));
    PREPARE(rill_mem_alloc_from_pool_async(a->w.stream, pool, 64, &address));
    PREPARE(rill_stream_synchronize(a->w.stream));
}
static void open_pool(struct arguments *a)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)theirs.process, theirs.file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    const rill_pool_options options = { .size = sizeof options, .file = &file };
    PREPARE(file < 0 ? RILL_ERROR_OPERATING_SYSTEM : RILL_SUCCESS);
    PREPARE(rill_pool_create(a->w.platform, &options, &pool_of_theirs));
}
static rill_sim_shared handle;
AS(rill_sim_share_pool, pool, a->out)
AS(rill_sim_share_block, a->w.platform, address, &handle)
AS(rill_sim_open_block, pool_of_theirs, &theirs.block, &opened)

/* ---- Textures */

static rill_module *module;

static void load_reference(struct arguments *a)
{
    const rill_image image = { .size = sizeof image,
                               .code = ".version 6.4\n.target sm_75\n.address_size 64\n"
                                       ".global .texref picture;\n" };
    PREPARE(rill_module_load(a->w.context, &image, &module));
}
AS(rill_sim_bind_texture, module, "picture", 0, 0)

/* ---- Schedules */

static int nothing_to_do(rill_platform *platform, void *data)
{
    (void)platform;
    (void)data;
    return 0;
}

static rill_status as_rill_explore(struct arguments *a)
{
    rill_explore_report report = { .size = sizeof report };
    (void)a;
    return rill_explore(NULL, nothing_to_do, NULL, &report);
}

/* ---- The end ------------------------------------------------------------------------------- */

/* Has patience in a capture alone, where threads only have to end: work that is pending must not
 * get the time to run, and a host function waits for itself. */
static rill_status as_rill_sim_abandon(struct arguments *a)
{
    const uint64_t ten_seconds = 10000000000u;
    rill_capture_info info = { .size = sizeof info };
    bool captures = !rill_stream_capture_info(a->w.stream, &info) &&
                    info.state == RILL_CAPTURE_ACTIVE;
    rill_status status = rill_sim_abandon(a->w.platform, captures ? ten_seconds : 0);
    a->w.stream = NULL;
    a->w.platform = NULL;
    return status;
}

static const struct call list[] = {
    OWN_CALL(rill_sim_open_shared, NULL),
    OWN_CALL(rill_sim_close_shared, open_memory),
    OWN_CALL(rill_sim_share_pool, make_pool),
    OWN_CALL(rill_sim_share_block, share_pool),
    OWN_CALL(rill_sim_open_block, open_pool),
    OWN_CALL(rill_sim_bind_texture, load_reference),
    OWN_CALL(rill_explore, NULL),
    OWN_CALL(rill_sim_abandon, NULL),
};
const struct call_set shared_calls = { CALL_SET(list), .backend = "sim", .prepare = start_another };
