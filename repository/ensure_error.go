package repository

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/provision"
)

// A ContainerError says in which ways a container is not what [Ensure] was asked
// for.
type ContainerError struct {
	// Database and Container are the ids of both.
	Database, Container string

	// Differences are all that were found, at least one.
	Differences []Difference
}

// A Difference is a property in which a container is not as wanted.
type Difference struct {
	// Property names what differs, as the portal, the command line and Bicep do:
	// partitionKey.paths, partitionKey.kind, partitionKey.version, defaultTtl,
	// uniqueKeyPolicy.uniqueKeys, indexingPolicy.indexingMode,
	// indexingPolicy.automatic, indexingPolicy.includedPaths,
	// indexingPolicy.compositeIndexes or throughput.
	Property string

	// Have and Want are its values in the container and as asked for.
	Have, Want string

	// Fixable is set where [FixDifferences] makes it as wanted.
	Fixable bool

	// Why says what follows from the change, or why it is not made and what to
	// do instead.
	Why string
}

// Error names the container and, on a line each, the differences and what can be
// done about them.
func (e *ContainerError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "container %q of database %q is not as wanted:", e.Container, e.Database)
	for _, d := range e.Differences {
		b.WriteString("\n\t" + d.String())
	}
	return b.String()
}

// String is the difference in one line.
func (d Difference) String() string {
	remedy := d.Why
	if d.Fixable {
		remedy = "FixDifferences changes it, " + d.Why
	}
	return fmt.Sprintf("%s: have %s, want %s; %s", d.Property, d.Have, d.Want, remedy)
}

// containerError returns the error about a container as callers get it.
func containerError(e *provision.UnlikeError) *ContainerError {
	differences := make([]Difference, len(e.Differences))
	for i, d := range e.Differences {
		differences[i] = Difference(d)
	}
	return &ContainerError{Database: e.Database, Container: e.Container, Differences: differences}
}
