/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/memory/host_block.h"

#include "standin/context/settings.h"

#define BLOCK_BYTES ((size_t)2 << 20)

static bool is_piece(size_t bytes)
{
    return bytes && bytes < BLOCK_BYTES;
}

/* Takes the lock, and returns the block that pieces with these flags are cut from. */
static struct si_host_block *lock_block(struct si_settings *settings, unsigned flags)
{
    rl_lock(&settings->blocks_lock);
    return &settings->host_blocks[flags & CU_MEMHOSTALLOC_WRITECOMBINED ? 1 : 0];
}

static bool has_room(const struct si_host_block *block, size_t bytes)
{
    return block->pieces && bytes <= BLOCK_BYTES - block->bytes;
}

unsigned si_host_block_flags(struct si_context *context, size_t bytes, unsigned flags)
{
    struct si_settings *settings = is_piece(bytes) ? si_settings_make(context) : NULL;
    if (!settings) return flags;
    const struct si_host_block *block = lock_block(settings, flags);
    if (has_room(block, bytes)) {
        flags &= ~(unsigned)CU_MEMHOSTALLOC_PORTABLE;
        if (block->portable) flags |= CU_MEMHOSTALLOC_PORTABLE;
    }
    rl_unlock(&settings->blocks_lock);
    return flags;
}

void si_host_block_add(struct si_context *context, size_t bytes, unsigned flags)
{
    struct si_settings *settings = is_piece(bytes) ? si_settings_make(context) : NULL;
    if (!settings) return;
    struct si_host_block *block = lock_block(settings, flags);
    if (!has_room(block, bytes))
        *block = (struct si_host_block){ .pieces = block->pieces,
                                         .portable = flags & CU_MEMHOSTALLOC_PORTABLE };
    block->bytes += bytes;
    block->pieces++;
    rl_unlock(&settings->blocks_lock);
}

/* Memory that is freed with its context comes here once the context's settings are gone. */
void si_host_block_remove(struct si_context *context, size_t bytes, unsigned flags)
{
    struct si_settings *settings = is_piece(bytes) ? si_settings_of(context) : NULL;
    if (!settings) return;
    struct si_host_block *block = lock_block(settings, flags);
    if (block->pieces) block->pieces--;
    rl_unlock(&settings->blocks_lock);
}
