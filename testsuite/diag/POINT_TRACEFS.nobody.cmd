user=; [ "$(id -u)" != 0 ] || user="setpriv --reuid nobody --regid $(id -g nobody) --clear-groups"
$user ./lapwing --runtime=user -p2 -e 'probe syscall.openat { println(filename) } probe begin { println(1) }'
$user ./lapwing --runtime=user -p2 -e 'probe syscall.openat ? { println(filename) } probe begin { println(1) }'
