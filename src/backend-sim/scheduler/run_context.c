/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/run_context.h"

_Thread_local struct run_context *sim_run_here RL_THREAD_WORD;

_Thread_local int sim_host_depth RL_THREAD_WORD;
