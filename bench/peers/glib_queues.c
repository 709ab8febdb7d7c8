/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue of GLib is an exclusive GThreadPool of one thread, which is how a
 * program keeps work in order with GLib.
 */
#include <glib.h>

#include "peer.h"

struct queue {
    GThreadPool *pool;
    GMutex mutex;
    GCond changed;
    gboolean done;
};

struct op {
    void (*fn)(void *data);
    void *data;
};

/* Pushed to learn when everything before it is done. */
static struct op mark;

static void finish(GMutex *mutex, GCond *changed, gboolean *done)
{
    g_mutex_lock(mutex);
    *done = TRUE;
    g_cond_signal(changed);
    g_mutex_unlock(mutex);
}

static void await(GMutex *mutex, GCond *changed, const gboolean *done)
{
    g_mutex_lock(mutex);
    while (!*done) g_cond_wait(changed, mutex);
    g_mutex_unlock(mutex);
}

static void work(gpointer data, gpointer user_data)
{
    struct op *op = data;
    struct queue *queue = user_data;
    if (op == &mark) {
        finish(&queue->mutex, &queue->changed, &queue->done);
        return;
    }
    op->fn(op->data);
    g_slice_free(struct op, op);
}

static const char *open_glib(void)
{
    static char version[64];
    g_snprintf(version, sizeof version, "GLib %u.%u.%u", glib_major_version, glib_minor_version,
               glib_micro_version);
    return version;
}

static void close_glib(void)
{
}

static void *make(void)
{
    struct queue *queue = g_new0(struct queue, 1);
    g_mutex_init(&queue->mutex);
    g_cond_init(&queue->changed);
    queue->pool = g_thread_pool_new(work, queue, 1, TRUE, NULL);
    return queue;
}

static void unmake(void *data)
{
    struct queue *queue = data;
    g_thread_pool_free(queue->pool, FALSE, TRUE);
    g_mutex_clear(&queue->mutex);
    g_cond_clear(&queue->changed);
    g_free(queue);
}

static void push(void *data, void (*fn)(void *), void *argument)
{
    struct queue *queue = data;
    struct op *op = g_slice_new(struct op);
    *op = (struct op){ fn, argument };
    g_thread_pool_push(queue->pool, op, NULL);
}

static void wait_for(void *data)
{
    struct queue *queue = data;
    queue->done = FALSE;
    g_thread_pool_push(queue->pool, &mark, NULL);
    await(&queue->mutex, &queue->changed, &queue->done);
}

/* There are no events: each operation pushes the next one to the other queue. */
static struct {
    void *queues[2];
    void (*fn)(void *);
    void *data;
    int count;
    GMutex mutex;
    GCond changed;
    gboolean done;
} course;

static void hop(void *data)
{
    int at = GPOINTER_TO_INT(data);
    course.fn(course.data);
    if (at + 1 < course.count) push(course.queues[(at + 1) % 2], hop, GINT_TO_POINTER(at + 1));
    else finish(&course.mutex, &course.changed, &course.done);
}

static void hops(void *a, void *b, int count, void (*fn)(void *), void *data)
{
    course.queues[0] = a;
    course.queues[1] = b;
    course.fn = fn;
    course.data = data;
    course.count = count;
    course.done = FALSE;
    push(a, hop, GINT_TO_POINTER(0));
    await(&course.mutex, &course.changed, &course.done);
}

const struct queues peer_queues = {
    .open = open_glib, .close = close_glib, .make = make, .unmake = unmake, .op = push,
    .wait = wait_for, .hops = hops,
};
