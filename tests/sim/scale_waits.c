/* SPDX-License-Identifier: Apache-2.0
 *
 * Long chains of waits, and many that wait for one.
 */
#include <stdlib.h>

#include "sim/scale.h"

/* ---- Chains ---------------------------------------------------------------------------- */

/* Each stream waits for the one before it; the host waits for the last alone. */
static void chain_of_streams(struct sized_platform *sized)
{
    int many = sized_scaled(10000);
    rill_stream **streams = scale_streams(sized, many, NON_BLOCKING);
    rill_event *event = sized_event(sized);
    int gate = sized_gate(sized, streams[0]);
    for (int i = 0; i < many; i++) {
        if (i) must(rill_stream_wait_event(streams[i], event, 0));
        scale_put(streams[i], i);
        must(rill_event_record(event, streams[i], 0));
    }
    must_be(scale_in_turn == 0);
    sized_open_gate(sized, gate);
    must(rill_stream_synchronize(streams[many - 1]));
    must_be(scale_in_turn == (uint64_t)many);
    must(rill_event_destroy(&event));
    scale_destroy(streams, many);
}

/* To and fro between a hundred streams: each link is a wait. */
static void deep_chain(struct sized_platform *sized)
{
    int many = sized_scaled(200000), width = 100;
    rill_stream **streams = scale_streams(sized, width, NON_BLOCKING);
    rill_event *event = sized_event(sized);
    int gate = sized_gate(sized, streams[0]);
    for (int i = 0; i < many; i++) {
        rill_stream *stream = streams[i * 7 % width];
        if (i) must(rill_stream_wait_event(stream, event, 0));
        scale_put(stream, i);
        must(rill_event_record(event, stream, 0));
    }
    sized_open_gate(sized, gate);
    must(rill_event_synchronize(event));
    must_be(scale_in_turn == (uint64_t)many);
    must(rill_event_destroy(&event));
    scale_destroy(streams, width);
}

void test_chain_of_streams(void **state)
{
    (void)state;
    scale_run(chain_of_streams);
}

void test_deep_chain(void **state)
{
    (void)state;
    scale_run(deep_chain);
}

/* ---- Many that wait for one ---------------------------------------------------------------- */

static void fan_out(struct sized_platform *sized)
{
    int many = sized_scaled(10000);
    rill_stream *source = sized_stream(sized, NON_BLOCKING);
    rill_stream *sink = sized_stream(sized, NON_BLOCKING);
    rill_stream **streams = scale_streams(sized, many, NON_BLOCKING);
    rill_event *event = sized_event(sized);
    int gate = sized_gate(sized, source);
    scale_put(source, 0);
    must(rill_event_record(event, source, 0));
    for (int i = 0; i < many; i++) {
        must(rill_stream_wait_event(streams[i], event, 0));
        scale_put_any(streams[i]);
        must(rill_stream_wait_stream(sink, streams[i]));
    }
    scale_put(sink, 1);
    sized_open_gate(sized, gate);
    must(rill_stream_synchronize(sink));
    must_be(scale_in_turn == 2);
    must_be(atomic_load(&scale_in_any_turn) == (uint64_t)many);
    must(rill_event_destroy(&event));
    must(rill_stream_destroy(&source));
    must(rill_stream_destroy(&sink));
    scale_destroy(streams, many);
}

/* Each waits for a point of its own of one stream, the latest point first. */
static void fan_out_backwards(struct sized_platform *sized)
{
    int many = sized_scaled(5000);
    rill_stream *source = sized_stream(sized, NON_BLOCKING);
    rill_stream **streams = scale_streams(sized, many, NON_BLOCKING);
    rill_event **events = (rill_event **)scale_array(many);
    int gate = sized_gate(sized, source);
    for (int i = 0; i < many; i++) {
        events[i] = sized_event(sized);
        scale_put(source, i);
        must(rill_event_record(events[i], source, 0));
    }
    for (int i = many - 1; i >= 0; i--) {
        must(rill_stream_wait_event(streams[i], events[i], 0));
        scale_put_any(streams[i]);
        must(rill_event_destroy(&events[i]));
    }
    sized_open_gate(sized, gate);
    must(rill_context_synchronize(sized->context));
    must_be(scale_in_turn == (uint64_t)many);
    must_be(atomic_load(&scale_in_any_turn) == (uint64_t)many);
    must(rill_stream_destroy(&source));
    scale_destroy(streams, many);
    free(events);
}

/* Every stream waits for the value by itself. */
static void many_at_a_gate(struct sized_platform *sized)
{
    int many = sized_scaled(1000);
    rill_stream **streams = scale_streams(sized, many, NON_BLOCKING);
    int gate = sized_gate(sized, streams[0]);
    for (int i = 0; i < many; i++) {
        if (i) sized_gate_again(sized, streams[i], gate);
        scale_put_any(streams[i]);
    }
    sized_open_gate(sized, gate);
    for (int i = many - 1; i >= 0; i--) must(rill_stream_synchronize(streams[i]));
    must_be(atomic_load(&scale_in_any_turn) == (uint64_t)many);
    scale_destroy(streams, many);
}

void test_fan_out(void **state)
{
    (void)state;
    scale_run(fan_out);
}

void test_fan_out_backwards(void **state)
{
    (void)state;
    scale_run(fan_out_backwards);
}

void test_many_at_a_gate(void **state)
{
    (void)state;
    scale_run(many_at_a_gate);
}
