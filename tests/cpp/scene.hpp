/* SPDX-License-Identifier: Apache-2.0
 *
 * What most tests begin with, and things whose lives are counted.
 */
#ifndef TESTS_CPP_SCENE_HPP
#define TESTS_CPP_SCENE_HPP

#include <rill/rill.hpp>
#include <rill/sim.h>

#include "tap.hpp"

#include <atomic>
#include <future>

struct scene {
    rill::platform platform = rill::open("sim");
    rill::context context{ platform };
    rill::stream stream{ context };
};

/* Is there in one place at a time.  `lives` counts those that are there, and `ended`
 * those that are not any more; what was moved from is nobody. */
class tracked {
public:
    struct counts {
        std::atomic<int> lives{ 0 }, ended{ 0 };
    };

    explicit tracked(counts &with) : counts_(&with) { counts_->lives++; }
    tracked(tracked &&other) noexcept : counts_(std::exchange(other.counts_, nullptr)) {}
    tracked(const tracked &) = delete;
    tracked &operator=(const tracked &) = delete;

    ~tracked()
    {
        if (!counts_) return;
        counts_->lives--;
        counts_->ended++;
    }

private:
    counts *counts_;
};

/* Holds up a stream until it is opened, and opens at the latest when it goes. */
class gate {
public:
    explicit gate(rill::stream_ref stream)
    {
        stream.launch_host([held = opened_.get_future().share()] { held.wait(); });
    }

    ~gate() { open(); }

    void open()
    {
        if (!std::exchange(is_open_, true)) opened_.set_value();
    }

private:
    std::promise<void> opened_;
    bool is_open_ = false;
};

#endif
