/* SPDX-License-Identifier: Apache-2.0
 *
 * Directions in a cube.  The largest coordinate names the face, and the other two divided by it
 * are the place there, as the CUDA programming guide has it.  Of directions to an edge the guide
 * says nothing: the later coordinate counts, as on an H200, and no direction at all is the middle
 * of a face.
 */
#include "ptx/texture/sample.h"

#include <math.h>

unsigned ptx_cube_axis(const double direction[3])
{
    unsigned most = 0;
    for (unsigned d = 1; d < 3; d++)
        if (fabs(direction[d]) >= fabs(direction[most])) most = d;
    return most;
}

unsigned ptx_find_face(const float direction[3], float place[2])
{
    /* By face: which coordinates are the place, and their signs. */
    static const struct {
        uint8_t of[2];
        int8_t sign[2];
    } faces[] = {
        { { 2, 1 }, { -1, -1 } }, { { 2, 1 }, { 1, -1 } }, { { 0, 2 }, { 1, 1 } },
        { { 0, 2 }, { 1, -1 } },  { { 0, 1 }, { 1, -1 } }, { { 0, 1 }, { -1, -1 } },
    };
    const unsigned most = ptx_cube_axis((const double[]){
        (double)direction[0], (double)direction[1], (double)direction[2] });
    unsigned face = 2 * most + (direction[most] < 0);
    const float depth = direction[most] == 0 ? 1 : fabsf(direction[most]);
    for (unsigned i = 0; i < 2; i++) {
        float part = (float)faces[face].sign[i] * direction[faces[face].of[i]];
        place[i] = (part / depth + 1) / 2;
    }
    return face;
}
