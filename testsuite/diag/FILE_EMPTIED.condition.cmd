./lapwing -p1 -e '%( 1 == 2 %? probe begin { } %)'
