/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/ptx.h"

#define MOST_TEXT ((size_t)UINT32_MAX / 2) /* places in it are numbers of 32 bits         */

static const struct ptx_limits defaults = {
    .version = 90,
    .text_bytes = (size_t)256 << 20,
    .module_bytes = (size_t)2 << 30,
    .registers = 1u << 20,
    .depth = 1024,
    .steps = 0,
};

struct ptx_limits ptx_limits_of(const struct ptx_limits *given)
{
    struct ptx_limits limits = given ? *given : defaults;
    if (!limits.version || limits.version > defaults.version) limits.version = defaults.version;
    if (!limits.text_bytes) limits.text_bytes = defaults.text_bytes;
    if (limits.text_bytes > MOST_TEXT) limits.text_bytes = MOST_TEXT;
    if (!limits.module_bytes) limits.module_bytes = defaults.module_bytes;
    if (!limits.registers) limits.registers = defaults.registers;
    if (!limits.depth) limits.depth = defaults.depth;
    return limits;
}
