lapwing="./lapwing -p2 -I testsuite/diag/library"
$lapwing --runtime=kernel -e 'probe diag_unset { println(always, never) }'
$lapwing --runtime=user -e 'probe diag_unset { println(never_str) }'
$lapwing -e 'probe diag_unset { never = 3 println(never) }'
$lapwing -e 'probe diag_unset {
	println(text, maybe, @choose_defined(never, 3))
	if (@defined(never) || @defined(never_str) || !@defined(always)) println(never)
}'
