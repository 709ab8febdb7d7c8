/* SPDX-License-Identifier: Apache-2.0
 *
 * Has one row without a name where there is a cuda.h and no header of the runtime.
 */
#include "standin/layout.h"

#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>

#define SIZE(type) { "sizeof " #type, sizeof(type) },
#define PLACE(type, field) { #type "." #field, offsetof(type, field) },
#define NUMBER(name) { #name, (long long)(name) },
const struct layout layout_theirs[] = {
#include "runtime/layout.def"
};
#else
const struct layout layout_theirs[] = { { NULL, 0 } };
#endif
