// SPDX-License-Identifier: GPL-2.0-or-later
// odd-arm64.s - what compilers do not write: odd.expected has the answers. In a function whose name
// begins with bad_ no probe could stand.
	.arch	armv8.3-a
	.text
	.macro begin name
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.endm
	.macro done name
	.cfi_endproc
	.size \name, . - \name
	.p2align 4
	.endm

	// a return in bytes that a jump leads over
	begin bad_data
	b	1f
	.word	0xd65f03c0
1:	ret
	done bad_data

	begin bad_reads
	ldr	x0, 1f
	ret
1:	.quad	0xd65f03c0d65f03c0
	done bad_reads

	begin bad_frame
	sub	sp, sp, 32
	.cfi_adjust_cfa_offset 32
	ret
	done bad_frame

	begin bad_frame_jump
	sub	sp, sp, 32
	.cfi_adjust_cfa_offset 32
	b	good_plain
	done bad_frame_jump

	begin bad_end
	cbz	x0, 1f
	ret
1:	mov	x0, 1
	done bad_end

	begin bad_cut
	cbz	x0, 1f
	ret
1:	.hword	0x03c0
	done bad_cut

	begin bad_bytes
	mov	x0, 1
	eret
	done bad_bytes

	begin bad_dead
	ret
	mov	x0, 1
	ret
	done bad_dead

	// nothing says how many entries its table has
	begin bad_table
	adrp	x1, table
	add	x1, x1, :lo12:table
	ldrb	w1, [x1, w0, uxtw]
	adr	x2, 1f
	add	x1, x2, w1, sxtb 2
	br	x1
1:	mov	x0, 1
	ret
2:	mov	x0, 2
	ret
	.section .rodata
table:	.byte	0, (2b - 1b) / 4
	.text
	done bad_table

	begin good_plain
	ret
	done good_plain

	begin good_returns
	cbz	x0, 1f
	tbz	x0, 4, 2f
	ret
1:	retaa
2:	ret	x30
	done good_returns

	// new instructions of old classes
	begin good_new
	.inst	0x88a07c20		// cas
	.inst	0xb8200020		// ldadd
	.inst	0x25208020		// sve: cntp
	ret
	done good_new

	begin good_anywhere
	cbz	x0, 1f
	br	x0
1:	braaz	x0
	done good_anywhere

	// linkers put an instruction elsewhere where a processor would execute it wrongly
	begin good_detour
	stp	x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 30, -24
	b	2f
1:	ldp	x29, x30, [sp], 32
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	done good_detour
2:	ldr	x0, [x0]
	b	1b

	begin good_leaves
	cbnz	x0, good_plain
	b.eq	1f
	b	good_returns
1:	brk	1000
	done good_leaves
	.section .note.GNU-stack, "", @progbits
