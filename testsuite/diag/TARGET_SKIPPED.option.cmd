./lapwing --runtime=user -p2 --skip-badvars -e 'probe begin { println($none, $$parms, @cast(0, "none")->x) }'
