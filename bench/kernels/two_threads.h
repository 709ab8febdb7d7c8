/* SPDX-License-Identifier: Apache-2.0
 *
 * A loop of plain C that two threads share.
 */
#ifndef BENCH_TWO_THREADS_H
#define BENCH_TWO_THREADS_H

/* Runs half of the parts on the calling thread and half on another one.  Both are awake before the
 * clock starts and look for each other without sleeping, so what the machine allows is measured.
 * Returns milliseconds by the clock on the wall. */
double run_on_two_threads(void (*run)(int first, int end), int parts);

#endif
