/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups of threads: blocks, tiles of a warp, the lanes that are together, and grids that were
 * launched to meet.  Groups of clusters and of several devices are not here.
 */
#ifndef RILL_COOPERATIVE_GROUPS_H
#define RILL_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

#define RILL_GROUP __device__ __forceinline__

/* ---- Lanes --------------------------------------------------------------------------------- */

namespace details {

RILL_GROUP unsigned lane()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

RILL_GROUP unsigned lanes_before()
{
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

RILL_GROUP unsigned first_lanes(unsigned count)
{
    return count < 32 ? (1u << count) - 1 : ~0u;
}

/* Returns the lane of that rank among those of a mask. */
RILL_GROUP unsigned lane_of(unsigned mask, unsigned rank)
{
    if (mask == ~0u) return rank;
    while (rank--) mask &= mask - 1;
    return __ffs(mask) - 1;
}

/* Moves the bits of those lanes, which are some of a mask's, to its lowest bits. */
RILL_GROUP unsigned pack(unsigned lanes, unsigned mask)
{
    unsigned packed = 0;
    if (mask == ~0u) return lanes;
    for (unsigned rank = 0; mask; rank++, mask &= mask - 1)
        if (lanes & mask & -mask) packed |= 1u << rank;
    return packed;
}

/* Returns a value of any type of another lane. */
template <typename T>
RILL_GROUP T read_lane(unsigned mask, const T &value, unsigned lane)
{
    unsigned words[(sizeof(T) + 3) / 4] = {};
    T other;
    memcpy(words, &value, sizeof value);
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        words[i] = __shfl_sync(mask, words[i], (int)lane);
    memcpy(&other, words, sizeof other);
    return other;
}

RILL_GROUP unsigned block_rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

RILL_GROUP unsigned block_size()
{
    return blockDim.x * blockDim.y * blockDim.z;
}

} // namespace details

/* ---- Any group ----------------------------------------------------------------------------- */

/* A group of which it is not known when it is compiled whether it is a block or lanes of a warp. */
class thread_group {
public:
    RILL_GROUP void sync() const
    {
        if (lanes) __syncwarp(lanes);
        else __syncthreads();
    }
    RILL_GROUP unsigned num_threads() const
    {
        return lanes ? __popc(lanes) : details::block_size();
    }
    RILL_GROUP unsigned size() const { return num_threads(); }
    RILL_GROUP unsigned thread_rank() const
    {
        return lanes ? __popc(lanes & details::lanes_before()) : details::block_rank();
    }

protected:
    explicit RILL_GROUP thread_group(unsigned lanes) : lanes(lanes) {}
    unsigned lanes; /* 0 in a block */

    friend RILL_GROUP thread_group tiled_partition(const thread_group &parent, unsigned size);
};

template <typename Group>
RILL_GROUP void sync(const Group &group)
{
    group.sync();
}

template <typename Group>
RILL_GROUP unsigned thread_rank(const Group &group)
{
    return group.thread_rank();
}

template <typename Group>
RILL_GROUP unsigned group_size(const Group &group)
{
    return group.num_threads();
}

/* ---- Blocks -------------------------------------------------------------------------------- */

class thread_block : public thread_group {
public:
    static RILL_GROUP void sync() { __syncthreads(); }
    static RILL_GROUP unsigned num_threads() { return details::block_size(); }
    static RILL_GROUP unsigned size() { return num_threads(); }
    static RILL_GROUP unsigned thread_rank() { return details::block_rank(); }
    static RILL_GROUP dim3 group_index() { return blockIdx; }
    static RILL_GROUP dim3 thread_index() { return threadIdx; }
    static RILL_GROUP dim3 dim_threads() { return blockDim; }
    static RILL_GROUP dim3 group_dim() { return blockDim; }

private:
    RILL_GROUP thread_block() : thread_group(0) {}
    friend RILL_GROUP thread_block this_thread_block();
};

RILL_GROUP thread_block this_thread_block()
{
    return thread_block();
}

/* ---- Lanes that are together --------------------------------------------------------------- */

class coalesced_group : public thread_group {
public:
    template <typename T>
    RILL_GROUP T shfl(const T &value, int rank) const
    {
        return details::read_lane(lanes, value, details::lane_of(lanes, rank));
    }
    template <typename T>
    RILL_GROUP T shfl_up(const T &value, unsigned by) const
    {
        unsigned rank = thread_rank();
        return shfl(value, rank < by ? rank : rank - by);
    }
    template <typename T>
    RILL_GROUP T shfl_down(const T &value, unsigned by) const
    {
        unsigned rank = thread_rank();
        return shfl(value, rank + by < num_threads() ? rank + by : rank);
    }
    RILL_GROUP int any(int truth) const { return __any_sync(lanes, truth); }
    RILL_GROUP int all(int truth) const { return __all_sync(lanes, truth); }
    RILL_GROUP unsigned ballot(int truth) const
    {
        return details::pack(__ballot_sync(lanes, truth), lanes);
    }
    template <typename T>
    RILL_GROUP unsigned match_any(T value) const
    {
        return details::pack(__match_any_sync(lanes, value), lanes);
    }
    template <typename T>
    RILL_GROUP unsigned match_all(T value, int &all) const
    {
        return details::pack(__match_all_sync(lanes, value, &all), lanes);
    }
    RILL_GROUP unsigned meta_group_size() const { return groups; }
    RILL_GROUP unsigned meta_group_rank() const { return place; }

private:
    explicit RILL_GROUP coalesced_group(unsigned lanes, unsigned groups = 1, unsigned place = 0)
        : thread_group(lanes), groups(groups), place(place)
    {
    }
    unsigned groups, place; /* how many it was cut from, and which of them it is */

