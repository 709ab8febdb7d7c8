/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/abi/abi.h"
#include "runtime/abi/error.h"
#include "runtime/abi/texture.h"
#include "standin/layout.h"

#define SIZE(type) { "sizeof " #type, sizeof(type) },
#define PLACE(type, field) { #type "." #field, offsetof(type, field) },
#define NUMBER(name) { #name, (long long)(name) },
const struct layout layout_ours[] = {
#include "runtime/layout.def"
};

const size_t layout_count = sizeof layout_ours / sizeof layout_ours[0];
