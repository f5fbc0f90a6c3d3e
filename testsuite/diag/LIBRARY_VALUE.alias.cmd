./lapwing -I testsuite/library/unset --runtime=user -p2 -e '
probe unset.values { println(right, twice) println(twice) }
probe unset.point { println(right) }
probe end { println(called(1), unset_task(2)) }
function called(x) { return unset_task(x) }
probe unset.values { println(@defined($nosuch) ? twice : right) }'
./lapwing -I testsuite/library/unset --runtime=user -p2 -e 'probe unset.values { println(right) println(called) }'