    friend RILL_GROUP coalesced_group coalesced_threads();
    friend RILL_GROUP coalesced_group tiled_partition(const coalesced_group &, unsigned);
    template <typename Group>
    friend RILL_GROUP coalesced_group binary_partition(const Group &, bool);
    template <typename Group, typename Label>
    friend RILL_GROUP coalesced_group labeled_partition(const Group &, Label);
    template <typename Group>
    friend RILL_GROUP unsigned lanes_of(const Group &);
};

RILL_GROUP coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* ---- Tiles --------------------------------------------------------------------------------- */

template <unsigned Size, typename Parent = void>
class thread_block_tile : public thread_group {
    static_assert(Size && Size <= 32 && !(Size & (Size - 1)),
                  "rill's tiles have 1, 2, 4, 8, 16 or 32 threads");

public:
    /* A tile may leave open what it was cut from: thread_block_tile<32>. */
    template <typename Other>
    RILL_GROUP thread_block_tile(const thread_block_tile<Size, Other> &tile)
        : thread_group(tile), groups(tile.meta_group_size()), place(tile.meta_group_rank())
    {
    }
    RILL_GROUP void sync() const { __syncwarp(lanes); }
    static RILL_GROUP constexpr unsigned num_threads() { return Size; }
    static RILL_GROUP constexpr unsigned size() { return Size; }
    static RILL_GROUP unsigned thread_rank() { return details::lane() % Size; }
    RILL_GROUP unsigned meta_group_size() const { return groups; }
    RILL_GROUP unsigned meta_group_rank() const { return place; }

    template <typename T>
    RILL_GROUP T shfl(const T &value, int rank) const
    {
        return details::read_lane(lanes, value, first() + (unsigned)rank % Size);
    }
    template <typename T>
    RILL_GROUP T shfl_up(const T &value, unsigned by) const
    {
        return shfl(value, thread_rank() < by ? thread_rank() : thread_rank() - by);
    }
    template <typename T>
    RILL_GROUP T shfl_down(const T &value, unsigned by) const
    {
        return shfl(value, thread_rank() + by < Size ? thread_rank() + by : thread_rank());
    }
    template <typename T>
    RILL_GROUP T shfl_xor(const T &value, unsigned by) const
    {
        return shfl(value, (thread_rank() ^ by) < Size ? thread_rank() ^ by : thread_rank());
    }
    RILL_GROUP int any(int truth) const { return __any_sync(lanes, truth); }
    RILL_GROUP int all(int truth) const { return __all_sync(lanes, truth); }
    RILL_GROUP unsigned ballot(int truth) const
    {
        return __ballot_sync(lanes, truth) >> first();
    }
    template <typename T>
    RILL_GROUP unsigned match_any(T value) const
    {
        return __match_any_sync(lanes, value) >> first();
    }
    template <typename T>
    RILL_GROUP unsigned match_all(T value, int &all) const
    {
        return __match_all_sync(lanes, value, &all) >> first();
    }

private:
    RILL_GROUP thread_block_tile(unsigned groups, unsigned place)
        : thread_group(details::first_lanes(Size) << first()), groups(groups), place(place)
    {
    }
    static RILL_GROUP unsigned first() { return details::lane() & ~(Size - 1); }
    unsigned groups, place; /* how many its parent was cut into, and which of them it is */

