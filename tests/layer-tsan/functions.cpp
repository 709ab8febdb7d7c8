/* SPDX-License-Identifier: Apache-2.0
 *
 * C++ with threads of its own, which share what the functions of streams hold.
 *
 *     functions right
 *     functions missing      a thread reads a result without waiting for the stream
 */
#include <rill/rill.hpp>

#include <cstdio>
#include <cstring>
#include <future>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace {

struct sums {
    std::mutex lock;
    long total = 0; /* lock */
};

/* Each thread has a stream; the function holds the last reference of what it works on. */
void work(const rill::context &context, sums &all)
{
    const rill::stream stream(context);
    for (int round = 0; round < 10; round++) {
        auto numbers = std::make_shared<std::vector<int>>(100, round);
        auto result = std::make_shared<long>(0);
        stream.launch_host([numbers, result] {
            *result = std::accumulate(numbers->begin(), numbers->end(), 0L);
        });
        numbers.reset();
        stream.launch_host([result, &all] {
            const std::lock_guard<std::mutex> held(all.lock);
            all.total += *result;
        });
        stream.synchronize();
        ++*result;
    }
}

/* A promise of C++ orders as well. */
long hand_over(const rill::context &context)
{
    const rill::stream stream(context);
    std::promise<std::vector<int>> promise;
    std::future<std::vector<int>> future = promise.get_future();
    stream.launch_host([&promise] { promise.set_value(std::vector<int>(10, 1)); });
    const std::vector<int> numbers = future.get();
    const long sum = std::accumulate(numbers.begin(), numbers.end(), 0L);
    stream.synchronize();
    return sum;
}

void miss(const rill::context &context)
{
    const rill::stream stream(context), other(context);
    int result = 0;
    stream.launch_host([&result] { result = 1; });
    other.synchronize();
    result++;
    stream.synchronize();
}

} // namespace

int main(int, char **argv)
{
    const rill::platform platform = rill::open("sim");
    const rill::context context(platform);
    if (argv[1] && !std::strcmp(argv[1], "missing")) {
        miss(context);
        return 0;
    }
    sums all;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) threads.emplace_back([&] { work(context, all); });
    for (std::thread &thread : threads) thread.join();
    std::printf("%ld %ld\n", all.total, hand_over(context));
    return 0;
}
