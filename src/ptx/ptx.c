/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/ptx.h"

const struct ptx_limits ptx_default_limits = {
    .version = 90,
    .text_bytes = (size_t)256 << 20,
    .module_bytes = (size_t)2 << 30,
    .registers = 1u << 20,
    .depth = 1024,
    .steps = 0,
};