    template <unsigned Other>
    friend RILL_GROUP thread_block_tile<Other, thread_block> tiled_partition(const thread_block &);
    template <unsigned Other, unsigned Whole, typename Above>
    friend RILL_GROUP thread_block_tile<Other, thread_block_tile<Whole, Above>>
    tiled_partition(const thread_block_tile<Whole, Above> &);
    template <typename Group>
    friend RILL_GROUP unsigned lanes_of(const Group &);
};

template <unsigned Size>
RILL_GROUP thread_block_tile<Size, thread_block> tiled_partition(const thread_block &)
{
    return thread_block_tile<Size, thread_block>((details::block_size() + Size - 1) / Size,
                                                 details::block_rank() / Size);
}

template <unsigned Size, unsigned Whole, typename Above>
RILL_GROUP thread_block_tile<Size, thread_block_tile<Whole, Above>>
tiled_partition(const thread_block_tile<Whole, Above> &parent)
{
    static_assert(Size <= Whole, "a tile is no larger than what it is cut from");
    return thread_block_tile<Size, thread_block_tile<Whole, Above>>(Whole / Size,
                                                                    parent.thread_rank() / Size);
}

/* ---- Parts that are chosen at run time ----------------------------------------------------- */

template <typename Group>
RILL_GROUP unsigned lanes_of(const Group &group)
{
    return group.lanes;
}

namespace details {

/* Returns those lanes of a mask whose ranks are in the same part of so many as this one's. */
RILL_GROUP unsigned part_of(unsigned lanes, unsigned size)
{
    unsigned part = __popc(lanes & lanes_before()) / size, mask = 0, rank = 0;
    for (unsigned rest = lanes; rest; rest &= rest - 1, rank++)
        if (rank / size == part) mask |= rest & -rest;
    return mask;
}

} // namespace details

RILL_GROUP thread_group tiled_partition(const thread_group &parent, unsigned size)
{
    /* The lanes of a warp that a block has: all but of its last one. */
    unsigned before = details::block_rank() - details::lane();
    return thread_group(details::part_of(
        parent.lanes ? parent.lanes : details::first_lanes(details::block_size() - before), size));
}

RILL_GROUP coalesced_group tiled_partition(const coalesced_group &parent, unsigned size)
{
    return coalesced_group(details::part_of(parent.lanes, size),
                           (parent.num_threads() + size - 1) / size, parent.thread_rank() / size);
}

template <typename Group>
RILL_GROUP coalesced_group binary_partition(const Group &group, bool truth)
{
    unsigned lanes = lanes_of(group), those = __ballot_sync(lanes, truth);
    unsigned groups = those && those != lanes ? 2 : 1;
    return coalesced_group(truth ? those : lanes & ~those, groups, groups == 2 && truth);
}

template <typename Group, typename Label>
RILL_GROUP coalesced_group labeled_partition(const Group &group, Label label)
{
    unsigned lanes = lanes_of(group), same = __match_any_sync(lanes, label);
    /* A label counts where its first lane is. */
    unsigned firsts = __ballot_sync(lanes, (same & details::lanes_before()) == 0);
    return coalesced_group(same, __popc(firsts), __popc(firsts & ((same & -same) - 1)));
}

/* ---- Grids --------------------------------------------------------------------------------- */

/* Blocks of a cooperative launch meet at a word that the launch has for them: each adds a one, and
 * the first block what makes of all of them 0x80000000, so that the highest bit turns. */
class grid_group {
public:
    RILL_GROUP bool is_valid() const { return workspace() != nullptr; }
    RILL_GROUP void sync() const
    {
        if (!is_valid()) __trap();
        volatile unsigned *barrier = workspace() + 1;
        __syncthreads();
        if (details::block_rank() == 0) {
            unsigned more = block_rank() ? 1 : 0x80000000 - (unsigned)(num_blocks() - 1);
            __threadfence();
            unsigned before = atomicAdd((unsigned *)barrier, more);
            while (((before ^ *barrier) & 0x80000000) == 0) {}
            __threadfence();
        }
        __syncthreads();
    }
    static RILL_GROUP unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static RILL_GROUP unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static RILL_GROUP unsigned long long num_threads()
    {
        return num_blocks() * details::block_size();
    }
    static RILL_GROUP unsigned long long size() { return num_threads(); }
    static RILL_GROUP unsigned long long thread_rank()
    {
        return block_rank() * details::block_size() + details::block_rank();
    }
    static RILL_GROUP dim3 dim_blocks() { return gridDim; }
    static RILL_GROUP dim3 group_dim() { return gridDim; }
    static RILL_GROUP dim3 block_index() { return blockIdx; }

private:
    RILL_GROUP grid_group() {}
    /* Returns NULL unless the launch is cooperative. */
    static RILL_GROUP unsigned *workspace()
    {
        unsigned high, low;
        asm("mov.u32 %0, %%envreg1;" : "=r"(high));
        asm("mov.u32 %0, %%envreg2;" : "=r"(low));
        return (unsigned *)((unsigned long long)high << 32 | low);
    }
    friend RILL_GROUP grid_group this_grid();
};

RILL_GROUP grid_group this_grid()
{
    return grid_group();
}

#undef RILL_GROUP

} // namespace cooperative_groups

#endif
#endif
