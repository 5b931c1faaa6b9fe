package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
)

// uniques are values that no two documents share.
var uniques = feature{
	in:    func(t *Type) bool { return t.Unique != nil },
	reads: (*file).unique,
	model: func(f *file) members {
		return members{{"Unique", texts(collect(f.Unique, func(u Unique) string { return u.Property }))}}
	},
	words: func(f *file, c operations.Cost) string {
		value := "one of its unique values"
		switch {
		case c == operations.Read:
			return ""
		case len(f.Unique) == 1:
			value = "its " + f.Unique[0].Property
		}
		return "It returns " + f.in("ErrNotUnique") + " if another document, under any partition key, has " + value + "."
	},
	prices: func(f *plan, p *prices) {
		n := len(f.Unique)
		p.create, p.change, p.delete = costCreateUnique(n), costChangeUnique(n), costDeleteUnique(n)
		p.store, p.upsert, p.update = p.change, p.change, p.change
		p.upsert.Words += "; if it is new, the cost of Create"
		p.deleteVersion, p.purge = p.delete, p.delete
		switch {
		case !f.Ambiguous:
			p.patch = f.api().costs.write
		case f.grows() >= 0:
			p.patch = p.change
		}
	},
}

// unique writes the reads by values that no two documents share.
//
//	func (r *UserRepository) GetByEmail(ctx context.Context, value string) (*User, error) {
//		return repository.GetByUnique(ctx, r.Documents, "email", value)
//	}
func (f *file) unique() {
	for _, u := range f.Unique {
		f.declare(fmt.Sprintf("%s returns the %s whose property %s is value: %s. It returns %s if there is none.",
			u.method(), f.Name, u.Property, costGetBy.Words, f.in("ErrNotFound")),
			f.repositoryMethod(u.method()).Params(f.ctx(), jen.Id("value").Add(goType(u.Type))).
				Params(ptr(jen.Id(f.Name)), jen.Error()).Block(
				jen.Return(f.lib("GetByUnique").Call(jen.Id("ctx"), jen.Id("r").Dot("Documents"), jen.Lit(u.Property), jen.Id("value"))),
			))
	}
}

func (u Unique) method() string { return "GetBy" + u.Name }

var costGetBy = cost{Words: "two point reads, 2 request units for 1 KB", Requests: 2, Units: 2}

// The costs of writes of documents with n unique values, as docs/unique.md has them.

func costCreateUnique(n int) cost {
	reserves := "including one for its unique value"
	if n > 1 {
		reserves = fmt.Sprintf("including %d for its unique values", n)
	}
	return cost{Words: fmt.Sprintf("%d writes, %s, about %d request units for 1 KB", 2+n, reserves, 11+6*n), Requests: 2 + n, Units: 11 + 6*n}
}

func costChangeUnique(n int) cost {
	changes := "if its unique value changes"
	if n > 1 {
		changes = fmt.Sprintf("for each of %d unique properties whose value changes", n)
	}
	return cost{Words: "a point read and a conditional write, about 6 request units for 1 KB, plus a point read and two writes, about 13, " + changes, Requests: 2 + 3*n, Units: 6 + 13*n}
}

func costDeleteUnique(n int) cost {
	return cost{Words: fmt.Sprintf("%d point reads and %d writes, about %d request units for 1 KB", 1+n, 1+n, 6+7*n), Requests: 2 + 2*n, Units: 6 + 7*n}
}
