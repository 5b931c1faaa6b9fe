package awkward

import "github.com/cosmos-pkgen/pkgen/repository"

// Lowercase is what others may know of lowercase, in names of their own.
type Lowercase = lowercase

// Lowercases keeps them.
type Lowercases = lowercaseRepository

// These use what does not exist until the package has been generated.
var (
	EnsureLowercases = ensureLowercaseContainer
	NewLowercases    = newLowercaseRepository
	LongerByOne      = []repository.PatchOperation[Lowercase]{lowercasePatch.Length.Increment(1)}
)
