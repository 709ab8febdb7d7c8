/* SPDX-License-Identifier: Apache-2.0
 *
 * The built stand-in as a program meets it: a library that is loaded, and entry points
 * by name.
 */
#ifndef STANDIN_LIBRARY_H
#define STANDIN_LIBRARY_H

#include <dlfcn.h>
#include <string.h>

#include "standin/abi/abi.h"
#include "support/cmocka_all.h"

#define LIBRARY "src/standin/libcuda.so.1"

static void *library;

static inline void library_open(void)
{
    library = dlopen("./" LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) fail_msg("%s", dlerror());
}

/* ThreadSanitizer's atexit() forgets which library a function is of, and calls it at the
 * end of the process although it is gone by then. */
#ifdef __SANITIZE_THREAD__
#define LIBRARY_STAYS 1
#else
#define LIBRARY_STAYS 0
#endif

static inline int library_close(void)
{
    return LIBRARY_STAYS ? 0 : dlclose(library);
}

/* Into a variable of the entry point's type. */
static inline void find(const char *name, void *address_of_pointer)
{
    void *address = dlsym(library, name);
    if (!address) fail_msg("%s is not there", name);
    memcpy(address_of_pointer, &address, sizeof address);
}

/* CALL(cuInit, (unsigned), (0)): calls it by name. */
#define CALL(name, parameters, arguments) \
    __extension__({ \
        CUresult(*call_) parameters; \
        find(#name, &call_); \
        call_ arguments; \
    })

#define OK(status) assert_int_equal((status), RILL_SUCCESS)

static inline void library_begin(void)
{
    library_open();
    OK(CALL(cuInit, (unsigned), (0)));
}

/* For groups of tests. */
static inline int library_setup(void **state)
{
    (void)state;
    library_begin();
    return 0;
}

static inline int library_teardown(void **state)
{
    (void)state;
    return library_close();
}

#endif
