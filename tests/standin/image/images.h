/* SPDX-License-Identifier: Apache-2.0
 *
 * images.cu as a compiler made it: machine code alone, and fat binaries.
 */
#include "standin/image/sample_cubin.h"
#include "standin/image/sample_fatbins.h"
