./lapwing --runtime=user -p2 -e 'probe both = process("/no/such/a").function("f") ?, process("/no/such/b").function("f") ? { k = 1 }
probe both { println(k) } probe begin { println(2) }'
./lapwing --runtime=user -p2 -e 'probe both = process("/no/such/a").function("f") ?, process("/no/such/b").function("f") ? { k = 1 }
probe either = both !, begin { k = 1 } probe both ? { println(k) } probe either { println(k) }'
