/* SPDX-License-Identifier: Apache-2.0 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "layer-check/site/python.h"

#include <stddef.h>

bool ck_is_python_module(const char *module)
{
    (void)module;
    return false;
}
const void *ck_python_site(void)
{
    return NULL;
}
bool ck_is_python_site(const void *site, struct ck_source *source)
{
    (void)site, (void)source;
    return false;
}
