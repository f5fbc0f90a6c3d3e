# SPDX-License-Identifier: GPL-2.0-or-later
# odd-x86_64.s - what compilers do not write: odd.expected has the answers. In a function whose name
# begins with bad_ no probe could stand.
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

	# a return in bytes that a jump leads over
	begin bad_data
	jmp	1f
	.byte	0xc3, 0xc3, 0xc3
1:	ret
	done bad_data

	# the same, named by what is not a table: an address that the code reads
	begin bad_data_address
	lea	1f(%rip), %rax
	ret
1:	.byte	0xc3, 0xc3, 0xc3, 0xc3
	done bad_data_address

	# constants behind the code
	begin bad_reads
	movaps	1f(%rip), %xmm0
	ret
	.p2align 4
1:	.quad	0xc3c3c3c3c3c3c3c3, 0
	done bad_reads

	# the operand of one instruction is another, a return
	begin bad_midst
	test	%edi, %edi
	je	1f + 1
1:	mov	$0xc3c3c3c3, %eax
	ret
	done bad_midst

	# the same, but the return is found first
	begin bad_cover
	test	%edi, %edi
	je	1f
	jmp	1f + 1
1:	mov	$0xc3c3c3c3, %eax
	ret
	done bad_cover

	begin bad_push
	push	%rdi
	ret
	done bad_push

	begin bad_push_told
	push	%rdi
	.cfi_adjust_cfa_offset 8
	ret
	done bad_push_told

	begin bad_frame
	sub	$24, %rsp
	.cfi_adjust_cfa_offset 24
	nop
	ret
	done bad_frame

	begin bad_frame_jump
	sub	$24, %rsp
	.cfi_adjust_cfa_offset 24
	jmp	good_plain
	done bad_frame_jump

	begin bad_retpoline
	call	2f
1:	pause
	jmp	1b
2:	mov	%rax, (%rsp)
	ret
	done bad_retpoline

	begin bad_end
	test	%edi, %edi
	je	1f
	ret
1:	mov	$1, %eax
	done bad_end

	begin bad_cut
	xor	%eax, %eax
	.byte	0xe9, 0, 0
	done bad_cut

	begin bad_bytes
	xor	%eax, %eax
	.byte	0x06
	ret
	done bad_bytes

	# a branch of 16 bits, or of 32, as the processor likes
	begin bad_half
	.byte	0x66, 0xe9, 0, 0
	ret
	nop
	ret
	done bad_half

	begin bad_far
	lretl
	done bad_far

	begin bad_far_64
	lretq
	done bad_far_64

	begin bad_dead
	ret
	xor	%eax, %eax
	ret
	done bad_dead

	begin bad_table
	cmp	$1, %edi
	ja	3f
	lea	table(%rip), %rax
	movslq	(%rax,%rdi,4), %rdi
	add	%rdi, %rax
	jmp	*%rax
1:	xor	%eax, %eax
	ret
2:	mov	$1, %eax
	ret
	.byte	0xc3, 0xc3
3:	ret
	.section .rodata
table:	.long	1b - table, 2b - table
	.text
	done bad_table

	# neither a symbol nor an entry of .eh_frame says how long it is
	.globl bad_size
	.type bad_size, @function
bad_size:
	ret
	.p2align 4

	.globl good_size
	.type good_size, @function
good_size:
	.cfi_startproc
	ret
	.cfi_endproc
	.p2align 4

	begin good_plain
	ret
	done good_plain

	begin good_returns
	cmp	$4, %edi
	je	1f
	cmp	$5, %edi
	je	2f
	repz ret
1:	bnd ret
2:	ret	$16
	done good_returns

	begin good_branches
	mov	%edi, %ecx
1:	jrcxz	2f
	loop	1b
	bnd jmp	3f
2:	ud2
3:	notrack jmp *%rax
	done good_branches

	# libc's way of an exchange that is locked where there are threads
	begin good_lock
	test	%edi, %edi
	je	1f
	lock
1:	cmpxchg	%ecx, (%rsi)
	ret
	done good_lock

	begin good_slot
	jmp	*elsewhere@GOTPCREL(%rip)
	done good_slot

	begin good_leaves
	test	%edi, %edi
	jne	good_plain
	jmp	good_slot
	done good_leaves

	# parts elsewhere: of a name, and of none
	begin good_named
	test	%edi, %edi
	je	good_named.cold
	ret
	done good_named
	.section .text.unlikely, "ax"
	.type good_named.cold, @function
good_named.cold:
	.cfi_startproc
	test	%esi, %esi
	je	good_plain
	ret
	.cfi_endproc
	.size good_named.cold, . - good_named.cold
	.text

	begin good_nameless
	push	%rbx
	.cfi_adjust_cfa_offset 8
	test	%edi, %edi
	je	nameless
1:	pop	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	done good_nameless
	.section .text.unlikely, "ax"
nameless:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	test	%esi, %esi
	je	1b
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.text

	# a call of a part: its return is not the function's
	begin bad_called
	test	%edi, %edi
	je	bad_called.cold
	call	bad_called.cold
	ret
	done bad_called
	.section .text.unlikely, "ax"
	.type bad_called.cold, @function
	nop
bad_called.cold:
	.cfi_startproc
	ret
	.cfi_endproc
	.size bad_called.cold, . - bad_called.cold
	.text

	# a loop that is entered in its midst, by a table
	begin good_loop
	cmp	$1, %edi
	ja	3f
	lea	table_of_loop(%rip), %rax
	movslq	(%rax,%rdi,4), %rdi
	add	%rdi, %rax
	jmp	*%rax
	.p2align 4
1:	dec	%ecx
2:	dec	%ecx
	jne	1b
3:	ret
	.section .rodata
table_of_loop: .long 3b - table_of_loop, 2b - table_of_loop
	.text
	done good_loop

	begin good_trap
	test	%edi, %edi
	je	1f
	ret
1:	hlt
	jmp	1b
	done good_trap
	.section .note.GNU-stack, "", @progbits
