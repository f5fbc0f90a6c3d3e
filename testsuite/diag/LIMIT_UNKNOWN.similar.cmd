./lapwing --runtime=user -p1 -DMAXMAPENTRIS=3 -DMAXERRORS=1 -Dmaxaction=5 -DMINE=1 -DMAXUPROBES=7 -e 'probe begin { println(2) }'
