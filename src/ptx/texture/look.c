/* SPDX-License-Identifier: Apache-2.0
 *
 * tex, tld4, txq and suq.
 */
#include "ptx/texture/bound.h"
#include "ptx/texture/gradient.h"
#include "ptx/texture/sample.h"
#include "ptx/texture/steps.h"

#include <math.h>
#include <string.h>

#include "ptx/run/fault.h"
#include "ptx/step/half_float.h"

/* What a step works with: its plan, columns, and what it found last. */
struct look {
    struct ptx_group *group;
    const struct ptx_step *step;
    struct ptx_texture_plan plan;
    struct ptx_bound bound;
    const uint32_t *sample, *layer, *coordinates[3];
    const float *level; /* NULL if none is given */
    const uint32_t *gradients[2][3]; /* by way in the picture, by dimension */
    uint32_t share;     /* of the lane: what the next level weighs, of 256 */
    const uint32_t *shifts[3]; /* NULL if there are none */
    void *results[4]; /* columns */
};

static void open_look(struct look *look, struct ptx_group *group, const struct ptx_step *step)
{
    const uint32_t *columns = group->frame->program->columns + step->more;
    *look = (struct look){ .group = group, .step = step };
    memcpy(&look->plan, &step->immediate, sizeof look->plan);
    if (look->plan.sampled) look->sample = PTX_COLUMN(group, *columns++, uint32_t);
    if (look->plan.layered) look->layer = PTX_COLUMN(group, *columns++, uint32_t);
    for (unsigned d = 0; d < look->plan.dimensions; d++)
        look->coordinates[d] = PTX_COLUMN(group, *columns++, uint32_t);
    if (look->plan.leveled) look->level = PTX_COLUMN(group, *columns++, float);
    for (unsigned i = 0; i < 2 * look->plan.dimensions && look->plan.graded; i++)
        look->gradients[i / look->plan.dimensions][i % look->plan.dimensions] =
            PTX_COLUMN(group, *columns++, uint32_t);
    for (unsigned d = 0; d < look->plan.dimensions && look->plan.shifted; d++)
        look->shifts[d] = PTX_COLUMN(group, *columns++, uint32_t);
    for (unsigned n = 0; n < step->width; n++)
        look->results[n] = PTX_COLUMN(group, *columns++, unsigned char);
}

/* Returns by how many elements a lane looks elsewhere, from -8 to 7: the lowest four bits. */
static int32_t shift_of(const struct look *look, uint32_t lane, unsigned d)
{
    if (!look->shifts[d]) return 0;
    return (int32_t)(look->shifts[d][lane] << 28) >> 28;
}

/* ---- Elements -------------------------------------------------------------------------- */

/* Reads a channel of the element at a place, or the border's; channels that the elements do not
 * have are no concern of this. */
static ptx_texel_bits read_channel(struct look *look, const int64_t at[3], unsigned channel)
{
    const struct ptx_texture *texture = &look->bound.texture;
    uint32_t bytes = ptx_texel_bytes(texture->texel);
    for (unsigned d = 0; d < 3; d++)
        if (at[d] == PTX_OUTSIDE) return ptx_border_texel(texture, channel);
    uint64_t offset = (uint64_t)at[2] * texture->slice + (uint64_t)at[1] * texture->pitch +
                      ((uint64_t)at[0] * texture->channels + channel) * bytes;
    if (look->group->block->watched)
        ptx_note_texels(look->group, look->step, &look->bound, offset, bytes, false);
    return ptx_read_texel(texture->texel, look->bound.host + offset);
}

/* ---- Lookups --------------------------------------------------------------------------- */

/* Returns the dimensions of what a place is looked for in: a face of a cube has two. */
static unsigned dimensions_of(const struct look *look)
{
    return look->plan.cube ? 2 : look->plan.dimensions;
}

/* Returns the layer of a lane, or the face in it. */
static uint32_t find_layer(const struct look *look, uint32_t lane, unsigned face)
{
    uint32_t faces = look->plan.cube ? 6 : 1;
    uint32_t layer = look->plan.layered ? look->layer[lane] : 0;
    uint32_t last = look->bound.texture.extent[2] / faces - 1;
    return (layer < last ? layer : last) * faces + face;
}

