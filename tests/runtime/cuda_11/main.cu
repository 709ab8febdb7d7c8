// SPDX-License-Identifier: Apache-2.0
// main [GROUP...]: asks the groups that are named, or all.
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"

sigjmp_buf before_call;

static void leave_call(int signal)
{
    std::signal(signal, leave_call);
    siglongjmp(before_call, 1);
}

void answer(const char *call, cudaError_t status)
{
    cudaError_t last = cudaPeekAtLastError();
    std::printf("%s: %s", call, cudaGetErrorName(status));
    if (last != status) std::printf(", last %s", cudaGetErrorName(last));
    std::putchar('\n');
    cudaGetLastError();
}

static void ask_apart(const group &group)
{
    int status = 0;
    std::printf("== %s\n", group.name);
    std::fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(6);
        std::signal(SIGSEGV, leave_call);
        group.ask();
        std::fflush(stdout);
        _exit(0);
    }
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) std::printf("ended by signal %d\n", WTERMSIG(status));
}

static bool is_wanted(const char *name, char **wanted)
{
    if (!*wanted) return true;
    while (*wanted)
        if (!std::strcmp(*wanted++, name)) return true;
    return false;
}

int main(int, char **words)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    for (const group *all : { call_groups, graph_groups, bind_groups, lookup_groups })
        for (const group *group = all; group->name; group++)
            if (is_wanted(group->name, words + 1)) ask_apart(*group);
}
