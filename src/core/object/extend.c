/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions with which a backend offers public calls of its own.
 */
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/layers.h"

rill_status rill_backend_check(const struct rill_backend *backend, const void *object,
                               rill_object_kind kind, const char *argument)
{
    rill_status status = rl_check(object, kind, argument);
    if (status || rl_bottom(rl_backend(object)) == backend) return status;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, argument,
                             "this call is for backend '%s', and the object is of '%s'",
                             backend->name, rl_backend(object)->name);
}

rill_status rill_backend_finish(const char *operation, const void *object, rill_status status)
{
    return rl_finish(operation, object, status);
}

void rill_backend_give(void *object)
{
    rl_adopt(object);
}
