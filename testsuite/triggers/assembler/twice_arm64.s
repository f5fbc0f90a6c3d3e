// SPDX-License-Identifier: GPL-2.0-or-later

#include "textflag.h"

// A goroutine that is preempted needs its register, so it comes back.
TEXT ·twice(SB), NOSPLIT, $0-16
	MOVD n+0(FP), R0
	ADD  R0, R0, R0
	MOVD R0, ret+8(FP)
	RET

TEXT ·calls(SB), NOSPLIT, $8-0
	CALL ends<>(SB)
	RET

TEXT ends<>(SB), NOSPLIT, $0
	RET
