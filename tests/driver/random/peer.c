/* SPDX-License-Identifier: Apache-2.0
 *
 * A second thread.  The two take turns: one of them always waits for the other.
 */
#include "random.h"

struct peer {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void (*call)(struct world *); /* to be called there; under lock */
    bool done, ends;              /* under lock                     */
};

static void *peer_main(void *data)
{
    struct world *w = data;
    struct peer *p = w->peer;
    cuCtxSetCurrent(w->t.ctx);
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->call && !p->ends) pthread_cond_wait(&p->changed, &p->lock);
        if (p->ends) break;
        p->call(w);
        p->call = NULL;
        p->done = true;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void peer_open(struct world *w)
{
    struct peer *p = w->peer = calloc(1, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    if (pthread_create(&p->thread, NULL, peer_main, w)) die(&w->t, "thread", CUDA_ERROR_UNKNOWN);
}

void peer_do(struct world *w, void (*call)(struct world *))
{
    struct peer *p = w->peer;
    w->who = 'B';
    pthread_mutex_lock(&p->lock);
    p->done = false;
    p->call = call;
    pthread_cond_broadcast(&p->changed);
    while (!p->done) pthread_cond_wait(&p->changed, &p->lock);
    pthread_mutex_unlock(&p->lock);
    w->who = 'A';
}

void peer_close(struct world *w)
{
    struct peer *p = w->peer;
    pthread_mutex_lock(&p->lock);
    p->ends = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    free(p);
    w->peer = NULL;
}
