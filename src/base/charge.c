/* SPDX-License-Identifier: Apache-2.0 */
#include "base/charge.h"

_Thread_local struct rl_charge rl_charge RL_THREAD_WORD;
