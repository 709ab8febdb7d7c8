/* SPDX-License-Identifier: Apache-2.0
 *
 * The words for each reason why an update is refused.
 */
#include <rill/exec.h>

#define ROW(name, words) [RILL_UPDATE_##name] = { "RILL_UPDATE_" #name, words }
static const struct {
    const char *name, *words;
} reasons[] = {
    ROW(SUCCESS, "the update was done"),
    ROW(ERROR, "the update failed for a reason of its own, which the error record tells"),
    ROW(TOPOLOGY_CHANGED, "the graph has other nodes or edges"),
    ROW(NODE_TYPE_CHANGED, "a node is of another kind"),
    ROW(FUNCTION_CHANGED, "a kernel node has another kernel"),
    ROW(PARAMETERS_CHANGED, "a node has parameters that an update cannot change"),
    ROW(NOT_SUPPORTED, "a node is of a kind that an update cannot change"),
    ROW(UNSUPPORTED_FUNCTION_CHANGE, "a kernel node has a kernel that cannot take the other's "
                                     "place"),
    ROW(ATTRIBUTES_CHANGED, "a kernel node has other attributes"),
};
#undef ROW

static int is_reason(rill_update_reason reason)
{
    return (size_t)reason < sizeof reasons / sizeof *reasons;
}

const char *rill_update_reason_name(rill_update_reason reason)
{
    return is_reason(reason) ? reasons[reason].name : NULL;
}

const char *rill_update_reason_string(rill_update_reason reason)
{
    return is_reason(reason) ? reasons[reason].words : NULL;
}
