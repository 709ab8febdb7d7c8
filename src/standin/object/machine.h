/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine that all calls work on: one platform of rill's and its devices.  It is made
 * by cuInit() and goes with the library.
 */
#ifndef SI_MACHINE_H
#define SI_MACHINE_H

#include <stdatomic.h>

#include "base/lock.h"
#include "standin/abi/abi.h"

/* ---- The platform ------------------------------------------------------------------- */

extern rill_platform *si_platform; /* set once, by cuInit()                          */
extern atomic_int si_ready;        /* true from cuInit() until the process ends      */
extern atomic_int si_over;         /* true once the process ends                     */

/* Opens the platform and asks it for its devices. */
CUresult si_machine_open(void);
void si_machine_close(void);

/* Returns what every call answers before cuInit(), and when the process ends. */
CUresult si_not_ready(void);

/* Returns success between cuInit() and the end of the process. */
static inline CUresult si_check_ready(void)
{
    if (__builtin_expect(atomic_load_explicit(&si_ready, memory_order_acquire), 1))
        return RILL_SUCCESS;
    return si_not_ready();
}

/* Returns NOT_PERMITTED inside a host function. */
CUresult si_check_outside(void);

/* ---- Devices ------------------------------------------------------------------------ */

enum { SI_DEVICES = 64 };

struct si_context;

/* What a device has besides what rill knows of it. */
struct si_device {
    rill_device_info info;  /* set by cuInit()                                         */
    struct rl_lock turn;    /* held while the primary context begins or ends           */
    unsigned uses;          /* turn; retains that no release matched                   */
    _Atomic(struct si_context *) primary; /* its slot; set once, under `turn`          */
    struct rl_lock lock;    /* taken after `turn`                                      */
    unsigned flags;         /* lock; of the primary context                            */
};

extern struct si_device si_devices[SI_DEVICES];
extern int si_device_count;

/* Returns NULL if there is no such device. */
static inline struct si_device *si_device(CUdevice device)
{
    return device >= 0 && device < si_device_count ? &si_devices[device] : NULL;
}

/* Finds a device that was given as an argument. */
static inline CUresult si_find_device(CUdevice number, struct si_device **device)
{
    CUresult status = si_check_ready();
    *device = status ? NULL : si_device(number);
    return status || *device ? status : RILL_ERROR_INVALID_DEVICE;
}

#endif
