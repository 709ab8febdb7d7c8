/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/layout.h"

#include "standin/abi/abi.h"

#define TYPE(ours, theirs) { "sizeof " #ours, sizeof(ours) },
#define FIELD(our_type, ours, their_type, theirs) \
    { #our_type "." #ours, offsetof(our_type, ours) },
#define NUMBER(name) { #name, (long long)(name) },
const struct layout layout_ours[] = {
#include "standin/layout.def"
};

const size_t layout_count = sizeof layout_ours / sizeof layout_ours[0];
