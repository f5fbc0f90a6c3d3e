./lapwing --runtime=user -p1 -e 'probe begin { println($2) }' 5 6 7
