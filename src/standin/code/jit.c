/* SPDX-License-Identifier: Apache-2.0
 *
 * What the compiler of the driver would have to say, in the room that programs give for
 * it: one sentence on what is wrong with an image, and nothing for the rest.
 */
#include "standin/code/jit.h"

#include <string.h>

#include "base/thread.h"

CUresult si_jit_check(const struct si_jit *jit)
{
    if (jit->count && (!jit->options || !jit->values)) return RILL_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < jit->count; i++)
        if (jit->options[i] < 0 || jit->options[i] >= CU_JIT_NUM_OPTIONS)
            return RILL_ERROR_INVALID_VALUE;
    return RILL_SUCCESS;
}

/* The place of the value of an option; NULL: it was not given. */
static void **value_of(const struct si_jit *jit, int option)
{
    for (unsigned i = 0; i < jit->count; i++)
        if (jit->options[i] == option) return &jit->values[i];
    return NULL;
}

/* The size of a buffer is passed as the value itself, and replaced by what was written. */
static void say(const struct si_jit *jit, int buffer_option, int size_option, const char *text)
{
    void **buffer = value_of(jit, buffer_option), **size = value_of(jit, size_option);
    if (!buffer || !*buffer || !size) return;
    size_t room = (size_t)(uintptr_t)*size & UINT32_MAX, length = strlen(text);
    if (!room) return;
    if (length >= room) length = room - 1;
    memcpy(*buffer, text, length);
    ((char *)*buffer)[length] = 0;
    *size = (void *)(uintptr_t)length;
}

void si_jit_say(const struct si_jit *jit, const char *error)
{
    say(jit, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, "");
    say(jit, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, error);
}

/* In the value itself, as a float. */
void si_jit_took(const struct si_jit *jit, uint64_t since)
{
    void **slot = value_of(jit, CU_JIT_WALL_TIME);
    float took = (float)(rl_monotonic_ns() - since) / 1e6f;
    if (slot) memcpy(slot, &took, sizeof took);
}
