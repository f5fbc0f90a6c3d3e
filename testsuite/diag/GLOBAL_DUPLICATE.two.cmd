./lapwing --runtime=user -p2 -e 'global count probe begin { println(count++) }' -E 'global count probe end { println(count) }'
