/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures.  The driver does the work; the backend remembers those that were begun through
 * rill (capture_list.h).
 */
#ifndef CUDA_CAPTURE_CAPTURE_H
#define CUDA_CAPTURE_CAPTURE_H

#include <rill/backend.h>

extern const struct rill_capture_ops cuda_capture_ops;

#endif
