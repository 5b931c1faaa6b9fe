package suggest

import (
	"cmp"
	"fmt"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
)

// buckets is the number of suffixes on Microsoft's page "Create a synthetic partition key". It
// limits the physical partitions that one base can use, and costs little with fewer.
const buckets = 400

// choose proposes a key.
func (s *structure) choose() Key {
	owners := s.owners()
	base, dated := s.base()
	switch {
	case len(owners) > 1 && s.grows():
		return s.hierarchical(owners)
	case len(owners) > 0:
		return s.natural(owners)
	case dated && s.synthetic():
		return s.randomSuffix(base)
	}
	return s.itemID()
}

// owners returns the fields by which requests may find documents, by rank and then in the order of
// declaration.
func (s *structure) owners() []field {
	out := slices.DeleteFunc(slices.Clone(s.fields), func(f field) bool { return f.rank == 0 })
	slices.SortStableFunc(out, func(a, b field) int { return cmp.Compare(a.rank, b.rank) })
	return out
}

// base returns the field with the creation time of the document in a form for a key: a date as
// text, otherwise a formatted time.
func (s *structure) base() (field, bool) {
	for _, fits := range []func(field) bool{
		func(f field) bool { return f.kind != moment && f.period() },
		func(f field) bool { return f.kind == moment },
	} {
		for _, f := range s.fields {
			if fits(f) && !anyOf(f.words, states) && !anyOf(f.words, changing) {
				return f, true
			}
		}
	}
	return field{}, false
}

// period reports whether a field other than a time.Time holds a date.
func (f field) period() bool {
	last := f.words[len(f.words)-1]
	return f.kind == text && slices.Contains(periods, last) || f.kind == integer && last == "date"
}

// grows reports whether the number of documents grows with time: each has a creation time.
func (s *structure) grows() bool {
	return slices.ContainsFunc(s.fields, func(f field) bool {
		timed := f.kind == moment || f.period() || f.kind != boolean && slices.Contains(instants, f.words[len(f.words)-1])
		return timed && (anyOf(f.words, beginnings) || !anyOf(f.words, states))
	})
}

// synthetic reports whether the document can hold a synthetic key.
func (s *structure) synthetic() bool { return s.stored != "" || s.storedName != "" }

func (s *structure) natural(owners []field) Key {
	f := owners[0]
	k := s.key(Tag{Field: f.name, Words: "pk"})
	k.Reasons = append(k.Reasons,
		fmt.Sprintf("%s names the owner of a document: requests that know it read one logical partition", f.property),
		"a plain property needs no other stored or computed value")
	k.Unknown = []string{
		fmt.Sprintf("cardinality: hundreds of values of %s at least, and none with more than 20 GB of documents", f.property),
		fmt.Sprintf("write rate: 10,000 request units a second for one %s, about 2,000 writes of 1 KB", f.property),
		fmt.Sprintf("stability: %s may never change while a document is stored", f.property),
	}
	base, dated := s.base()
	if dated && f.rank == deviceRank {
		k.Rejected = append(k.Rejected, fmt.Sprintf("%s: alone it would give all writes of a %s one hot key", base.property, base.span()))
	}
	second, words := "a second property", "pk,level=2"
	switch {
	case len(owners) > 1:
		second = owners[1].name
	case dated && base.kind != moment:
		second = base.name
	case s.id != "":
		second, words = s.id, "id,pk,level=2"
	}
	k.alternative("%s `pk,level=1` and %s `%s`: a hierarchical key, if one %s may outgrow 20 GB", f.name, second, words, f.property)
	if dated && s.synthetic() {
		alternativesWithTime(&k, f, base)
	}
	s.alternativeID(&k)
	return k
}

func (s *structure) hierarchical(owners []field) Key {
	first, second := owners[0], owners[1]
	k := s.key(Tag{Field: first.name, Words: "pk,level=1"}, Tag{Field: second.name, Words: "pk,level=2"})
	k.Reasons = append(k.Reasons,
		fmt.Sprintf("%s names the owner of a document: requests that know it alone read only the physical partitions that hold it", first.property),
		fmt.Sprintf("documents have a time, so one %s gets more and more of them: with %s as second level it may outgrow 20 GB", first.property, second.property))
	k.Unknown = []string{
		fmt.Sprintf("cardinality: many values of %s, else the first level is hot; many of %s within each, none with more than 20 GB", first.property, second.property),
		fmt.Sprintf("write rate: 10,000 request units a second for one pair of %s and %s, about 2,000 writes of 1 KB", first.property, second.property),
		fmt.Sprintf("requests: point reads have to know both %s and %s", first.property, second.property),
	}
	k.alternative("%s `pk`: a natural key, simpler, if no %s outgrows 20 GB", first.name, first.property)
	if s.id != "" {
		k.alternative("%s `id,pk,level=3` as well, if one pair may outgrow 20 GB: each document is then its own logical partition, without transactions", s.id)
	}
	s.alternativeID(&k)
	return k
}

