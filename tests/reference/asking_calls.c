/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that return no status: nothing is said of them but that they change nothing.
 */
#include <rill/backend.h>
#include <rill/check.h>
#include <rill/rill.h>

#include <stdio.h>

#include "reference/own_calls.h"

static char text[256];

ASK(rill_object_of, a->w.stream)
ASK(rill_data, a->w.stream)
ASK(rill_set_data, a->w.stream, NULL, NULL)
ASK(rill_context_label, a->w.context)
ASK(rill_stream_label, a->w.stream)
ASK(rill_event_label, a->w.event)
ASK(rill_graph_label, a->w.graph)
ASK(rill_exec_label, a->w.exec)
ASK(rill_pool_label, a->w.pool)
ASK(rill_replay_label, a->w.replay)
ASK(rill_kernel_name, a->w.kernel)
ASK(rill_backend_name, 0)
ASK(rill_version)
ASK(rill_host_place, text)
ASK(rill_device_place, a->w.address)
ASK(rill_touch, a->w.address, 4, RILL_TOUCH_WRITE)
ASK(rill_touch_host, text, sizeof text, RILL_TOUCH_READ)
ASK(rill_last_error)
ASK(rill_clear_error)
ASK(rill_error_format, text, sizeof text)
ASK(rill_error_name, RILL_ERROR_NOT_READY)
ASK(rill_error_string, RILL_ERROR_NOT_READY)
ASK(rill_error_is_sticky, RILL_ERROR_NOT_READY)
ASK(rill_update_reason_name, RILL_UPDATE_TOPOLOGY_CHANGED)
ASK(rill_update_reason_string, RILL_UPDATE_TOPOLOGY_CHANGED)
ASK(rill_replay_outcome_name, RILL_REPLAY_UPDATED)

static rill_status as_rill_error_print(struct arguments *a)
{
    FILE *nowhere = fopen("/dev/null", "w");
    (void)a;
    if (!nowhere) return RILL_ERROR_OPERATING_SYSTEM;
    rill_error_print(nowhere);
    fclose(nowhere);
    return RILL_SUCCESS;
}

static const struct call list[] = {
    OWN_CALL(rill_object_of, NULL),
    OWN_CALL(rill_data, NULL),
    OWN_CALL(rill_set_data, NULL),
    OWN_CALL(rill_context_label, NULL),
    OWN_CALL(rill_stream_label, NULL),
    OWN_CALL(rill_event_label, NULL),
    OWN_CALL(rill_graph_label, NULL),
    OWN_CALL(rill_exec_label, NULL),
    OWN_CALL(rill_pool_label, NULL),
    OWN_CALL(rill_replay_label, NULL),
    OWN_CALL(rill_kernel_name, NULL),
    OWN_CALL(rill_backend_name, NULL),
    OWN_CALL(rill_version, NULL),
    OWN_CALL(rill_host_place, NULL),
    OWN_CALL(rill_device_place, NULL),
    OWN_CALL(rill_touch, NULL),
    OWN_CALL(rill_touch_host, NULL),
    OWN_CALL(rill_last_error, NULL),
    OWN_CALL(rill_clear_error, NULL),
    OWN_CALL(rill_error_format, NULL),
    OWN_CALL(rill_error_print, NULL),
    OWN_CALL(rill_error_name, NULL),
    OWN_CALL(rill_error_string, NULL),
    OWN_CALL(rill_error_is_sticky, NULL),
    OWN_CALL(rill_update_reason_name, NULL),
    OWN_CALL(rill_update_reason_string, NULL),
    OWN_CALL(rill_replay_outcome_name, NULL),
};
const struct call_set asking_calls = { CALL_SET(list), .backend = "sim" };
