/* SPDX-License-Identifier: Apache-2.0
 *
 * What is measured of every contender that has queues; of rill that and more, in
 * rill_blocks.c.  The operation counts
 * how often it ran; a count that is off, or an order, ends the benchmark.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "bench.h"

#define OPS 10000
#define HOPS 1000
#define QUEUES 64
#define THREAD_OPS 2000

struct rig {
    const struct queues *queues;
    void *a, *b;
    uint64_t wanted;
    /* The queues run one operation at a time.  Apart from what the thread that submits
     * reads for each: else that would be what is measured. */
    _Alignas(128) uint64_t ran;
};

static void op(void *data)
{
    ++*(uint64_t *)data;
}

static void put(struct rig *rig, void *queue)
{
    rig->queues->op(queue, op, &rig->ran);
}

static void set_up(struct rig *rig, const struct queues *queues)
{
    *rig = (struct rig){ .queues = queues };
    rig->a = queues->make();
    rig->b = queues->make();
}

static void tear_down(struct rig *rig)
{
    if (rig->ran != rig->wanted)
        give_up("%llu operations ran, %llu were submitted", (unsigned long long)rig->ran,
                (unsigned long long)rig->wanted);
    rig->queues->unmake(rig->a);
    rig->queues->unmake(rig->b);
}

/* ---- Order, before anything is timed -------------------------------------------- */

static struct {
    uint64_t next;
    bool wrong;
} order;

static void in_order(void *data)
{
    uint64_t number = (uint64_t)(uintptr_t)data;
    if (number != order.next) order.wrong = true;
    order.next = number + 1;
}

static void check_order(struct rig *rig)
{
    order.next = 1;
    for (uintptr_t i = 1; i <= OPS; i++) rig->queues->op(rig->a, in_order, (void *)i);
    rig->queues->wait(rig->a);
    if (order.wrong || order.next != OPS + 1) give_up("operations of a queue ran out of order");
}

/* ---- One queue ------------------------------------------------------------------- */

/* Submission is timed apart, so measure() does not fit. */
void block_busy(struct recorder *recorder, const struct queues *queues)
{
    struct rig rig;
    set_up(&rig, queues);
    check_order(&rig);
    uint64_t begin = now_ns();
    for (int sample = -5; sample < 31; sample++) {
        uint64_t start = now_ns();
        for (int i = 0; i < OPS; i++) put(&rig, rig.a);
        uint64_t submitted = now_ns();
        queues->wait(rig.a);
        uint64_t done = now_ns();
        rig.wanted += OPS;
        if (sample < 0) continue;
        record(recorder, BUSY_SUBMIT, (double)(submitted - start) / OPS);
        record(recorder, BUSY, (double)(done - start) / OPS);
        if (sample > 7 && done - begin > 250000000u) break;
    }
    tear_down(&rig);
}

static void wait_body(void *data, long runs)
{
    struct rig *rig = data;
    for (long i = 0; i < runs; i++) {
        put(rig, rig->a);
        rig->queues->wait(rig->a);
    }
    rig->wanted += (uint64_t)runs;
}

void block_wait(struct recorder *recorder, const struct queues *queues)
{
    struct rig rig;
    set_up(&rig, queues);
    measure(recorder, WAIT, wait_body, &rig, 0);
    tear_down(&rig);
}

static void burst_body(void *data, long runs)
{
    struct rig *rig = data;
    for (long i = 0; i < runs; i++) {
        for (int k = 0; k < 20; k++) put(rig, rig->a);
        rig->queues->wait(rig->a);
    }
    rig->wanted += 20 * (uint64_t)runs;
}

void block_burst(struct recorder *recorder, const struct queues *queues)
{
    struct rig rig;
    set_up(&rig, queues);
    measure(recorder, BURST, burst_body, &rig, 0);
    tear_down(&rig);
}

/* One operation and a wait, after the machine did nothing for a while. */
static void after_pause(struct recorder *recorder, const struct queues *queues, enum metric metric,
                        uint64_t pause, int samples)
{
    struct rig rig;
    set_up(&rig, queues);
    wait_body(&rig, 100);
    for (int i = 0; i < samples; i++) {
        pause_ns(pause);
        uint64_t start = now_ns();
        wait_body(&rig, 1);
        record(recorder, metric, (double)(now_ns() - start));
    }
    tear_down(&rig);
}

void block_cold(struct recorder *recorder, const struct queues *queues)
{
    after_pause(recorder, queues, COLD, 3000000u, 31);
}

void block_asleep(struct recorder *recorder, const struct queues *queues)
{
    after_pause(recorder, queues, ASLEEP, 120000000u, 3);
}

/* ---- Several queues ---------------------------------------------------------------- */

static struct {
    atomic_bool inside, wrong;
} hopping;

/* Long enough to meet another one that does not wait for it. */
static void by_itself(void *data)
{
    if (atomic_exchange(&hopping.inside, true)) atomic_store(&hopping.wrong, true);
    body_1us(NULL);
    op(data);
    atomic_store(&hopping.inside, false);
}

static void check_hops(struct rig *rig)
{
    rig->queues->hops(rig->a, rig->b, HOPS, by_itself, &rig->ran);
    rig->wanted += HOPS;
    if (atomic_load(&hopping.wrong)) give_up("two operations that come one after the other met");
}

