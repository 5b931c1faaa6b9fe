package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
)

// conflicts are resolved by the last writer, in an account with several write regions.
var conflicts = feature{
	in:    func(t *Type) bool { return t.Conflict != "" },
	model: func(f *file) members { return members{{"Conflict", jen.Lit(f.Conflict)}} },
	words: (*file).conflictDoc,
}

// conflictPolicy writes how the container resolves conflicts.
//
//	ConflictResolutionPolicy: &azcosmos.ConflictResolutionPolicy{
//		Mode:           azcosmos.ConflictResolutionModeLastWriteWins,
//		ResolutionPath: "/revision",
//	}
func (f *file) conflictPolicy() jen.Code {
	return named("ConflictResolutionPolicy", addr(rows(azcosmos("ConflictResolutionPolicy"),
		named("Mode", azcosmos("ConflictResolutionModeLastWriteWins")),
		named("ResolutionPath", jen.Lit(f.Conflict)),
	)))
}

// conflictDoc says what happens to a write in an account with several write regions.
func (f *file) conflictDoc(c operations.Cost) string {
	switch c {
	case operations.Create:
		return "If another write region creates one at the same time, " + f.writerWins() + "."
	case operations.Upsert:
		return "If another write region changes it at the same time, " + f.writerWins() + "; a deletion wins over both."
	case operations.Replace:
		within := ""
		if f.ETag != nil {
			within = ", which an ETag does not prevent"
		}
		return "If another write region changes it at the same time" + within + ", " + f.writerWins() + "; a deletion wins over both."
	}
	return ""
}

// writerWins says which of two writes in two regions survives.
func (f *file) writerWins() string {
	return "both succeed, and the service keeps the one with the greater " + f.Conflict
}
