module paddock

go 1.26