/* Where a lane looks, in each dimension. */
static void find_pairs(const struct look *look, uint32_t lane, bool neighbours,
                       struct ptx_pair pairs[3])
{
    const struct ptx_texture *texture = &look->bound.texture;
    float where[3] = { 0, 0, 0 };
    unsigned d = 0, face = 0;
    for (unsigned i = 0; i < look->plan.dimensions; i++)
        memcpy(&where[i], &look->coordinates[i][lane], sizeof where[i]);
    if (look->plan.cube) {
        const float direction[3] = { where[0], where[1], where[2] };
        face = ptx_find_face(direction, where);
    }
    for (; d < dimensions_of(look); d++) {
        int32_t shift = shift_of(look, lane, d);
        pairs[d] = neighbours ? ptx_find_neighbours(texture, d, where[d], shift)
                              : ptx_find_element(texture, d, where[d], shift);
    }
    for (; d < 3; d++) pairs[d] = (struct ptx_pair){ { 0, 0 }, 0 };
    if (look->plan.layered || look->plan.cube)
        pairs[2].at[0] = pairs[2].at[1] = find_layer(look, lane, face);
}

/* Looks an element up by integers.  There is none outside, also in layers that are not there,
 * and none in arrays of one dimension that have no layers.  Of several samples, which textures of
 * CUDA do not have, it is the first. */
static void look_by_integers(struct look *look, uint32_t lane, uint32_t results[4])
{
    const struct ptx_texture *texture = &look->bound.texture;
    int64_t at[3] = { 0, 0, 0 };
    if (texture->array && look->plan.dimensions == 1 && !look->plan.layered) return;
    if (look->plan.sampled && look->sample[lane]) return;
    if (look->plan.layered) at[2] = look->layer[lane];
    if (at[2] >= texture->extent[2]) return;
    for (unsigned d = 0; d < look->plan.dimensions; d++) {
        at[d] = (int64_t)(int32_t)look->coordinates[d][lane] + shift_of(look, lane, d);
        if (at[d] < 0 || at[d] >= texture->extent[d]) return;
    }
    for (unsigned n = 0; n < texture->channels; n++)
        results[n] = ptx_texel_value(texture, read_channel(look, at, n));
}

/* A line is looked at where its row begins: half of that is the border, if there is one. */
static unsigned dimensions_of_filter(const struct look *look, struct ptx_pair pairs[3])
{
    if (look->plan.dimensions > 1 || look->plan.layered ||
        look->bound.texture.mode[1] != PTX_HAS_BORDER)
        return dimensions_of(look);
    pairs[1] = (struct ptx_pair){ { PTX_OUTSIDE, 0 }, 128 };
    return 2;
}

static void look_filtered(struct look *look, struct ptx_pair pairs[3], uint32_t results[4])
{
    const struct ptx_texture *texture = &look->bound.texture;
    unsigned dimensions = dimensions_of_filter(look, pairs), count = 1u << dimensions;
    const uint32_t along[3] = { pairs[0].weight, pairs[1].weight, pairs[2].weight };
    uint32_t weights[8] = { 0 };
    ptx_weigh(along, dimensions, weights);
    for (unsigned n = 0; n < texture->channels; n++) {
        ptx_texel_bits bits[8] = { 0 };
        for (unsigned i = 0; i < count; i++) {
            int64_t at[3] = { pairs[0].at[i & 1], pairs[1].at[i >> 1 & 1], pairs[2].at[i >> 2] };
            if (weights[i]) bits[i] = read_channel(look, at, n);
        }
        results[n] = ptx_filtered_value(texture, bits, weights, count);
    }
}

/* One channel of four neighbours, of a layer or face: from the lower left around. */
static void gather(struct look *look, const struct ptx_pair pairs[3], uint32_t results[4])
{
    static const uint8_t x[] = { 0, 1, 1, 0 }, y[] = { 1, 1, 0, 0 };
    const struct ptx_texture *texture = &look->bound.texture;
    unsigned channel = look->plan.gathered - 1u;
    if (channel >= texture->channels) return;
    for (unsigned n = 0; n < 4; n++) {
        int64_t at[3] = { pairs[0].at[x[n]], pairs[1].at[y[n]], pairs[2].at[0] };
        results[n] = ptx_gathered_value(texture, read_channel(look, at, channel));
    }
}

static void look_by_floats(struct look *look, uint32_t lane, uint32_t results[4])
{
    const struct ptx_texture *texture = &look->bound.texture;
    struct ptx_pair pairs[3];
    bool filters = ptx_filters(texture) && !look->plan.gathered;
    if (texture->packed) return;
    find_pairs(look, lane, filters || look->plan.gathered, pairs);
    if (look->plan.gathered) gather(look, pairs, results);
    else if (filters) look_filtered(look, pairs, results);
    else {
        const int64_t at[3] = { pairs[0].at[0], pairs[1].at[0], pairs[2].at[0] };
        for (unsigned n = 0; n < texture->channels; n++)
            results[n] = ptx_texel_value(texture, read_channel(look, at, n));
    }
}

