package repository

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/provision"
)

// A ContainerError says how a container differs from what [Ensure] was asked for.
type ContainerError struct {
	// Database and Container are the ids of the two.
	Database, Container string

	// Differences are all the differences, at least one.
	Differences []Difference

	err error // of a request, or nil
}

// Unwrap returns the *[Error] of the request that ended a change halfway, or nil.
func (e *ContainerError) Unwrap() error { return e.err }

// A Difference is a property of a container that is not as wanted.
type Difference struct {
	// Property names the property as the portal, the command line and Bicep do:
	// partitionKey.paths, partitionKey.kind, partitionKey.version, defaultTtl,
	// uniqueKeyPolicy.uniqueKeys, indexingPolicy.indexingMode,
	// indexingPolicy.automatic, indexingPolicy.includedPaths,
	// indexingPolicy.compositeIndexes or throughput.
	Property string

	// Have is the property's value in the container, and Want the value that
	// Ensure was asked for.
	Have, Want string

	// Fixable says that [FixDifferences] makes the property as wanted.
	Fixable bool

	// Changed says that [FixDifferences] has changed the property, and that Have is
	// how far the service let it. Only throughput is changed so: its kind is as wanted
	// then, and its amount is not.
	Changed bool

	// Why says what follows from the change, or why Ensure does not make it and
	// what to do instead.
	Why string
}

// Error names the container, and on a line each the differences with their
// remedies.
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
	if d.Fixable && !d.Changed {
		remedy = "FixDifferences changes it, " + d.Why
	}
	return fmt.Sprintf("%s: have %s, want %s; %s", d.Property, d.Have, d.Want, remedy)
}

// containerError returns the error about a container as callers get it.
func containerError(e *provision.DifferencesError) *ContainerError {
	differences := make([]Difference, len(e.Differences))
	for i, d := range e.Differences {
		differences[i] = Difference(d)
	}
	return &ContainerError{Database: e.Database, Container: e.Container, Differences: differences, err: exported(e.Err)}
}
