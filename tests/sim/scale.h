/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of size: what their two files share.
 */
#ifndef SCALE_H
#define SCALE_H

#include "support/sized_platform.h"

#define NON_BLOCKING RILL_STREAM_NON_BLOCKING

/* Operations that ran: one behind the other, and in any order. */
extern uint64_t scale_in_turn;
extern atomic_uint_least64_t scale_in_any_turn;

/* Operation `number` of a chain, from 0: it comes when as many were there before
 * it, or the test fails. */
void scale_put(rill_stream *stream, int number);

void scale_put_any(rill_stream *stream);

void **scale_array(int items);
rill_stream **scale_streams(struct sized_platform *sized, int count, uint32_t flags);
void scale_destroy(rill_stream **streams, int count);

/* Runs a test on a fresh platform with each number of workers. */
void scale_run(void (*test)(struct sized_platform *sized));

/* scale_waits.c; a cmocka test each. */
void test_chain_of_streams(void **state);
void test_deep_chain(void **state);
void test_fan_out(void **state);
void test_fan_out_backwards(void **state);
void test_many_at_a_gate(void **state);

#endif