/* Returns true if levels of a texture can be weighed. */
static bool blends(const struct ptx_texture *texture)
{
    struct ptx_texture filtered = *texture;
    filtered.linear = true;
    return texture->between && ptx_filters(&filtered);
}

static struct ptx_gradients gradients_of(const struct look *look, uint32_t lane)
{
    struct ptx_gradients gradients = { .bent = false };
    float direction[3] = { 0 }, along[2][3] = { { 0 } };
    for (unsigned d = 0; d < look->plan.dimensions; d++) {
        memcpy(&direction[d], &look->coordinates[d][lane], sizeof direction[d]);
        for (unsigned way = 0; way < 2; way++) {
            memcpy(&along[way][d], &look->gradients[way][d][lane], sizeof along[way][d]);
            gradients.along[way][d] = (double)along[way][d];
        }
    }
    return look->plan.cube ? ptx_gradients_on_face(direction, along) : gradients;
}

/* Returns the level that a lane asks for, in 256ths; without asking it is the first. */
static int32_t asked_level(const struct look *look, uint32_t lane)
{
    const struct ptx_texture *texture = &look->bound.texture;
    const float most = 1 << 16;
    if (look->level) {
        const float level = look->level[lane];
        if (!(level == level)) return texture->bias;
        return (int32_t)((level > most ? most : level < -most ? -most : level) * 256) +
               texture->bias;
    }
    if (!look->plan.graded) return 0;
    const struct ptx_gradients gradients = gradients_of(look, lane);
    return ptx_gradient_level(&gradients, texture->extent, dimensions_of(look)) + texture->bias;
}

/* Finds the level of a lane, and what the one after it weighs.  Returns false if it is not known
 * what hardware does. */
static bool find_level(struct look *look, uint32_t lane, unsigned *found)
{
    const struct ptx_texture *texture = &look->bound.texture;
    const int32_t last = (texture->levels - 1) * 256;
    if (look->plan.integers) return false;
    if (look->plan.graded && texture->anisotropic) return false;
    int32_t level = asked_level(look, lane);
    if (level > texture->most_level) level = texture->most_level;
    if (level < texture->least_level) level = texture->least_level;
    if (level > last) level = last;
    if (level < 0) level = 0;
    const uint32_t rest = (uint32_t)level % 256;
    if (rest && texture->between &&
        (!blends(texture) || (dimensions_of(look) > 2 && ptx_filters(texture))))
        return false;
    if (texture->between) look->share = rest;
    *found = (unsigned)(texture->between ? level / 256 : (level + 128) / 256);
    return true;
}

/* Goes from the first level of a mipmap to that of the lane.  Returns false if the lane has
 * failed. */
static bool bind_level(struct look *look, uint32_t lane)
{
    unsigned level;
    if (!find_level(look, lane, &level)) {
        ptx_fail(look->group, look->step, lane, RILL_ERROR_LAUNCH_FAILED, 0,
                 "the simulator looks at levels of a mipmap that are given by numbers, or by "
                 "gradients without anisotropy, and between two levels with no more than two "
                 "dimensions filtered");
        return false;
    }
    for (; level > 0; level--) {
        uint64_t next = look->bound.texture.next;
        if (!ptx_bind_texture(look->group, look->step, lane, next, false, false, &look->bound))
            return false;
    }
    return true;
}

/* Weighs up to four elements of a level with as many of the next one, as if levels were a third
 * dimension.  Returns false if the lane has failed. */
static bool look_between(struct look *look, uint32_t lane, uint32_t results[4])
{
    const bool filters = ptx_filters(&look->bound.texture);
    ptx_texel_bits bits[4][8] = { { 0 } };
    uint32_t weights[8], all[8];
    for (unsigned level = 0; level < 2; level++) {
        const uint64_t next = look->bound.texture.next;
        struct ptx_pair pairs[3];
        if (level && !ptx_bind_texture(look->group, look->step, lane, next, false, false,
                                       &look->bound))
            return false;
        find_pairs(look, lane, filters, pairs);
        ptx_weigh((const uint32_t[]){ pairs[0].weight, pairs[1].weight, look->share }, 3, all);
        for (unsigned i = 4 * level; i < 4 * level + 4; i++) {
            const int64_t at[3] = { pairs[0].at[i & 1], pairs[1].at[i >> 1 & 1], pairs[2].at[0] };
            weights[i] = all[i];
            for (unsigned n = 0; n < look->bound.texture.channels && weights[i]; n++)
                bits[n][i] = read_channel(look, at, n);
        }
    }
    for (unsigned n = 0; n < look->bound.texture.channels; n++)
        results[n] = ptx_filtered_value(&look->bound.texture, bits[n], weights, 8);
    return true;
}

