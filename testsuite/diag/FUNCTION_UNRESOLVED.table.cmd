./lapwing --runtime=user -p2 --semantic-keep-going -e 'probe begin { println(execnam(), $none) }'
