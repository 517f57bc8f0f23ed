package tool

// Unspell is what each tool does to a path of its arguments.
var Unspell = unspell
