/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fence.h"

#include <config.h>
#include <pthread.h>
#include <unistd.h>

#ifdef RILL_HAVE_LINUX
#include <sys/syscall.h>
#endif

/* As <linux/membarrier.h> has them. */
#define QUERY 0
#define PRIVATE_EXPEDITED (1 << 3)
#define REGISTER_PRIVATE_EXPEDITED (1 << 4)

bool rl_fence_is_dear;

static long call_membarrier(int command)
{
#if defined(RILL_HAVE_LINUX) && defined(SYS_membarrier)
    return syscall(SYS_membarrier, command, 0, 0);
#else
    (void)command;
    return -1;
#endif
}

static void init_fence(void)
{
    long can = call_membarrier(QUERY);
    rl_fence_is_dear = can < 0 || !(can & PRIVATE_EXPEDITED) ||
                       call_membarrier(REGISTER_PRIVATE_EXPEDITED) != 0;
}

void rl_fence_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_fence);
}

void rl_fence_rarely(void)
{
    rl_fence_full();
    /* In a child of fork() the registration is gone; nobody else runs there. */
    if (!rl_fence_is_dear) call_membarrier(PRIVATE_EXPEDITED);
}