// alternativesWithTime adds alternatives to the natural key f that also contain the creation time,
// by base.
func alternativesWithTime(k *Key, f, base field) {
	if base.kind == moment {
		k.alternative("%s `pk,concat` and %s `pk,concat,format=month`: a key for each month, if requests know the month as well", f.name, base.name)
	} else {
		k.alternative("%s `pk,concat` and %s `pk,concat`: a key for each %s and %s, if requests always know both", f.name, base.name, f.property, base.property)
	}
	if f.rank == deviceRank {
		k.alternative("%s `pk,%shashsuffix=%s,buckets=%d`: a suffix, if requests ask for a %s of all, whose writes would have one hot key", base.name, base.format(), f.name, buckets, base.span())
	}
}

func (s *structure) randomSuffix(base field) Key {
	tags := []Tag{{Field: base.name, Words: fmt.Sprintf("pk,%srandomsuffix,buckets=%d", base.format(), buckets)}}
	if s.stored != "" {
		tags = append(tags, Tag{Field: s.stored, Words: "synthetic"})
	} else {
		tags = append(tags, Tag{Field: s.storedName, Words: "synthetic", New: true})
	}
	k := s.key(tags...)
	k.Reasons = append(k.Reasons,
		fmt.Sprintf("%s alone would give all writes of a %s one hot key: a suffix spreads them", base.property, base.span()),
		"no other property can be hashed, so the suffix is random, and the document stores it")
	k.Unknown = []string{
		fmt.Sprintf("write rate: suffixes gain nothing until a container has several physical partitions, each of 10,000 request units a second; a few times their number is enough, and %d cannot be changed later", buckets),
		fmt.Sprintf("requests: a read by only the id and the %s tries every suffix; a query over a %s reads all of them", base.span(), base.span()),
	}
	k.alternative("%s `pk,%shashsuffix=FIELD,buckets=%d`, if readers know a property with many values: point reads then compute the suffix", base.name, base.format(), buckets)
	s.alternativeID(&k)
	return k
}

func (s *structure) itemID() Key {
	// A tag on the id of an embedded struct would apply to all types that embed it.
	tag := Tag{Field: "_", Words: "key={" + s.embeddedID + "}", New: true}
	if s.id != "" {
		tag = Tag{Field: s.id, Words: "id,pk"}
	}
	k := s.key(tag)
	k.Reasons = append(k.Reasons,
		"no property names the owner of a document, or the day of an event",
		"the id spreads documents evenly, and a point read needs nothing else")
	k.Unknown = []string{"requests: queries by any other property read every physical partition, which is cheap only while there are few"}
	k.alternative("`pk` on a property that most requests know, with many values, which never changes")
	s.alternativesChanging(&k)
	return k
}

// key returns a key with these tags, and the remarks for every key.
func (s *structure) key(tags ...Tag) Key {
	switch {
	case s.noMethods && tags[0].Field == "_":
		tags[0].Words = "methods=none," + tags[0].Words
	case s.noMethods:
		tags = append([]Tag{{Field: "_", Words: "methods=none", New: true}}, tags...)
	}
	k := Key{Tags: tags}
	if s.stored != "" {
		k.alternative("%s `pk`: if documents are stored already, under a key that the program makes itself", s.stored)
	}
	for _, f := range s.fields {
		if f.few() {
			k.Rejected = append(k.Rejected, f.rejection())
		}
	}
	k.Rejected = append(k.Rejected, s.passed...)
	return k
}

// rejection returns why a field with few values is no key.
func (f field) rejection() string {
	switch {
	case f.kind == boolean:
		return f.property + ": a bool makes two logical partitions, which use two physical ones at the most"
	case f.values > 1:
		return fmt.Sprintf("%s: its type has %d constants, and as many values use no more physical partitions", f.property, f.values)
	}
	return f.property + ": its name suggests few values, or a value that changes, which a stored key cannot"
}

// format returns the option for a time in a key.
func (f field) format() string {
	if f.kind == moment {
		return "format=day,"
	}
	return ""
}

// span returns how long a base stays the same.
func (f field) span() string {
	if f.kind != moment && slices.Contains(f.words, "month") {
		return "month"
	}
	return "day"
}

