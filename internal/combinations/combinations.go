// Package combinations lists the features of document types, and the pairs that exclude each other.
// The generator refuses them by this table, docs/combinations.md is generated from it, and tests
// generate a type for each pair.
package combinations

import (
	"fmt"
	"slices"
	"strings"
)

// Feature is a feature of a document type.
type Feature string

// The features.
const (
	Natural     Feature = "natural"
	Concat      Feature = "concat"
	Hash        Feature = "hash"
	Forgetful   Feature = "forgetful"
	Random      Feature = "random"
	Levels      Feature = "levels"
	HashedLevel Feature = "hashedlevel"
	IDLevel     Feature = "idlevel"
	Template    Feature = "template"
	Growing     Feature = "growing"
	Windows     Feature = "windows"
	Own         Feature = "own"
	Formerly    Feature = "formerly"
	ETag        Feature = "etag"
	Created     Feature = "created"
	Updated     Feature = "updated"
	Version     Feature = "version"
	Deleted     Feature = "deleted"
	Purged      Feature = "purged"
	Unique      Feature = "unique"
	Schema      Feature = "schema"
	NextForm    Feature = "nextform"
	Aliases     Feature = "alias"
	NextName    Feature = "nextname"
	Later       Feature = "later"
	TTL         Feature = "ttl"
	Rest        Feature = "rest"
	Prefix      Feature = "prefix"
	Shared      Feature = "shared"
	Tenant      Feature = "tenant"
	Vector      Feature = "vector"
	FullText    Feature = "fulltext"
	Elements    Feature = "elements"
	Computed    Feature = "computed"
	Index       Feature = "index"
	Conflict    Feature = "conflict"
)

// Description describes a feature.
type Description struct {
	Feature Feature
	Tag     string // as docs write it
	Does    string
}

// All are the features, in the order of the docs.
var All = []Description{
	{Natural, "`pk`", "one field is the key"},
	{Concat, "`pk,concat`", "the key joins several fields"},
	{Hash, "`pk,hashsuffix=`", "the key ends in a bucket, made by a hash; a `synthetic` field stores the key"},
	{Forgetful, "`pk,hashsuffix=` alone", "the same, without a `synthetic` field"},
	{Random, "`pk,randomsuffix`", "the key ends in a random bucket"},
	{Levels, "`level=`", "the key is hierarchical"},
	{HashedLevel, "`level=` with `hashsuffix=`", "a level of the key has a bucket"},
	{IDLevel, "`id,pk,level=`", "the key is hierarchical and ends in the id"},
	{Template, "`key=`", "a template makes the key"},
	{Growing, "`next=` or `was=`", "the number of buckets grows"},
	{Windows, "a template in `container=`", "each period or tenant has a container"},
	{Own, "`own=`", "some tenants have containers of their own"},
	{Formerly, "`formerly=`", "documents move from another container"},
	{ETag, "a field for `_etag`", "a write can require the version that was read"},
	{Created, "`created`", "documents have the time of their creation"},
	{Updated, "`updated`", "documents have the time of their last write"},
	{Version, "`version`", "documents count their writes"},
	{Deleted, "`deleted`", "a deleted document is marked and stays"},
	{Purged, "`deleted,purge=`", "the service later removes marked documents"},
	{Unique, "`unique`", "no two documents have the same value"},
	{Schema, "`schema=`", "documents have numbered forms"},
	{NextForm, "`schema=` with `next=`", "documents may have the form of the next release"},
	{Aliases, "`was=` of a property", "old documents have a property under another name"},
	{NextName, "`next=` of a property", "the next release has a property under another name"},
	{Later, "`later`", "old documents lack a property"},
	{TTL, "`ttl`", "each document has a time to live"},
	{Rest, "`rest`", "documents keep properties that the type does not have"},
	{Prefix, "`id,prefix=`", "ids begin with a prefix"},
	{Shared, "`type=`", "several types share a container"},
	{Tenant, "`tenant`", "a repository sees one tenant"},
	{Vector, "`vector=`", "queries find the nearest vectors"},
	{FullText, "`text=`", "queries search texts"},
	{Elements, "`elements`", "queries have conditions on the elements of lists"},
	{Computed, "`computed=`", "the service computes a property"},
	{Index, "`index=`", "the type has a global secondary index"},
	{Conflict, "`conflict=`", "the account has several write regions; the last writer wins"},
}