/* Finds the texture of a lane.  Returns false if the lane has failed.  What hardware finds in a
 * cube without a direction, and with one in what is none, is not known. */
static bool bind_lane(struct look *look, uint32_t lane, uint64_t handle)
{
    if (!ptx_bind_texture(look->group, look->step, lane, handle, false, false, &look->bound))
        return false;
    look->share = 0;
    if (look->bound.nothing) return true;
    if (look->bound.texture.levels && !bind_level(look, lane)) return false;
    if (look->bound.texture.cube == look->plan.cube) return true;
    ptx_fail(look->group, look->step, lane, RILL_ERROR_LAUNCH_FAILED, 0,
             look->plan.cube ? "the texture that is looked at in a direction is no cube"
                             : "a cube is looked at without a direction");
    return false;
}

static uint16_t half_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return half_of(value);
}

/* Gives a lane what it asked for: four words, four halves, or two pairs of halves. */
static void give(const struct look *look, uint32_t lane, const uint32_t results[4])
{
    const unsigned width = look->step->width;
    for (unsigned n = 0; n < width; n++) {
        uint16_t *halves = look->results[n];
        uint32_t *words = look->results[n];
        if (!look->plan.halves) words[lane] = results[n];
        else if (width == 4) halves[lane] = half_of_bits(results[n]);
        else
            words[lane] = half_of_bits(results[2 * n]) |
                          (uint32_t)half_of_bits(results[2 * n + 1]) << 16;
    }
}

void ptx_texture_look_step(struct ptx_group *group, const struct ptx_step *step)
{
    const uint64_t *handles = PTX_COLUMN(group, step->a, uint64_t);
    struct look look;
    open_look(&look, group, step);
    PTX_IN_TURN(group, i) {
        uint32_t results[4] = { 0 };
        if (!bind_lane(&look, i, handles[i])) return;
        if (look.bound.nothing) {}
        else if (look.share && !look_between(&look, i, results)) return;
        else if (look.share) {}
        else if (look.plan.integers) look_by_integers(&look, i, results);
        else look_by_floats(&look, i, results);
        give(&look, i, results);
    }
}

/* ---- Questions ------------------------------------------------------------------------- */

/* Tells an extent of a level, 0 of one that is not there.  Returns false if the lane has failed. */
static bool tell_extent(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                        uint32_t level, struct ptx_bound *bound, uint32_t *told)
{
    const uint32_t levels = bound->texture.levels ? bound->texture.levels : 1;
    struct ptx_texture_plan plan;
    memcpy(&plan, &step->immediate, sizeof plan);
    *told = 0;
    if (level >= levels) return true;
    for (; level > 0; level--)
        if (!ptx_bind_texture(group, step, lane, bound->texture.next, false, false, bound))
            return false;
    *told = bound->texture.told[plan.asked];
    return true;
}

static void ask(struct ptx_group *group, const struct ptx_step *step, bool surface)
{
    const uint64_t *handles = PTX_COLUMN(group, step->a, uint64_t);
    const uint32_t *levels =
        step->b == PTX_NO_COLUMN ? NULL : PTX_COLUMN(group, step->b, uint32_t);
    uint32_t *results = PTX_COLUMN(group, step->d, uint32_t);
    struct ptx_bound bound = { .known = false };
    PTX_IN_TURN(group, i) {
        uint32_t told;
        if (!ptx_bind_texture(group, step, i, handles[i], surface, false, &bound) ||
            !tell_extent(group, step, i, levels ? levels[i] : 0, &bound, &told))
            return;
        results[i] = told;
    }
}

void ptx_texture_reside_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    PTX_EACH_LANE(group, i) d[i] = 1;
}

void ptx_texture_ask_step(struct ptx_group *group, const struct ptx_step *step)
{
    ask(group, step, false);
}

void ptx_surface_ask_step(struct ptx_group *group, const struct ptx_step *step)
{
    ask(group, step, true);
}
