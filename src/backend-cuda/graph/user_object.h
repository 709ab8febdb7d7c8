/* SPDX-License-Identifier: Apache-2.0
 *
 * User objects.
 */
#ifndef CUDA_GRAPH_USER_OBJECT_H
#define CUDA_GRAPH_USER_OBJECT_H

#include "backend-cuda/driver/driver.h"

struct cuda_user_object {
    CUuserObject raw;
    rill_user_object *handle;
    void *data;
    rill_destroy_fn destroy;
};

#endif
