/* SPDX-License-Identifier: Apache-2.0 */
#include "support/sized_platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"

void sized_must(rill_status status, const char *call, const char *file, int line)
{
    if (!status) return;
    fprintf(stderr, "# %s:%d: %s gave %d: %s\n", file, line, call, (int)status,
            rill_last_error()->message);
    abort();
}

_Noreturn void sized_wrong(const char *what, const char *file, int line)
{
    fprintf(stderr, "# %s:%d: not so: %s\n", file, line, what);
    abort();
}

int sized_scaled(int count)
{
    const char *text = getenv("RILL_TEST_SCALE");
    int scale = text ? atoi(text) : 1;
    return scale > 1 ? count / scale + 1 : count;
}

void sized_open(struct sized_platform *sized, int workers)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = 2, .workers = workers };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
    void *words;
    *sized = (struct sized_platform){ .live = rl_alloc_live() };
    must(rill_open(&options, &sized->platform));
    must(rill_context_create(sized->platform, &own, &sized->context));
    must(rill_host_alloc(sized->context, SIZED_GATES * sizeof *sized->words, 0, &words));
    must(rill_host_device_pointer(sized->context, words, &sized->words_at));
    memset(words, 0, SIZED_GATES * sizeof *sized->words);
    sized->words = words;
}

void sized_close(struct sized_platform *sized)
{
    must(rill_host_free(sized->context, sized->words));
    must(rill_context_destroy(&sized->context));
    must(rill_close(&sized->platform));
    must_be(rl_alloc_live() == sized->live);
}

rill_stream *sized_stream(struct sized_platform *sized, uint32_t flags)
{
    const rill_stream_options options = { .size = sizeof options, .flags = flags };
    rill_stream *stream;
    must(rill_stream_create(sized->context, &options, &stream));
    return stream;
}

rill_event *sized_event(struct sized_platform *sized)
{
    rill_event *event;
    must(rill_event_create(sized->context, NULL, &event));
    return event;
}

uint64_t sized_queue_bytes(struct sized_platform *sized)
{
    rill_sim_counters counters = { .size = sizeof counters };
    must(rill_sim_get_counters(sized->platform, &counters));
    return counters.queue_bytes;
}

void sized_must_shed(struct sized_platform *sized)
{
    const struct timespec moment = { .tv_nsec = 1000000 };
    for (int tries = 0; tries < 5000 && sized_queue_bytes(sized) > 65536; tries++)
        nanosleep(&moment, NULL);
    must_be(sized_queue_bytes(sized) <= 65536);
}

void sized_gate_again(struct sized_platform *sized, rill_stream *stream, int gate)
{
    rill_devptr word = sized->words_at + (rill_devptr)gate * sizeof *sized->words;
    must(rill_stream_wait_value32(stream, word, 1, RILL_WAIT_EQ));
}

int sized_gate(struct sized_platform *sized, rill_stream *stream)
{
    must_be(sized->gates < SIZED_GATES);
    sized_gate_again(sized, stream, sized->gates);
    return sized->gates++;
}

void sized_open_gate(struct sized_platform *sized, int gate)
{
    atomic_store(&sized->words[gate], 1);
}

pthread_t sized_thread(void *(*run)(void *data), void *data)
{
    pthread_t thread;
    must_be(!pthread_create(&thread, NULL, run, data));
    return thread;
}
