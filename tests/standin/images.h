/* SPDX-License-Identifier: Apache-2.0
 *
 * images.cu as a compiler made it: machine code alone, and fat binaries.
 */
#include "standin/sample_cubin.h"
#include "standin/sample_fatbins.h"