// Tag returns the feature as docs write it.
func (f Feature) Tag() string {
	return All[slices.IndexFunc(All, func(d Description) bool { return d.Feature == f })].Tag
}

// Kind is the reason why two features exclude each other.
type Kind string

// The kinds.
const (
	Service     Kind = "service"     // Azure Cosmos DB does not allow it
	Meaningless Kind = "meaningless" // it would have no effect
	NotYet      Kind = "not yet"     // pkgen cannot do it yet
)

// Refusal explains why a feature excludes others.
type Refusal struct {
	Feature Feature
	With    []Feature
	Kind    Kind
	Why     string
	Instead string // the way out

	// By is a part of the message of the check that refuses the pair, if the decision depends on
	// more than the features; otherwise it is empty.
	By string
}

// Refusals are the pairs that exclude each other.
var Refusals = []Refusal{
	{
		Feature: Own, With: []Feature{Concat, Hash, Forgetful, Random, Template}, Kind: Service,
		Why: "a tenant moves as one logical partition, or as all logical partitions under one level; here the tenant is only a part of the key's text, and a transaction cannot cover several logical partitions",
		By:  "tenants move by their logical partitions",
	},
	{
		Feature: Windows, With: []Feature{Unique}, Kind: Service,
		Why:     "no write covers two containers, so two containers could store the same value",
		Instead: "give the type one container",
	},
	{
		Feature: TTL, With: []Feature{Purged}, Kind: Service,
		Why:     "a document has one time to live, and a marked document has no record of its earlier one",
		Instead: `remove "purge", so that deleted documents expire at their own time to live, or remove the field`,
	},
	{
		Feature: Conflict, With: []Feature{Unique}, Kind: Service,
		Why:     "a value is reserved on condition that no document has it; each write region checks this separately, so two documents could have the same value",
		Instead: "keep one write region, or remove `unique`",
	},
	{
		Feature: Conflict, With: []Feature{Own}, Kind: Service,
		Why:     "a write to a tenant that moves checks a fence in its transaction, which covers only one region, so writes in another region would be lost",
		Instead: "keep one write region, or let all tenants share the container",
	},
	{
		Feature: Conflict, With: []Feature{Formerly, Growing}, Kind: Service,
		Why:     "a document moves by conditional writes, whose conditions cover only one region, so a write in another region would be lost, or would bring back a document that has moved",
		Instead: "move the documents while the account has one write region, and then add `conflict`",
	},
	{
		Feature: Random, With: []Feature{Formerly}, Kind: Meaningless,
		Why:     "the fields of a document must determine its new key",
		Instead: "move the documents by pkgen-data migrate",
	},
	{
		Feature: Deleted, With: []Feature{Purged}, Kind: Meaningless,
		Why: "a type has one mark for deleted documents",
		By:  `is a second "deleted"`,
	},
	{
		Feature: Schema, With: []Feature{NextForm}, Kind: Meaningless,
		Why: "a document has one number for its form; the release after the one with `next=` has only `schema=`",
		By:  `is a second "schema"`,
	},
	{
		Feature: Windows, With: []Feature{Own}, Kind: Meaningless,
		Why:     "with `own=` the directory decides which container a tenant has, and here the template decides",
		Instead: "keep one of them: the template may name the tenant, too",
	},
	{
		Feature: Own, With: []Feature{Unique}, Kind: NotYet,
		Why:     "reservations are in logical partitions that the fence of the tenant does not cover",
		Instead: "keep one of them",
	},
	{
		Feature: Own, With: []Feature{Formerly}, Kind: NotYet,
		Why:     "two moves of one document would run at the same time",
		Instead: `add "own" when the move is over`,
	},
	{
		Feature: Windows, With: []Feature{Formerly}, Kind: NotYet,
		Why:     "documents move from one container to exactly one other container",
		Instead: "copy them with a program that reads one repository and writes the other",
	},
	{
		Feature: Formerly, With: []Feature{Tenant}, Kind: NotYet,
		Why:     "the repository over both containers has no method For, which selects a tenant",
		Instead: `add "tenant" when the move is over`,
	},
	{
		Feature: Formerly, With: []Feature{Unique}, Kind: NotYet,
		Why:     "a reservation names one place of a document, and would have to change at the moment when the document moves",
		Instead: "move the documents first",
	},
	{
		Feature: Formerly, With: []Feature{Computed}, Kind: NotYet,
		Why:     "queries also read the old container, which may lack the property",
		Instead: `add "computed" when the move is over`,
	},
	{
		Feature: NextForm, With: []Feature{Formerly, Growing}, Kind: NotYet,
		Why:     "a move stores documents in the form of this release, but documents in the form of the next release must keep it",
		Instead: "finish the move first: until no tag has `formerly`, and no number of buckets has `was` or `next`",
	},
	{
		Feature: Windows, With: []Feature{Index}, Kind: NotYet,
		Why:     "an index has the documents of one container",
		Instead: "give the type one container, or remove the index",
	},
	{
		Feature: Own, With: []Feature{Index}, Kind: NotYet,
		Why:     "an index has the documents of one container, and would lose the documents of a tenant that moves",
		Instead: "keep one of them",
	},
	{
		Feature: Formerly, With: []Feature{Index}, Kind: NotYet,
		Why:     "an index has the documents of one container, and would lack the documents that have not moved yet",
		Instead: `add "index" when the move is over`,
	},
	{
		Feature: Growing, With: []Feature{Windows}, Kind: NotYet,
		Why:     "Rekey works on one container",
		Instead: "keep the number of buckets, or use one container; or change the text of the template, so that new containers have the new number",
	},
	{
		Feature: Growing, With: []Feature{Own, Formerly}, Kind: NotYet,
		Why:     "two moves of one document would run at the same time",
		Instead: `finish the move that has begun first: buckets grow until no tag has "was" or "next"`,
	},
	{
		Feature: Growing, With: []Feature{Deleted, Purged}, Kind: NotYet,
		Why:     "a mark for a deletion would have to be read together with the marks of a move",
		Instead: `tag the field when "was" and "next" are gone`,
	},
	{
		Feature: Growing, With: []Feature{Unique}, Kind: NotYet,
		Why:     "a reservation names one place of a document, and would have to change at the moment when the document moves",
		Instead: `finish the move, remove "was" and "next", and then add "unique"`,
	},
}

