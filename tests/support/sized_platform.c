/* SPDX-License-Identifier: Apache-2.0 */
#include "support/sized_platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"

void rig_must(rill_status status, const char *call, const char *file, int line)
{
    if (!status) return;
    fprintf(stderr, "# %s:%d: %s gave %d: %s\n", file, line, call, (int)status,
            rill_last_error()->message);
    abort();
}

_Noreturn void rig_wrong(const char *what, const char *file, int line)
{
    fprintf(stderr, "# %s:%d: not so: %s\n", file, line, what);
    abort();
}

int rig_scaled(int count)
{
    const char *text = getenv("RILL_TEST_SCALE");
    int scale = text ? atoi(text) : 1;
    return scale > 1 ? count / scale + 1 : count;
}

void rig_open(struct rig *rig, int workers)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = 2, .workers = workers };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
    void *words;
    *rig = (struct rig){ .live = rl_alloc_live() };
    must(rill_open(&options, &rig->platform));
    must(rill_context_create(rig->platform, &own, &rig->context));
    must(rill_host_alloc(rig->context, RIG_GATES * sizeof *rig->words, 0, &words));
    must(rill_host_device_pointer(rig->context, words, &rig->words_at));
    memset(words, 0, RIG_GATES * sizeof *rig->words);
    rig->words = words;
}

void rig_close(struct rig *rig)
{
    must(rill_host_free(rig->context, rig->words));
    must(rill_context_destroy(&rig->context));
    must(rill_close(&rig->platform));
    must_be(rl_alloc_live() == rig->live);
}

rill_stream *rig_stream(struct rig *rig, uint32_t flags)
{
    const rill_stream_options options = { .size = sizeof options, .flags = flags };
    rill_stream *stream;
    must(rill_stream_create(rig->context, &options, &stream));
    return stream;
}

rill_event *rig_event(struct rig *rig)
{
    rill_event *event;
    must(rill_event_create(rig->context, NULL, &event));
    return event;
}

uint64_t rig_queue_bytes(struct rig *rig)
{
    rill_sim_counters counters = { .size = sizeof counters };
    must(rill_sim_get_counters(rig->platform, &counters));
    return counters.queue_bytes;
}

void rig_must_shed(struct rig *rig)
{
    const struct timespec moment = { .tv_nsec = 1000000 };
    for (int tries = 0; tries < 5000 && rig_queue_bytes(rig) > 65536; tries++)
        nanosleep(&moment, NULL);
    must_be(rig_queue_bytes(rig) <= 65536);
}

void rig_gate_again(struct rig *rig, rill_stream *stream, int gate)
{
    must(rill_stream_wait_value32(stream, rig->words_at + (rill_devptr)gate * sizeof *rig->words, 1,
                                  RILL_WAIT_EQ));
}

int rig_gate(struct rig *rig, rill_stream *stream)
{
    must_be(rig->gates < RIG_GATES);
    rig_gate_again(rig, stream, rig->gates);
    return rig->gates++;
}

void rig_open_gate(struct rig *rig, int gate)
{
    atomic_store(&rig->words[gate], 1);
}

pthread_t rig_thread(void *(*run)(void *data), void *data)
{
    pthread_t thread;
    must_be(!pthread_create(&thread, NULL, run, data));
    return thread;
}
