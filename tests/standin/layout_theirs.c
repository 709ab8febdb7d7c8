/* SPDX-License-Identifier: Apache-2.0 */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

#include "standin/layout.h"

#define TYPE(ours, theirs) { "sizeof " #theirs, sizeof(theirs) },
#define FIELD(our_type, ours, their_type, theirs) \
    { #their_type "." #theirs, offsetof(their_type, theirs) },
#define NUMBER(name) { #name, (long long)(name) },
const struct layout layout_theirs[] = {
#include "standin/layout.def"
};
