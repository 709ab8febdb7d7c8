/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

const char *rill_version(void)
{
    return TEXT(RILL_VERSION_MAJOR) "." TEXT(RILL_VERSION_MINOR) "." TEXT(RILL_VERSION_PATCH);
}
