/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/machine/machine.h"

#include "base/alloc.h"

rill_status sim_check_device(const struct sim_platform *platform, int device, rill_status code,
                             const char *argument)
{
    if (device >= 0 && device < platform->device_count) return RILL_SUCCESS;
    return rill_backend_fail(code, argument, "there is no device %d; the platform has %d", device,
                             platform->device_count);
}

/* ---- Peers ------------------------------------------------------------------------- */

/* Returns the link that points at the peer, or at the end of the list.  Requires
 * context->peers_lock. */
static struct sim_peer **find_peer(struct sim_context *context, const struct sim_context *peer)
{
    struct sim_peer **at = &context->peers;
    while (*at && (*at)->id != peer->id) at = &(*at)->next;
    return at;
}

bool sim_context_reaches(struct sim_context *context, int device)
{
    rl_lock(&context->peers_lock);
    const struct sim_peer *peer = context->peers;
    while (peer && peer->device != device) peer = peer->next;
    rl_unlock(&context->peers_lock);
    return peer;
}

rill_status sim_peer_add(struct sim_context *context, const struct sim_context *peer)
{
    struct sim_peer *made = rl_zalloc(sizeof *made);
    if (!made) return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory to note a peer");
    made->id = peer->id;
    made->device = peer->device->ordinal;
    rl_lock(&context->peers_lock);
    struct sim_peer **at = find_peer(context, peer);
    bool known = *at;
    if (!known) *at = made;
    rl_unlock(&context->peers_lock);
    if (!known) return RILL_SUCCESS;
    rl_free(made);
    return rill_backend_fail(RILL_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer",
                             "access to this context of device %d is enabled already",
                             peer->device->ordinal);
}

rill_status sim_peer_remove(struct sim_context *context, const struct sim_context *peer)
{
    rl_lock(&context->peers_lock);
    struct sim_peer **at = find_peer(context, peer), *found = *at;
    if (found) *at = found->next;
    rl_unlock(&context->peers_lock);
    rl_free(found);
    if (found) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_PEER_ACCESS_NOT_ENABLED, "peer",
                             "access to this context of device %d is not enabled",
                             peer->device->ordinal);
}

/* Takes the lock, since a graph that was made in the context may ask at the same time. */
void sim_peers_forget(struct sim_context *context)
{
    rl_lock(&context->peers_lock);
    struct sim_peer *peers = context->peers, *next;
    context->peers = NULL;
    rl_unlock(&context->peers_lock);
    for (; peers; peers = next) {
        next = peers->next;
        rl_free(peers);
    }
}
