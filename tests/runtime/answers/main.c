/* SPDX-License-Identifier: Apache-2.0
 *
 * main [GROUP...]: asks the groups that are named, or all.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answers.h"

void answer(const char *call, cudaError_t status)
{
    cudaError_t last = cudaPeekAtLastError();
    printf("%s: %s", call, cudaGetErrorName(status));
    if (last != status) printf(", last %s", cudaGetErrorName(last));
    putchar('\n');
    cudaGetLastError();
}

cudaError_t launch_plain(const void *kernel, unsigned blocks, unsigned threads)
{
    const dim3 grid = { blocks, 1, 1 }, block = { threads, 1, 1 };
    return cudaLaunchKernel(kernel, grid, block, NULL, 0, 0);
}

cudaError_t launch_store(int *at, int value, cudaStream_t stream)
{
    const dim3 one = { 1, 1, 1 };
    void *params[] = { &at, &value };
    return cudaLaunchKernel(store, one, one, params, 0, stream);
}

cudaError_t launch_wait(volatile int *flag, cudaStream_t stream)
{
    const dim3 one = { 1, 1, 1 };
    void *params[] = { &flag };
    return cudaLaunchKernel(wait_for, one, one, params, 0, stream);
}

#ifdef ANSWERS_RECOVER
sigjmp_buf before_call;

static void leave_call(int signal)
{
    (void)signal;
    siglongjmp(before_call, 1);
}

static void recover(void)
{
    signal(SIGSEGV, leave_call);
}
#else
static void recover(void) {}
#endif

/* ---- Groups -------------------------------------------------------------------------------- */

static void ask_apart(const struct group *group)
{
    int status = 0;
    printf("== %s\n", group->name);
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(100);
        recover();
        register_kernels();
        group->ask();
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) printf("ended by signal %d\n", WTERMSIG(status));
}

static int is_wanted(const char *name, char **wanted)
{
    if (!*wanted) return 1;
    while (*wanted)
        if (!strcmp(*wanted++, name)) return 1;
    return 0;
}

int main(int argc, char **argv)
{
    static const struct group *const all[] = {
        device_groups, memory_groups, copy_groups,    symbol_groups, launch_groups,
        stream_groups, capture_groups, node_groups,   exec_groups,   pool_groups,
        context_groups, fault_groups, word_groups,    null_groups,  order_groups,
    };
    (void)argc;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (const struct group *group = all[i]; group->name; group++)
            if (is_wanted(group->name, argv + 1)) ask_apart(group);
    return 0;
}
