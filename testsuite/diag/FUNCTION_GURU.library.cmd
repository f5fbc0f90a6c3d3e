./lapwing -p2 -E 'probe end { raise(1) }' -e 'probe begin { println(1) }'
./lapwing -p2 -e 'function f(a) { set_user_int(a, 2) } probe begin { set_kernel_char(1, 2) f(3) }'