func (s *structure) alternativeID(k *Key) {
	if s.id != "" {
		k.alternative("%s `id,pk`: if every request is for one document by its id", s.id)
	} else {
		k.alternative("_ struct{} `key={%s}`: if every request is for one document by its id", s.embeddedID)
	}
	s.alternativesChanging(k)
}

// alternativesChanging adds the fields whose names suggest changing values, last.
func (s *structure) alternativesChanging(k *Key) {
	for _, name := range s.changing {
		k.alternative("%s `pk`: only if it never changes while a document is stored, despite its name", name)
	}
}

func (k *Key) alternative(format string, args ...any) {
	k.Alternatives = append(k.Alternatives, fmt.Sprintf(format, args...))
}

// rank orders the properties for a key: lower ranks come first.
type rank int

const (
	tenantRank    rank = iota + 1 // their sizes differ widely
	customerRank                  // some customers are larger than others
	userRank                      // one person
	deviceRank                    // a device that writes by itself
	referenceRank                 // the id of any other document
)

// owners has the rank of the thing that a property identifies, by its last word, such as user in
// OwnerUserID.
var owners = map[string]rank{
	"tenant": tenantRank, "organization": tenantRank, "organisation": tenantRank, "org": tenantRank, "company": tenantRank,
	"workspace": tenantRank, "merchant": tenantRank, "project": tenantRank, "store": tenantRank, "shop": tenantRank, "site": tenantRank, "team": tenantRank,

	"customer": customerRank, "account": customerRank, "client": customerRank, "subscription": customerRank, "household": customerRank,

	"user": userRank, "member": userRank, "patient": userRank, "player": userRank, "employee": userRank, "student": userRank,
	"driver": userRank, "subscriber": userRank, "owner": userRank, "seller": userRank, "buyer": userRank,

	"device": deviceRank, "vehicle": deviceRank, "vin": deviceRank, "sensor": deviceRank, "machine": deviceRank, "meter": deviceRank,
	"imei": deviceRank, "camera": deviceRank, "robot": deviceRank, "gateway": deviceRank, "turbine": deviceRank, "terminal": deviceRank,
}

// markers are last words of identifiers.
var markers = []string{"id", "uuid", "guid", "uid", "number", "no", "serial"}

// strangers are things whose ids hardly any request for a document knows: they identify one
// message, one attempt, or the document itself in another system.
var strangers = []string{
	"trace", "span", "request", "correlation", "message", "event", "external", "parent", "previous", "next", "root",
	"version", "revision", "schema", "batch", "phone", "house", "line", "sequence", "transaction", "serial", "process",
}

// fewValues are last words of properties with few values.
var fewValues = []string{
	"status", "state", "type", "kind", "category", "level", "severity", "priority", "role", "plan", "tier", "stage", "phase",
	"region", "country", "currency", "language", "locale", "gender", "color", "colour", "unit", "channel", "source", "environment", "env",
}

// periods are last words of properties with a period as text.
var periods = []string{"date", "day", "month"}

// instants are last words of properties with an instant as text or number.
var instants = []string{"timestamp", "time", "ts", "at", "datetime", "when"}

// states are words of times at which something happens to a document: documents written at the same
// time have different ones, or change them.
var states = []string{
	"created", "updated", "modified", "changed", "deleted", "archived", "expires", "expiry", "expiration", "valid", "due", "start", "end", "started", "ended",
	"birth", "born", "birthday", "dob", "joined", "registered", "verified", "seen", "login", "last", "next", "first", "paid", "shipped", "delivered", "cancelled", "canceled",
}

// beginnings are the states that documents written at the same time share.
var beginnings = []string{"created", "start", "started", "registered", "joined"}

// leases are things that are held for a while, such as lease documents of a change feed: their
// holder changes, and a stored key cannot.
var leases = []string{"lease", "lock", "mutex", "semaphore", "leader", "election", "claim", "checkpoint"}

// holdings are words of properties that name a holder.
var holdings = []string{"owner", "holder", "worker", "host", "instance", "consumer", "leader", "member", "client", "process", "node"}

// dropHolders removes from a lease the fields that name its holder.
func (s *structure) dropHolders() {
	lease := anyOf(goname.LowerWords(s.name), leases)
	for i := range s.fields {
		f := &s.fields[i]
		if f.rank == 0 || !anyOf(f.words, holdings) || !lease && !anyOf(f.words, leases) {
			continue
		}
		f.rank = 0
		s.passed = append(s.passed, f.property+": it names the holder of a lease or a lock, which changes; a stored key cannot")
	}
}

