module assembler

go 1.18
