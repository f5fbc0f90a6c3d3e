./lapwing --runtime=user --skip-badvars -p2 -e 'probe begin { println($none, $$vars) }'
