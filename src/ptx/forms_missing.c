/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables that nobody has written yet.
 */
#include "ptx/form.h"

const struct ptx_forms ptx_least_forms = { NULL, 0 };
const struct ptx_forms ptx_double_forms = { NULL, 0 };
const struct ptx_forms ptx_half_forms = { NULL, 0 };
const struct ptx_forms ptx_special_forms = { NULL, 0 };

