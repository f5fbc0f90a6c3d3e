./lapwing --runtime=user -p2 -e 'probe pmu.profile("page-faults:1000,pmc[11]=0x3") { println(1) }'
./lapwing --runtime=user -p2 -e 'probe pmu.profile("cpu-clock:1000000") { println($pmu->pmd[3], $pmu->pmd[2]) }'
