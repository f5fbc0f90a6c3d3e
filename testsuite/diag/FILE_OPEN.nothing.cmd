./lapwing -p1 testsuite/diag/nothing.stp
