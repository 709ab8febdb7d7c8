/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames of numbers through three stages, in C++: filled on the host, scaled on the
 * device, added up on the host.  Two sets of buffers let the stages of neighbouring
 * frames run at once, and each set has its frame captured once and launched again
 * and again.  What a missing wait would give is a wrong sum.  It prints:
 *
 *     frame 0: 0
 *     frame 1: 196608
 *     …
 *     frame 7: 1376256
 *     0 wrong
 */
#include <rill/rill.hpp>

#include <iostream>
#include <numeric>

/* For the simulator; a GPU would be given PTX of the same name. */
static void scale(const rill_launch &, float by, rill::device_ptr<float> x, std::uint32_t count)
{
    for (std::uint32_t i = 0; i < count; i++) x.memory()[i] *= by;
}

static const rill_function functions[] = { rill::over_grid<scale>("scale") };
using scale_kernel = rill::kernel<float, rill::device_ptr<float>, std::uint32_t>;

constexpr std::uint32_t NUMBERS = 1 << 16, FRAMES = 8;
constexpr float FACTOR = 3;

/* A frame in flight: its memory, its streams, and all its work as an exec. */
class lane {
public:
    lane(rill::context_ref context, const scale_kernel &kernel)
        : stream_(context, "lane"), side_(context, "side"), done_(context),
          numbers_(context, NUMBERS), halves_(context, 2), memory_(context, NUMBERS),
          exec_(captured(kernel))
    {
    }

    lane(const lane &) = delete; /* its functions know where it is */

    void start(std::uint32_t frame)
    {
        frame_ = frame;
        exec_.launch(stream_);
        done_.record(stream_);
    }

    bool is_right()
    {
        done_.synchronize();
        const double sum = halves_[0] + halves_[1];
        std::cout << "frame " << frame_ << ": " << static_cast<long>(sum) << '\n';
        return sum == static_cast<double>(FACTOR) * NUMBERS * frame_;
    }

private:
    rill::stream stream_, side_;
    rill::event done_;
    rill::host_buffer<float> numbers_;
    rill::host_buffer<double> halves_;
    rill::buffer<float> memory_;
    std::uint32_t frame_ = 0;
    rill::exec exec_;

    /* Whatever fails in here, the stream does not capture afterwards. */
    rill::graph captured(const scale_kernel &kernel)
    {
        return rill::capture(stream_, [&] {
            stream_.launch_host([this] {
                for (float &number : numbers_) number = static_cast<float>(frame_);
            });
            stream_.copy(memory_, numbers_);
            stream_.launch_kernel(kernel, rill::grid_over(NUMBERS, 256), FACTOR, memory_,
                                  NUMBERS);
            stream_.copy(numbers_, memory_);

            const rill::forked both(stream_, side_);
            stream_.launch_host([this] { add_up(0); });
            side_.launch_host([this] { add_up(1); });
        });
    }

    void add_up(std::size_t half)
    {
        const float *begin = numbers_.begin() + half * NUMBERS / 2;
        halves_[half] = std::accumulate(begin, begin + NUMBERS / 2, 0.0);
    }
};

int main()
try {
    const rill::platform platform = rill::open();
    const rill::context context(platform);
    const rill::module module(context, functions);
    const scale_kernel kernel(module, "scale");

    lane lanes[] = { lane(context, kernel), lane(context, kernel) };
    std::uint32_t wrong = 0;
    for (std::uint32_t frame = 0; frame < FRAMES + 2; frame++) {
        if (frame >= 2) wrong += !lanes[frame % 2].is_right();
        if (frame < FRAMES) lanes[frame % 2].start(frame);
    }
    std::cout << wrong << " wrong\n";
    return wrong != 0;
} catch (const rill::error &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
