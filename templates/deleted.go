package templates

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// deletion marks documents as deleted. The mark has its condition, and keeps unique values.
var deletion = feature{
	in:      func(t *Type) bool { return t.Deleted != nil },
	fields:  func(t *Type) []*pk.Field { return []*pk.Field{&t.Deleted.Field} },
	model:   func(f *file) members { return members{{"Deleted", f.deletedModel()}} },
	writes:  (*file).deletions,
	tenants: (*file).tenantDeletions,
	words: func(f *file, c operations.Cost) string {
		sentinel := "ErrAlreadyExists"
		if c == operations.Replace || c == operations.Read {
			sentinel = "ErrNotFound"
		}
		return "If the document is marked as deleted, the error matches " + f.in(sentinel) + " and ErrDeleted."
	},
	prices: func(f *plan, p *prices) {
		if p.delete = p.patch; f.Unique != nil {
			p.deleteVersion = p.delete
		}
	},
}

// What operations on a document that is marked as deleted cost.
var (
	costRestore = cost{Words: "a point read and a conditional patch, about 6 request units for 1 KB", Requests: 2, Units: 6}
	costPurge   = cost{Words: "a point read and a conditional deletion, about 6 request units for 1 KB", Requests: 2, Units: 6}
)

// deletedModel tells the run time how documents are marked as deleted.
//
//	&generated.Deleted[Order]{
//		Property: "deleted",
//		Seconds:  2592000,
//		Clear:    func(o *Order) { o.Deleted = repository.Time{} },
//	}
func (f *file) deletedModel() *jen.Statement {
	d := f.Deleted
	return addr(rows(generated("Deleted").Types(jen.Id(f.Name)),
		named("Property", jen.Lit(dotted(d.Field.Pointer))),
		when(d.Seconds > 0, named("Seconds", jen.Lit(d.Seconds))),
		when(d.OwnTTL, named("OwnTTL", jen.True())),
		named("Clear", doing([]jen.Code{assign(jen.Id(f.doc).Dot(d.Field.Selector), repository("Time").Values())}, param(f.doc, ptr(jen.Id(f.Name))))),
	))
}

// deletions writes the methods of a repository whose documents are marked as deleted.
//
//	func (r *OrderRepository) WithDeleted() *OrderRepository {
//		return &OrderRepository{repository.WithDeleted(r.Documents)}
//	}
//
//	func (r *OrderRepository) Restore(ctx context.Context, key OrderKey, opts ...repository.DeletedOption) (*Order, error) {
//		return repository.Restore(ctx, r.Documents, key, opts...)
//	}
func (f *file) deletions() {
	f.declare("WithDeleted returns a repository whose reads include documents that Delete has marked, with "+f.Deleted.Field.Selector+" set. "+
		"Its writes are the same as r's. It sends nothing.",
		f.repositoryMethod("WithDeleted").Params().Add(ptr(jen.Id(f.repositoryName))).Block(
			jen.Return(addr(jen.Id(f.repositoryName).Values(repository("WithDeleted").Call(jen.Id("r").Dot("Documents"))))),
		))
	for _, m := range f.deletionDocs() {
		f.deletion(f.repositoryMethod(m.name), m.name, m.doc, jen.Id("r").Dot("Documents"))
	}
}

// tenantDeletions writes the same methods for the repository of one tenant.
//
//	func (t *OrderTenant) WithDeleted() *OrderTenant { return t.all.WithDeleted().For(t.tenant) }
//
//	func (t *OrderTenant) Restore(ctx context.Context, key OrderKey, opts ...repository.DeletedOption) (*Order, error) {
//		return repository.Restore(ctx, &t.Tenant, key, opts...)
//	}
func (f *file) tenantDeletions() {
	all := []jen.Code{jen.Return(jen.Id("t").Dot("all").Dot("WithDeleted").Call().Dot("For").Call(jen.Id("t").Dot("tenant")))}
	if f.Own != nil { // whose repository has no method for the documents of all tenants
		all = []jen.Code{
			define("r", jen.Id(f.repositoryName).Values(repository("WithDeleted").Call(jen.Id("t").Dot("all")))),
			jen.Return(jen.Id("r").Dot("For").Call(jen.Id("t").Dot("tenant"))),
		}
	}
	f.declare("WithDeleted returns a repository of the tenant whose reads include documents that Delete has marked. Its writes are the same as t's. It sends nothing.",
		f.tenantMethod("WithDeleted").Params().Add(ptr(jen.Id(f.tenantName))).Block(all...))
	for _, m := range f.deletionDocs() {
		doc := m.name + " is " + f.repositoryName + "." + m.name + " for a key of the tenant."
		if f.Own != nil {
			doc = m.doc
		}
		f.deletion(f.tenantMethod(m.name), m.name, doc, addr(jen.Id("t").Dot("Tenant")))
	}
}

