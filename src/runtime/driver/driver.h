/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver: libcuda.so.1, the stand-in's or NVIDIA's, loaded by the first call that needs
 * it.  Nothing is linked against it, so that a program starts where there is none and is told
 * so by a status.
 */
#ifndef RT_DRIVER_H
#define RT_DRIVER_H

#include "runtime/abi/abi.h"
#include "runtime/abi/error.h"
#include "runtime/driver/entries.h"

/* The calls.  One that the driver lacks answers NOT_SUPPORTED.  Written once, before
 * rt_driver_load() first succeeds. */
struct rt_driver {
#define RT_FIELD(name, ...) CUresult (*name)(__VA_ARGS__);
    RT_ENTRIES(RT_FIELD)
#undef RT_FIELD
};

extern struct rt_driver rt_driver;

/* Copies what the stand-in has to say of the thread's last call of the driver, which failed with
 * that status.  Returns false if that is nothing. */
int rt_driver_words(cudaError_t status, char words[RILL_ERROR_MESSAGE_MAX]);

/* Tells whether the process ends, so that the driver may be gone already. */
int rt_driver_ending(void);

/* Loads the driver and starts it, unless that is done.  Returns the status that it begins
 * with, each time the same. */
cudaError_t rt_driver_load(void);

#endif
