./lapwing --target=vm:latest -p1 -e 'probe begin { exit() }'