// Of returns the refusal of a pair of features, or nil.
func Of(a, b Feature) *Refusal {
	for i := range Refusals {
		r := &Refusals[i]
		if r.Feature == a && slices.Contains(r.With, b) || r.Feature == b && slices.Contains(r.With, a) {
			return r
		}
	}
	return nil
}

// Message returns the generator's message about the feature with another one, or, if another check
// refuses the pair, a part of its message.
func (r *Refusal) Message(with Feature) string {
	if r.By != "" {
		return r.By
	}
	yet := ""
	if r.Kind == NotYet {
		yet = " yet"
	}
	return strings.ReplaceAll(fmt.Sprintf("%s cannot be combined with %s%s: %s; %s", r.Feature.Tag(), with.Tag(), yet, r.Why, r.Instead), "`", `"`)
}

// Excluded returns the features that a type with the given ones cannot have, for ever and in this
// release.
func Excluded(by []Feature) (never, notYet []Feature) {
	for _, d := range All {
		kinds := map[Kind]bool{}
		for _, f := range by {
			if r := Of(f, d.Feature); r != nil {
				kinds[r.Kind] = true
			}
		}
		switch {
		case kinds[Service] || kinds[Meaningless]:
			never = append(never, d.Feature)
		case kinds[NotYet]:
			notYet = append(notYet, d.Feature)
		}
	}
	return never, notYet
}
