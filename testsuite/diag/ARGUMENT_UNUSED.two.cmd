./lapwing --runtime=user -p2 -e 'probe begin { println($2) }' 5 6 7
