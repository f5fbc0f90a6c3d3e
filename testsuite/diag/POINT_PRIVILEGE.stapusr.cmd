./lapwing --runtime=user --privilege=stapusr -p2 -e 'probe timer.profile { print(1) }'
