// SPDX-License-Identifier: GPL-2.0-or-later

#include "textflag.h"

TEXT ·twice(SB), NOSPLIT, $0-16
	MOVQ n+0(FP), AX
	XORL R14, R14
	ADDQ AX, AX
	MOVQ AX, ret+8(FP)
	RET

TEXT ·calls(SB), NOSPLIT, $8-0
	CALL ends<>(SB)
	RET

TEXT ends<>(SB), NOSPLIT, $0
	XORL R14, R14
	RET