// changing are words of properties that change while a document exists, such as the current or last
// assignee.
var changing = []string{
	"owner", "manager", "supervisor", "assignee", "assigned", "assignment", "reviewer", "approver", "editor", "updater", "responsible",
	"current", "latest", "last", "preferred", "updated", "modified", "changed", "status", "state",
}

// changes reports whether the name of a candidate field suggests that its value changes.
func (f field) changes() bool { return f.rank > 0 && anyOf(f.words, changing) }

// dropChanging removes the fields whose names suggest that their values change.
func (s *structure) dropChanging() {
	for i := range s.fields {
		f := &s.fields[i]
		if !f.changes() {
			continue
		}
		f.rank = 0
		s.passed = append(s.passed, f.property+": its name suggests that it changes; a stored key cannot")
		s.changing = append(s.changing, f.name)
	}
}

// rankOf returns the rank of a property by its words, or 0.
func rankOf(words []string) rank {
	last := words[len(words)-1]
	thing, marked := last, false
	if len(words) > 1 && slices.Contains(markers, last) {
		thing, marked = words[len(words)-2], true
	}
	switch {
	case owners[thing] != 0:
		return owners[thing]
	case marked && !slices.Contains(strangers, thing):
		return referenceRank
	}
	return 0
}

// anyOf reports whether one of the words is in the list.
func anyOf(words, list []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
}

// together describes the container that a document may share with another one whose id it has, as
// Item{CartID} with Cart: for transactions over both, and for queries that read both. It is never
// proposed, because types show neither need.
func (p *pkg) together(k *Key, d declared, parts map[types.Type]*types.TypeName) {
	for _, f := range d.structure.fields {
		last := len(f.words) - 1
		if f.rank == 0 || last == 0 {
			continue
		}
		parent := p.document(strings.Join(f.words[:last], ""), parts)
		if parent == nil || parent == d.named {
			continue
		}
		above, id := parent.Obj().Name(), "ID"
		if inner, _ := embedded(parent); inner != "" {
			id = inner
		}
		container := strings.Join(goname.LowerWords(above), "-")
		option := func(typ, field string) string {
			return fmt.Sprintf("_ `container=%s,type=%s,key=%[1]s-{%[3]s}`", container, strings.Join(goname.LowerWords(typ), "-"), field)
		}
		k.alternative("one container with %s, if transactions write both: %s in %s and %s in %s, with an `id,prefix=` in each",
			above, option(above, id), above, option(d.structure.name, f.name), d.structure.name)
		return
	}
}

// document returns the document of the package with a name, ignoring case, that is not part of
// another; nil if there is none.
func (p *pkg) document(name string, parts map[types.Type]*types.TypeName) *types.Named {
	for _, d := range p.structs {
		if strings.EqualFold(d.named.Obj().Name(), name) && parts[d.named] == nil && !d.tagged && d.structure != nil {
			return d.named
		}
	}
	return nil
}

// apart returns container names for documents whose types have the same name in several packages.
// By default, these types would share a container.
func apart(pkgs []pkg, parts map[types.Type]*types.TypeName) map[*types.Named]string {
	byName := make(map[string][]*types.Named)
	for _, p := range pkgs {
		for _, d := range p.structs {
			if (d.structure != nil || d.tagged) && parts[d.named] == nil {
				byName[d.named.Obj().Name()] = append(byName[d.named.Obj().Name()], d.named)
			}
		}
	}
	containers := make(map[*types.Named]string)
	for name, alike := range byName {
		for n := 1; len(alike) > 1 && containers[alike[0]] == ""; n++ {
			if names := called(alike, n); len(slices.Compact(slices.Sorted(slices.Values(names)))) == len(alike) {
				for i, t := range alike {
					containers[t] = names[i] + "-" + strings.Join(goname.LowerWords(name), "-")
				}
			}
		}
	}
	return containers
}

// called returns the last n elements of the import paths of types.
func called(all []*types.Named, n int) (names []string) {
	for _, t := range all {
		parts := strings.Split(path.Clean(t.Obj().Pkg().Path()), "/")
		names = append(names, strings.Join(parts[max(0, len(parts)-n):], "-"))
	}
	return names
}

// into adds a container to the tags of the document, if it needs one.
func (k *Key) into(container string) {
	if container == "" {
		return
	}
	option := "container=" + container
	if i := slices.IndexFunc(k.Tags, func(t Tag) bool { return t.Field == "_" }); i >= 0 {
		k.Tags[i].Words = option + "," + k.Tags[i].Words
	} else {
		k.Tags = slices.Insert(k.Tags, 0, Tag{Field: "_", Words: option, New: true})
	}
	k.Unknown = append(k.Unknown, "container: another package has a document of this name, which is stored apart: to share one container, name it, with a type= in each")
}
