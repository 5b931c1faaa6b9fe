// Package writeregions is the table of what relies on an account with one write region. Where
// several regions take writes, an ETag, a condition and "create unless it exists" are decided
// within one region, and of two writes in two regions one wins later. The run time refuses by
// this table, and generated code, pkgen-data doctor and docs/errors.md say what it says.
package writeregions

import (
	"fmt"
	"strings"
)

// Use is a feature of a type, or a kind of operation, that relies on one write region.
type Use struct {
	// Name is the feature in errors, in the plural: "unique values rely on …".
	Name string

	// Tag is the word of the tag that gives a type the feature, "" for operations that every
	// type has. It names the feature in generated code.
	Tag string

	// Refused is what is refused, for docs.
	Refused string

	// Why says what would go wrong.
	Why string

	// Resolved says that conflict= in the tag allows it: then concurrent writes in two regions
	// are lost, as the last writer wins.
	Resolved bool

	// Instead is the way out.
	Instead string
}

const (
	oneRegion = "use an account with one write region"
	lastWins  = "write conflict=lww in the tag of the type if such an update may be lost, or use an account with one write region"
)

// What relies on one write region.
var (
	Conditions = &Use{
		Name:    "writes on an ETag or a condition",
		Refused: "`Update`, `UpdateOrCreate`, `DeleteIfMatch`, `DeleteFound`, `Replace` with an ETag, `PatchIf`, `Restore`, `Purge`, `admin.Upgrade`, a transaction that reads or has an ETag; `Upsert`, `Replace` and `Delete` of a type whose writes look first, and its patches; patches that increment, append or remove, of a type with `updated`",
		Why:     "each region checks the condition for itself, and of two updates one is lost", Resolved: true, Instead: lastWins,
	}
	Stamps = &Use{
		Name: "stamps", Tag: "created, version",
		Refused: "`Upsert` and `Replace`",
		Why:     "two regions may count one version twice, and keep either time", Resolved: true, Instead: lastWins,
	}
	Unique = &Use{
		Name: "unique values", Tag: "unique",
		Refused: "all writes but patches",
		Why:     "two regions may each store a document with one value", Instead: oneRegion,
	}
	Moves = &Use{
		Name:    "moves to another key",
		Refused: "`Move`, `PrepareMove`, `ResumeMove`, `admin.Rekey`; a read of a document whose move was interrupted, which it has to finish",
		Why:     "a write of the document in another region is lost when the document moves", Instead: oneRegion,
	}
	Buckets = &Use{
		Name: "changing numbers of buckets", Tag: "was, next",
		Refused: "all writes",
		Why:     "two regions may each store the document in another bucket", Instead: oneRegion,
	}
	Tokens = &Use{
		Name:    "idempotency tokens",
		Refused: "`InTransaction` with `IdempotencyToken`",
		Why:     "the transaction may take effect once in each region", Instead: oneRegion,
	}
	Tenancy = &Use{
		Name: "tenants with containers of their own", Tag: "own",
		Refused: "`tenancy.Move`, writes of a tenant that moves, and writes of the directory",
		Why:     "a write in another region does not meet the fence of a move, and is lost", Instead: oneRegion,
	}
	Migrations = &Use{
		Name: "migrations between two containers", Tag: "formerly",
		Refused: "all writes of a migration, and `MoveAll`",
		Why:     "a write of the document in another region is lost when the document moves", Instead: oneRegion,
	}
	Leases = &Use{
		Name:    "leases of processors",
		Refused: "writes of leases, so that `feed.Processor.Run` ends",
		Why:     "two processes may own one lease, and the position of one region may leave out changes of another",
		Instead: "keep the leases in a container of an account with one write region",
	}
)

// All are the uses, in the order of docs.
var All = []*Use{Conditions, Stamps, Unique, Moves, Buckets, Tokens, Tenancy, Migrations, Leases}

// Named returns the use that a word of a tag names, nil if none does.
func Named(word string) *Use {
	for _, u := range All {
		for tag := range strings.SplitSeq(u.Tag, ", ") {
			if tag == word && word != "" {
				return u
			}
		}
	}
	return nil
}

// Regions returns how errors and reports name write regions: "West Europe and North Europe".
func Regions(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Refusal says that u is refused in an account with these write regions, why, and what to do.
func (u *Use) Refusal(regions []string) string {
	return fmt.Sprintf("the account has several write regions (%s), and %s rely on one: %s; %s", Regions(regions), u.Name, u.Why, u.Instead)
}
