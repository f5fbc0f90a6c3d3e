./lapwing -p1 /dev/null
