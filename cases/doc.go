// Package cases holds the product to what has gone wrong elsewhere: bug cases
// from other systems in testdata/cases, and vectors of the system whose rules
// Paddock speaks too in testdata/vectors. It has no code but tests.
//
//	go test ./cases                                         the project's own copies
//	PADDOCK_CASES=DIR go test ./cases -run Cases            every *-cases.jsonl of a folder
//	PADDOCK_VECTORS=FILE go test ./cases -run Vectors       the vectors of a file
//
// Each run ends with a line per kind: how many ran, passed and failed, and how
// many were skipped for which reason (go test shows it with -v). The reasons are
// one list in skip_test.go.
package cases
