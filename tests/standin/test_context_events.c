/* SPDX-License-Identifier: Apache-2.0
 *
 * Events of whole contexts: they stand for all that the streams of one hold.
 */
#include "standin/contexts.h"

/* A word that streams wait for until it is 1. */
struct gate {
    uint32_t *word;
};

static struct gate closed_gate(void)
{
    struct gate gate;
    void *word;
    OK(CALL(cuMemHostAlloc, (void **, size_t, unsigned), (&word, 4, 0)));
    gate.word = word;
    __atomic_store_n(gate.word, 0, __ATOMIC_SEQ_CST);
    return gate;
}

static void hold(CUstream stream, struct gate gate)
{
    OK(CALL(cuStreamWaitValue32_v2, (CUstream, CUdeviceptr, uint32_t, unsigned),
            (stream, (uintptr_t)gate.word, 1, RILL_WAIT_EQ)));
}

static void open_gate(struct gate gate)
{
    __atomic_store_n(gate.word, 1, __ATOMIC_SEQ_CST);
}

/* ---- Records and waits ---------------------------------------------------------------------- */

static void record_all(CUcontext context, CUevent event)
{
    OK(CALL(cuCtxRecordEvent, (CUcontext, CUevent), (context, event)));
}

static void a_context_records_what_all_its_streams_hold(void **state)
{
    (void)state;
    CUcontext context = own_context();
    CUstream streams[] = { stream_of(0), stream_of(CU_STREAM_NON_BLOCKING), NULL,
                           CU_STREAM_PER_THREAD };
    CUevent event = plain_event();
    record_all(context, event);
    OK(CALL(cuEventSynchronize, (CUevent), (event)));
    for (int i = 0; i < 4; i++) {
        struct gate gate = closed_gate();
        hold(streams[i], gate);
        record_all(context, event);
        assert_int_equal(CALL(cuEventQuery, (CUevent), (event)), RILL_ERROR_NOT_READY);
        open_gate(gate);
        OK(CALL(cuEventSynchronize, (CUevent), (event)));
    }
    end_context(context);
}

static void a_context_waits_with_all_its_streams(void **state)
{
    (void)state;
    CUcontext other = own_context();
    struct gate gate = closed_gate();
    CUstream held = stream_of(0);
    CUevent event = plain_event();
    hold(held, gate);
    OK(CALL(cuEventRecord, (CUevent, CUstream), (event, held)));
    CUcontext context = own_context();
    CUstream before = stream_of(0), apart = stream_of(CU_STREAM_NON_BLOCKING);
    OK(CALL(cuCtxWaitEvent, (CUcontext, CUevent), (context, event)));
    CUstream streams[] = { before, apart, stream_of(0), stream_of(CU_STREAM_NON_BLOCKING), NULL,
                           CU_STREAM_PER_THREAD };
    enum { STREAMS = sizeof streams / sizeof streams[0] };
    CUevent passed[STREAMS];
    for (int i = 0; i < STREAMS; i++) {
        passed[i] = plain_event();
        OK(CALL(cuEventRecord, (CUevent, CUstream), (passed[i], streams[i])));
        assert_int_equal(CALL(cuEventQuery, (CUevent), (passed[i])), RILL_ERROR_NOT_READY);
    }
    open_gate(gate);
    for (int i = 0; i < STREAMS; i++) OK(CALL(cuEventSynchronize, (CUevent), (passed[i])));
    end_context(context);
    end_context(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_context_records_what_all_its_streams_hold),
        cmocka_unit_test(a_context_waits_with_all_its_streams),
    };
    return cmocka_run_group_tests_name("standin/context events", tests, library_setup,
                                       library_teardown);
}
