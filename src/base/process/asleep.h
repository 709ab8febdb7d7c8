/* SPDX-License-Identifier: Apache-2.0
 *
 * What a thread of this process does, as far as the system says: whether it runs, sleeps for a
 * while, or waits until another thread wakes it.
 */
#ifndef RL_ASLEEP_H
#define RL_ASLEEP_H

#include <stdbool.h>

enum rl_doing {
    RL_DOING_UNKNOWN,  /* the system does not say, or the thread has ended  */
    RL_DOING_RUNS,     /* or could, if it had a processor                   */
    RL_DOING_NAPS,     /* sleeps for a time that it gave                    */
    RL_DOING_WAITS,    /* until another thread of this process wakes it     */
    RL_DOING_WAITS_SO_LONG, /* likewise, or until a time is over            */
    RL_DOING_OTHER     /* in the system: for a file, a process, a signal    */
};

/* Returns what the thread with this number does (rl_thread_id()). */
enum rl_doing rl_thread_doing(unsigned long id);

/* Stores the numbers of the threads of the process, of `most` at most, in the order in which they
 * were created, without those that are ending; the first one has its place even so.  Returns how
 * many: none if the system does not say. */
int rl_threads_list(unsigned long *ids, int most);

/* Proves that no thread of the process will ever do anything of its own: each waits for another
 * one, but for those listed, of which the caller knows that they wait for them.  Does not wait
 * itself.  Returns false if that cannot be proved.  The proof: twice, each is seen waiting, and has
 * not slept more often in between.  Between the two looks there was a moment at which all of them
 * waited. */
bool rl_all_wait(const unsigned long *known, int count);

/* Has the calling thread count as one of those that are listed, from now on or no longer: one of
 * the library's own, which never has another thread go on. */
void rl_begin_standing_by(void);
void rl_end_standing_by(void);

#endif
