./lapwing --runtime=user -p2 -e 'probe process("nosuch").begin, process("/no/such").syscall, process("/no/quiet").end ? { println(1) }'
./lapwing --runtime=user -e 'probe process("nosuch").begin, process("/no/such").syscall ? { println("never") } probe begin { println("on"); exit() }'