// deletion writes a method that calls a function of the run time for a key.
func (f *file) deletion(method *jen.Statement, function, doc string, documents jen.Code) {
	method = method.Params(f.ctx(), param("key", jen.Id(f.keyName)), options(repository("DeletedOption")))
	if function == "Restore" {
		method = method.Params(ptr(jen.Id(f.Name)), jen.Error())
	} else {
		method = method.Error()
	}
	f.declare(doc, method.Block(jen.Return(repository(function).Call(jen.Id("ctx"), documents, jen.Id("key"), spread(jen.Id("opts"))))))
}

// deletionDoc is a method on a document that is marked, with its comment.
type deletionDoc struct{ name, doc string }

// deletionDocs are the methods on a document that is marked, in the order of the file.
func (f *file) deletionDocs() []deletionDoc {
	none := "It returns " + f.in("ErrNotFound") + " if there is none"
	if f.shares {
		none += " of the type"
	}
	unmarked := none + ", or ErrPreconditionFailed if it is not marked or its ETag differs from IfMatch's"
	return []deletionDoc{
		{"Restore", prose.Sentences("Restore removes Delete's mark from the "+f.Name+" that key identifies, and returns the document: "+costRestore.Words+".", unmarked+".", f.restoreDoc())},
		{"Purge", prose.Sentences("Purge permanently deletes the marked "+f.Name+" that key identifies: "+f.prices.purge.Words+".", unmarked+".")},
	}
}

// restoreDoc says what Restore does about the stamps and the form of a document. It is empty
// for types without either.
func (f *file) restoreDoc() string {
	var sets []string
	for _, s := range f.stamps() {
		if s.name != "Created" {
			sets = append(sets, s.field.Selector)
		}
	}
	doc := ""
	if len(sets) > 0 {
		doc = "It sets " + prose.Enumerate(sets) + "."
	}
	if s := f.Schema; s != nil {
		doc = prose.Sentences(doc, fmt.Sprintf("It returns %s if the document's %s is greater than %d.", f.in("ErrNewerDocument"), s.Field.Selector, s.Number))
	}
	return doc
}

// markDoc is the comment of Delete.
func (f *file) markDoc() string {
	taken := f.idWord + " stays taken."
	if f.Unique != nil {
		taken = f.idWord + " and its unique values stay taken."
	}
	doc := "Delete marks the " + f.Name + " that key identifies as deleted: " + f.prices.delete.Words + ". " +
		"Reads then leave it out, the change feed reports a deletion, and its " + taken
	if s := f.Deleted.Seconds; s > 0 {
		doc += " The service removes it " + afterwards(s) + "."
	}
	none := []string{"if there is none", "if it is already marked"}
	if f.looks {
		none = append(none, "if the id belongs to "+f.stranger())
	}
	doc = prose.Sentences(doc, "It returns "+f.in("ErrNotFound")+" "+strings.Join(none, ", or ")+".")
	if f.Conflict != "" {
		doc = prose.Sentences(doc, "If another write region changes the document at the same time, "+f.writerWins()+", so the mark may be lost.")
	}
	return doc
}

// afterwards says how much later something is, in the largest unit that is whole.
func afterwards(seconds int) string {
	for _, unit := range []struct {
		seconds int
		name    string
	}{{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}} {
		if n := seconds / unit.seconds; seconds%unit.seconds == 0 {
			if n == 1 {
				return "one " + unit.name + " later"
			}
			return fmt.Sprintf("%d %ss later", n, unit.name)
		}
	}
	return ""
}
