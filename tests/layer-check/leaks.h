/* SPDX-License-Identifier: Apache-2.0
 *
 * What LeakSanitizer is to look at in programs that load libdw.
 */
#ifndef LAYER_CHECK_LEAKS_H
#define LAYER_CHECK_LEAKS_H

#ifdef __SANITIZE_ADDRESS__
/* LeakSanitizer takes the thread-local memory of libraries that are loaded late, as libdw is, for
 * what an old version of glibc would have there, and crashes if it looks so by chance. */
__attribute__((visibility("default"))) const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "use_tls=0";
}
#endif

#endif
