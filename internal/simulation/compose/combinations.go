package main

import (
	"fmt"
	"slices"
	"strings"
)

// words are the features as docs/combinations.md names them: the tag, and what it is for.
var words = map[string][2]string{
	"natural":     {"`pk`", "a field is the key"},
	"concat":      {"`pk,concat`", "several fields make the key"},
	"hash":        {"`pk,hashsuffix=`", "a bucket by a hash, in a synthetic field"},
	"forgetful":   {"`pk,hashsuffix=` alone", "a bucket by a hash, which no field has"},
	"random":      {"`pk,randomsuffix`", "a random bucket"},
	"levels":      {"`level=`", "a hierarchical key"},
	"hashedlevel": {"`level=` with `hashsuffix=`", "a level with a bucket"},
	"template":    {"`key=`", "the key by a template"},
	"growing":     {"`next=` or `was=` of buckets", "the number of buckets grows"},
	"windows":     {"`container=` with a time", "a container for each period"},
	"own":         {"`own=`", "tenants may have containers of their own"},
	"formerly":    {"`formerly=`", "documents come from another container"},
	"etag":        {"a field for `_etag`", "conditions on the version that was read"},
	"created":     {"`created`", "the time of the creation"},
	"updated":     {"`updated`", "the time of the last write"},
	"version":     {"`version`", "the number of writes"},
	"deleted":     {"`deleted`", "deletion marks a document"},
	"purged":      {"`deleted,purge=`", "and the service removes it later"},
	"unique":      {"`unique`", "a value that one document has"},
	"schema":      {"`schema=`", "documents of several forms"},
	"former":      {"`was=` of a property", "a property with another name in old documents"},
	"later":       {"`later`", "a property that old documents lack"},
	"ttl":         {"`ttl`", "a time to live for each document"},
	"rest":        {"`rest`", "properties that the type does not have"},
	"prefix":      {"`id,prefix=`", "ids with a prefix"},
	"shared":      {"`type=`", "several types in one container"},
	"tenant":      {"`tenant`", "repositories of one tenant"},
	"vector":      {"`vector=`", "the nearest vectors"},
	"fulltext":    {"`text=`", "full text"},
}

// kind is why two features do not go together.
type kind string

const (
	service     kind = "service"
	meaningless kind = "meaningless"
	notYet      kind = "not yet"
)

// refusals say why pkgen refuses pairs. Has is a part of its message, which each refused pair
// has of one refusal.
var refusals = []struct {
	has  string
	kind kind
	why  string
}{
	{"tenants move by their logical partitions", service, "A tenant moves as a whole logical partition, or as all partitions under one level. A part of a key's text is neither, and transactions end at the logical partition."},
	{"a random suffix cannot be computed", meaningless, "The new key of a document has to follow from the document."},
	{"are in several containers, and \"unique\"", service, "No write takes effect in two containers at once, so two windows could store one value."},
	{"have a time to live of their own", service, "A document has one time to live, and `purge=` sets it."},
	{"is a second \"deleted\"", meaningless, "One mark says that a document is deleted."},
	{"move between containers, and \"unique\"", notYet, "Reservations lie in other logical partitions than the tenant's, which its fence does not cover."},
	{"by \"formerly\", and the repository over both containers", notYet, "The repository over both containers has no `For`."},
	{"documents with \"deleted\" do not move", notYet, "Reads over both containers do not hide marked documents, and writes do not meet them."},
	{"move to another container, and their reservations do not", notYet, "A reservation names one place of a document, and it would have to change in the same moment as the document moves."},
	{"the number of buckets grows, and the documents are in several containers", notYet, "`Rekey` works on one container."},
	{"the number of buckets grows, so documents move within a container", notYet, "Two moves of one document would run at once."},
	{"a number of buckets grows: finish that first", notYet, "Two moves of one document would run at once."},
	{"is the time of the deletion, and the documents of", notYet, "A mark of deletion and the marks of a move would have to be read together."},
	{"move between buckets, and a reservation names one place", notYet, "A reservation would have to change in the same moment as the document moves."},
	{"is a schema number, and the documents of", notYet, "Documents at several places are not brought to the present form."},
}

// combinations returns docs/combinations.md.
func combinations() (string, error) {
	type group struct {
		first, second string
		others        []string
	}
	var b strings.Builder
	works, late := 0, 0
	rows := make([][]group, len(refusals))
	for line := range strings.Lines(pairs) {
		pair, message, refused := strings.Cut(strings.TrimSpace(line), ": ")
		if !refused {
			works++
			continue
		}
		at := -1
		for i, r := range refusals {
			if strings.Contains(message, r.has) {
				if at >= 0 {
					return "", fmt.Errorf("%s: two reasons, %q and %q", pair, refusals[at].has, r.has)
				}
				at = i
			}
		}
		if at < 0 {
			return "", fmt.Errorf("%s: no reason: %s", pair, message)
		}
		if refusals[at].kind == notYet {
			late++
		}
		first, second, _ := strings.Cut(pair, " ")
		if i := slices.IndexFunc(rows[at], func(g group) bool { return g.first == first }); i >= 0 {
			rows[at][i].others = append(rows[at][i].others, second)
			continue
		}
		rows[at] = append(rows[at], group{first: first, second: second})
	}
	fmt.Fprintf(&b, `# What goes together

<!-- Written by a test of internal/simulation/compose. -->

A type can have any two of these features: %d pairs work. pkgen refuses the others, which are below, with a message that has the way out.

| tag | feature |
|---|---|
`, works)
	for _, f := range features {
		fmt.Fprintf(&b, "| %s | %s |\n", words[f.name][0], words[f.name][1])
	}
	for _, k := range []struct {
		kind kind
		head string
	}{
		{service, "## What Azure Cosmos DB does not allow"},
		{meaningless, "## What would have no meaning"},
		{notYet, fmt.Sprintf("## What does not work yet\n\nThese are %d pairs.", late)},
	} {
		fmt.Fprintf(&b, "\n%s\n\n| tag | not with | why |\n|---|---|---|\n", k.head)
		for i, r := range refusals {
			if r.kind != k.kind {
				continue
			}
			if len(rows[i]) == 0 {
				return "", fmt.Errorf("no pair is refused because %q", r.has)
			}
			for _, g := range rows[i] {
				with := make([]string, 0, 1+len(g.others))
				for _, name := range append([]string{g.second}, g.others...) {
					with = append(with, words[name][0])
				}
				fmt.Fprintf(&b, "| %s | %s | %s |\n", words[g.first][0], strings.Join(with, ", "), r.why)
			}
		}
	}
	fmt.Fprint(&b, `
Types that share a container need not agree, except on `+"`own=`"+`: all of them have it or none, and with it none grows, has `+"`formerly=` or `unique`"+`.

The simulation, which `+"[CONTRIBUTING.md](../CONTRIBUTING.md)"+` describes, has types with all pairs that work, except those of `+"`vector=` and `text=`"+`. Two of its types get more buckets, both with `+"`_etag`, and one with stamps, `type=`, `later`, `rest` and a former name."+`
`)
	return b.String(), nil
}
