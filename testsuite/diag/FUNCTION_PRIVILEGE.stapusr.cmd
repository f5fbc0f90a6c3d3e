./lapwing --runtime=user --privilege=stapusr -p2 -e 'probe begin { println(pid(), symname(1)) }'