static void hop_body(void *data, long runs)
{
    struct rig *rig = data;
    rig->queues->hops(rig->a, rig->b, (int)runs, op, &rig->ran);
    rig->wanted += (uint64_t)runs;
}

void block_hop(struct recorder *recorder, const struct queues *queues)
{
    struct rig rig;
    set_up(&rig, queues);
    check_hops(&rig);
    measure(recorder, HOP, hop_body, &rig, HOPS);
    tear_down(&rig);
}

/* A counter each, since the queues run side by side. */
struct fan {
    struct rig rig;
    void *queues[QUEUES];
    struct {
        _Alignas(64) uint64_t ran;
    } counters[QUEUES];
    uint64_t wanted;
    pthread_barrier_t start, end;
    bool over;
};

static void open_fan(struct fan *fan, const struct queues *queues)
{
    set_up(&fan->rig, queues);
    for (int i = 0; i < QUEUES; i++) fan->queues[i] = queues->make();
}

static void close_fan(struct fan *fan)
{
    uint64_t ran = 0;
    for (int i = 0; i < QUEUES; i++) {
        ran += fan->counters[i].ran;
        fan->rig.queues->unmake(fan->queues[i]);
    }
    if (ran != fan->wanted) give_up("operations were lost");
    tear_down(&fan->rig);
}

static void robin_body(void *data, long runs)
{
    struct fan *fan = data;
    const struct queues *queues = fan->rig.queues;
    for (long i = 0; i < runs; i++)
        queues->op(fan->queues[i % QUEUES], op, &fan->counters[i % QUEUES].ran);
    for (int i = 0; i < QUEUES; i++) queues->wait(fan->queues[i]);
    fan->wanted += (uint64_t)runs;
}

void block_robin(struct recorder *recorder, const struct queues *queues)
{
    static struct fan fan;
    open_fan(&fan, queues);
    measure(recorder, ROBIN, robin_body, &fan, OPS);
    close_fan(&fan);
}

struct submitter {
    struct fan *fan;
    int index;
    pthread_t thread;
};

static void *submit(void *data)
{
    struct submitter *self = data;
    struct fan *fan = self->fan;
    for (;;) {
        pthread_barrier_wait(&fan->start);
        if (fan->over) return NULL;
        for (int i = 0; i < THREAD_OPS; i++)
            fan->rig.queues->op(fan->queues[self->index], op, &fan->counters[self->index].ran);
        fan->rig.queues->wait(fan->queues[self->index]);
        pthread_barrier_wait(&fan->end);
    }
}

static void threads_body(void *data, long runs)
{
    struct fan *fan = data;
    pthread_barrier_wait(&fan->start);
    pthread_barrier_wait(&fan->end);
    fan->wanted += (uint64_t)runs;
}

void block_threads(struct recorder *recorder, const struct queues *queues)
{
    static struct fan fan;
    static struct submitter submitters[QUEUES];
    open_fan(&fan, queues);
    pthread_barrier_init(&fan.start, NULL, QUEUES + 1);
    pthread_barrier_init(&fan.end, NULL, QUEUES + 1);
    for (int i = 0; i < QUEUES; i++) {
        submitters[i] = (struct submitter){ .fan = &fan, .index = i };
        if (pthread_create(&submitters[i].thread, NULL, submit, &submitters[i]))
            give_up("the system has no room for %d threads", QUEUES);
    }
    measure(recorder, THREADS, threads_body, &fan, (long)QUEUES * THREAD_OPS);
    fan.over = true;
    pthread_barrier_wait(&fan.start);
    for (int i = 0; i < QUEUES; i++) pthread_join(submitters[i].thread, NULL);
    close_fan(&fan);
}

/* ---- The list, and how one of it runs ------------------------------------------------- */

static const struct block questions[] = {
    { .name = "streams/busy", .run = block_busy },
    { .name = "streams/wait", .run = block_wait },
    { .name = "streams/burst", .run = block_burst },
    { .name = "streams/cold", .run = block_cold },
    { .name = "streams/asleep", .run = block_asleep },
    { .name = "streams/hop", .run = block_hop },
    { .name = "streams/robin", .run = block_robin },
    { .name = "streams/threads", .run = block_threads },
};

const struct block *queue_blocks(void)
{
    enum { QUESTIONS = sizeof questions / sizeof *questions };
    static struct block blocks[QUESTIONS * CONTENDERS + 1];
    int count = 0;
    for (int c = RILL + 1; c < CONTENDERS; c++) {
        if (!contenders[c].queues || !contender_there(c)) continue;
        for (int i = 0; i < QUESTIONS; i++) {
            if (questions[i].run == block_threads && !contenders[c].threads) continue;
            blocks[count] = questions[i];
            blocks[count++].contender = (enum contender)c;
        }
    }
    blocks[count].name = NULL;
    return blocks;
}

struct visit {
    const struct block *block;
    struct recorder *recorder;
    const struct queues *queues;
};

static void visit_body(void *data)
{
    const struct visit *visit = data;
    visit->block->run(visit->recorder, visit->queues);
}

void run_queue_block(const struct block *block, struct recorder *recorder)
{
    struct visit visit = { block, recorder, block->queues };
    if (!visit.queues) visit.queues = load_queues((int)block->contender);
    recorder->version = visit.queues->open();
    if (!recorder->version) return;
    if (visit.queues->within) visit.queues->within(visit_body, &visit);
    else visit_body(&visit);
    visit.queues->close();
}
