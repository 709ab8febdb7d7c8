/* SPDX-License-Identifier: Apache-2.0
 *
 * Mutated texts are refused or run.
 *
 *     test_fuzz              20,000 of them, as a test
 *     test_fuzz 10000000     so many
 *     test_fuzz 1000 5000    a thousand, from number 5000 on; from 10^12 on of the seeds alone
 *     test_fuzz -t 5000      shows number 5000
 *     test_fuzz -r 5000      runs it, in this process
 *     test_fuzz -f FILE      runs what is in a file
 *
 * A child works through them and says where it is in memory that both see, so that the
 * parent can name the one that ended it, or that does not end.
 */
#include "fuzz.h"

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS 30 /* that one text may take, on a machine that does much else */

struct board {
    _Atomic uint64_t at;
    struct fuzz_tally tally;
};

/* Every tenth text is run both lane by lane and otherwise, compared after each step. */
static void run_number(uint64_t number)
{
    size_t bytes;
    setenv("RILL_PTX_CODE", number % 10 ? "" : "both", 1);
    char *text = fuzz_text(number, &bytes);
    LLVMFuzzerTestOneInput((const uint8_t *)text, bytes);
    free(text);
}

static void work(struct board *board, uint64_t first, uint64_t count)
{
    for (uint64_t i = first; i < first + count; i++) {
        atomic_store(&board->at, i);
        run_number(i);
        board->tally = fuzz_tally;
        if (getenv("RILL_TEST_VERBOSE") && (i - first) % 100000 == 99999)
            printf("# %" PRIu64 ": %" PRIu64 " read, %" PRIu64 " compiled, %" PRIu64
                   " kernels run, %" PRIu64 " to their end\n", i + 1, fuzz_tally.read,
                   fuzz_tally.compiled, fuzz_tally.launched, fuzz_tally.ended);
        fflush(stdout);
    }
}

/* True: the child ended well.  It is killed if it stays with one text for too long. */
static bool watch(pid_t child, struct board *board)
{
    uint64_t seen = UINT64_MAX;
    for (int status, tenths = 0;; tenths++) {
        pid_t gone = waitpid(child, &status, WNOHANG);
        if (gone == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (seen != atomic_load(&board->at)) tenths = 0;
        seen = atomic_load(&board->at);
        if (tenths > SECONDS * 10) kill(child, SIGKILL);
        usleep(100000);
    }
}

static int run_all(uint64_t first, uint64_t count)
{
    struct board *board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED) return 1;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
        work(board, first, count);
        fflush(stdout);
        _exit(0);
    }
    bool good = watch(child, board);
    const struct fuzz_tally *tally = &board->tally;
    printf("# %" PRIu64 " texts: %" PRIu64 " read, %" PRIu64 " compiled, %" PRIu64
           " kernels run, %" PRIu64 " to their end\n", tally->texts, tally->read, tally->compiled,
           tally->launched, tally->ended);
    if (good && (tally->read == 0 || tally->compiled == 0 || tally->ended == 0)) {
        printf("# hardly any of them is PTX: this tests nothing\n");
        good = count < 1000;
    }
    if (!good) printf("# number %" PRIu64 " was the last\n", atomic_load(&board->at));
    printf("1..1\n%sok 1 - mutated texts are refused or run\n", good ? "" : "not ");
    return !good;
}

static int run_file(const char *path)
{
    static uint8_t text[1 << 22];
    FILE *file = fopen(path, "r");
    if (!file) return 1;
    size_t bytes = fread(text, 1, sizeof text, file);
    fclose(file);
    uint8_t *exact = malloc(bytes + 1);
    if (!exact) return 1;
    memcpy(exact, text, bytes);
    LLVMFuzzerTestOneInput(exact, bytes);
    free(exact);
    return 0;
}

int main(int argc, char **argv)
{
    uint64_t count = 20000, first = 1;
    const char *scale = getenv("RILL_TEST_SCALE");
    if (scale && atoi(scale) > 1) count /= (unsigned)atoi(scale);
    if (argc == 3 && !strcmp(argv[1], "-f")) return run_file(argv[2]);
    if (argc > 2) first = strtoull(argv[2], NULL, 0);
    if (argc == 3 && !strcmp(argv[1], "-r")) return run_number(first), 0;
    if (argc == 3 && !strcmp(argv[1], "-t")) {
        size_t bytes;
        char *text = fuzz_text(first, &bytes);
        fwrite(text, 1, bytes, stdout);
        free(text);
        return 0;
    }
    if (argc > 1) count = strtoull(argv[1], NULL, 0);
    return run_all(first, count);
}
