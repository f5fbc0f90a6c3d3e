for point in 'java("x").class("y").method("z")' socket.aio_read 'process("ls").insn.block' 'kernel.mark("x")' stap.pass0; do ./lapwing --runtime=user -p2 -e "probe $point { println(1) }"; done
