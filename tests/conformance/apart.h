/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests in processes of their own, several at a time.  The parent opens no platform,
 * so that its children find the driver as if they were the first.
 */
#ifndef CONFORMANCE_APART_H
#define CONFORMANCE_APART_H

#include <stddef.h>

#include "support/cmocka_all.h"

/* What ask() answers in a child; when that dies, -1 and how. */
int apart_ask(int (*ask)(char *why, size_t room), char *why, size_t room);

/* Runs all tests and prints TAP, which ends with "# N passed, N failed, N skipped".
 * The number of those that failed. */
int apart_run(const struct CMUnitTest *tests, size_t count, int jobs);

/* The test that runs in this process has to run while no other does: ends the process,
 * and the test is run again in the end, one at a time.  Does nothing then, and where
 * all tests share one process. */
void apart_alone(void);

/* The test that runs in this process is skipped, and why. */
void apart_note_skip(const char *why);

#endif
