/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of fake_libcuda.so share: how a call of its own is written and found.
 */
#ifndef FAKE_LIBCUDA_H
#define FAKE_LIBCUDA_H

#include "cuda/fake.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "backend-cuda/driver/abi.h"

#define EXPORT __attribute__((visibility("default")))

/* Protects what the test sees: which calls were made, and what is alive or held. */
extern pthread_mutex_t fake_lock;

/* Notes a call, and returns what it is to answer. */
CUresult fake_begun(const char *name);

/* Returns a handle of its own, and counts so many objects as alive. */
void *fake_handle(long objects);
void fake_end_handle(void);

/* The version that the test chose. */
extern int fake_version;

/* For fake_reset(): each file forgets what it keeps. */
void fake_forget_contexts(void);
void fake_forget_work(void);

#define DO(name, ...) static CUresult CUDAAPI do_##name(__VA_ARGS__)
#define BEGIN(name) \
    CUresult result = fake_begun("cu" #name); \
    if (result) return result

/* A call that does more than to succeed; since `version`, if its name had another signature
 * before.  A list ends with NULL. */
struct fake_entry {
    const char *name;
    int version;
    void *entry;
};
extern const struct fake_entry fake_makers[]; /* fake_makers.c */
extern const struct fake_entry fake_work[];   /* fake_work.c */

#define GIVEN(name) { "cu" #name, 0, (void *)do_##name }
#define GIVEN_LATER(name, version) { "cu" #name, version, (void *)do_##name }

#endif
