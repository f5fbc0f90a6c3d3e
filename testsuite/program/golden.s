# SPDX-License-Identifier: GPL-2.0-or-later
# golden.s - an x86-64 program at fixed addresses, for golden.stp: a function, and a mark with a
# semaphore.
	.globl work, _start
	.type work, @function
work:	push %rbp
	lea 1(%rdi), %rax
	pop %rbp
	ret
	.size work, . - work
	.type _start, @function
_start:	mov $41, %edi
	call work
990:	nop
	mov $60, %eax
	xor %edi, %edi
	syscall
	.size _start, . - _start

	.section .note.stapsdt, "", "note"
	.balign 4
	.4byte 992f - 991f, 994f - 993f, 3
991:	.asciz "stapsdt"
992:	.balign 4
993:	.8byte 990b
	.8byte 0
	.8byte semaphore
	.asciz "golden"
	.asciz "worked"
	.asciz "-4@%eax 8@8(%rsp)"
994:	.balign 4

	.section .probes, "aw"
semaphore: .2byte 0
