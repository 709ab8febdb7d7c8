/* SPDX-License-Identifier: Apache-2.0
 *
 * The public calls by which a program judges findings itself.
 */
#include "layer-check/slots/checker.h"

rill_status rill_check_report(rill_platform *platform, rill_finding_fn report, void *data)
{
    rill_status status = rill_layer_check(&rl_layer_check, platform, RILL_OBJECT_PLATFORM,
                                          "platform");
    if (!status) ck_report_tell(ck_checker_of(platform)->report, report, data);
    return rill_backend_finish(__func__, platform, status);
}

rill_status rill_check_count(rill_platform *platform, uint64_t *count)
{
    rill_status status = rill_layer_check(&rl_layer_check, platform, RILL_OBJECT_PLATFORM,
                                          "platform");
    if (!status && !count)
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "count", "count is NULL");
    struct ck_checker *checker = status ? NULL : ck_enter(platform);
    if (checker) ck_leave(checker);
    if (!status) *count = ck_report_count(ck_checker_of(platform)->report);
    return rill_backend_finish(__func__, platform, status);
}
