// Package multiwrite has types with the option conflict, of whose documents several regions take
// conditional writes.
package multiwrite

//go:generate go run ../../compose multiwrite
//go:generate go run ../../../../cmd/pkgen

import _ "embed"

//go:embed pkgen.lock
var lock string
