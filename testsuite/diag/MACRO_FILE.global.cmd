./lapwing -p1 -I testsuite/diag/library -e 'probe begin { println(@one) }'
