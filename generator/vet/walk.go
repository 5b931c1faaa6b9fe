package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// walk follows one way through a block.
type walk struct {
	*checker

	state state
	told  map[ast.Expr]bool   // assignments that are reported; nil while none is to be
	moved map[*types.Var]bool // variables about which nothing is reported
}

// tell reports the changes of a document where it is stored.
func (w *walk) tell(v *types.Var, changes changed, by string) {
	if w.told == nil || v == nil || w.moved[v] {
		return
	}
	fact, named := w.keyOf(documentOf(v.Type()))
	if by == "Upsert" && w.deletesKey(w.body, named) {
		return
	}
	for _, path := range slices.Sorted(maps.Keys(changes)) {
		at := changes[path]
		if w.told[at] {
			continue
		}
		w.told[at] = true
		w.pass.ReportRangef(at, "assigning to %s changes the key of the %s that was read, %s: %s the key that it was read under",
			types.ExprString(at), named.Obj().Name(), consequence(by), moving(fact))
	}
}

// consequence says what a method does with a document whose key has changed.
func consequence(method string) string {
	switch method {
	case "Upsert":
		return "and Upsert stores a second document and leaves the first, or refuses"
	case "Update":
		return "and Update refuses that"
	}
	return "and Replace looks for it under the new one"
}

// moving says how a document gets another key, up to the words for its earlier one.
func moving(fact *keyFact) string {
	switch {
	case fact.Unique && fact.Marks: // a marked document keeps its values
		return "before Create, call Delete and Purge with"
	case fact.Unique: // Move refuses it
		return "before Create, call Delete with"
	case fact.API == templates.NoSQL:
		return "call Move with"
	}
	return "store it by Create, and call Delete with"
}

// block goes through a block, and returns the state at its end.
func (w *walk) block(b *cfg.Block) state {
	if loop, ok := b.Stmt.(*ast.RangeStmt); ok && b.Kind == cfg.KindRangeBody {
		w.iterate(loop)
	}
	for _, n := range b.Nodes {
		w.node(n)
	}
	return w.state
}

// iterate begins another iteration of a loop.
func (w *walk) iterate(loop *ast.RangeStmt) {
	value := loop.Value
	read := false
	switch x := ast.Unparen(loop.X).(type) {
	case *ast.CallExpr:
		value = loop.Key // of an iterator of documents and errors
		read = operation(w.pass.TypesInfo, x) == "All"
	case *ast.Ident:
		_, read = w.state.read[variable(w.pass.TypesInfo, x)]
	case *ast.SelectorExpr: // the documents of a page
		page := variable(w.pass.TypesInfo, x.X)
		if _, read = w.state.read[page]; read {
			read = pageOf(page.Type()) != nil && x.Sel.Name == "Items"
		}
	}
	for _, e := range []ast.Expr{loop.Key, loop.Value} {
		if e != nil {
			v := variable(w.pass.TypesInfo, e)
			w.forgetVariable(v)
		}
	}
	if value != nil && read {
		w.read(value)
	}
}

// read notes that the variable which an expression names holds a document that
// was read, or several.
func (w *walk) read(e ast.Expr) {
	v := variable(w.pass.TypesInfo, e)
	if v == nil || v.Parent() == w.pass.Pkg.Scope() {
		return // other functions may assign to it
	}
	t := documentOf(v.Type())
	if _, pointer := types.Unalias(t).(*types.Pointer); !pointer {
		return
	}
	if fact, _ := w.keyOf(t); fact != nil {
		w.state.read[v] = changed{}
	}
}

// node goes through a statement or an expression.
func (w *walk) node(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			w.forget(n) // it runs at another time
			return false
		case *ast.CallExpr:
			w.call(n)
		case *ast.UnaryExpr:
			if n.Op == token.AND && !w.followed(n) {
				w.escape(n.X)
			}
		}
		return true
	})
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			var right ast.Expr
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				right = n.Rhs[min(i, len(n.Rhs)-1)]
			}
			w.assign(left, right, i)
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			var right ast.Expr
			if len(n.Values) > 0 {
				right = n.Values[min(i, len(n.Values)-1)]
			}
			w.assign(name, right, i)
		}
	case *ast.IncDecStmt:
		w.assign(n.X, nil, 0)
	}
}

// followed reports whether an address is the value of a pointer at a field that
// is followed.
func (w *walk) followed(address *ast.UnaryExpr) bool {
	for p := range w.pointsAt {
		if ast.Unparen(w.assigned[p][0]) == address {
			return true
		}
	}
	return false
}

// escape forgets a variable whose address is taken, or a field of it.
func (w *walk) escape(e ast.Expr) {
	if v, _ := selected(w.pass.TypesInfo, e); v != nil {
		delete(w.state.read, v)
		w.forgetEqual(v, "")
	}
}

// forget forgets the variables to which a function within this one assigns, or
// to whose fields it does.
func (w *walk) forget(f *ast.FuncLit) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if assignment, ok := n.(*ast.AssignStmt); ok {
			for _, left := range assignment.Lhs {
				w.escape(left)
			}
		}
		return true
	})
}

// call notes what a call does with the documents that it is handed.
func (w *walk) call(call *ast.CallExpr) {
	name := operation(w.pass.TypesInfo, call)
	if name == "" {
		w.handed(call)
		return
	}
	for _, arg := range call.Args {
		v, element := w.document(arg)
		changes, ok := w.state.read[v]
		if !ok {
			continue
		}
		switch does(w.pass.TypesInfo, call) {
		case operations.Overwrites:
			w.tell(v, changes.of(element), name)
		case operations.Stores:
			delete(w.state.read, v) // it is stored under the key that it has now
		}
	}
}

// prints are packages whose functions change no document.
var prints = []string{"encoding/json", "errors", "fmt", "log", "log/slog"}

// handed forgets the changes of documents that are passed to another function or
// method, which may undo the changes.
func (w *walk) handed(call *ast.CallExpr) {
	f, _ := typeutil.Callee(w.pass.TypesInfo, call).(*types.Func)
	args := call.Args
	if f != nil && f.Signature().Recv() != nil && f.Name() != "Key" && f.Name() != "PartitionKey" {
		if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			args = append([]ast.Expr{s.X}, args...)
		}
	}
	if f != nil && f.Pkg() != nil && slices.Contains(prints, f.Pkg().Path()) {
		return
	}
	for _, arg := range args {
		if v, _ := w.document(arg); v != nil {
			clear(w.state.read[v])
		}
	}
}

// document returns the variable that holds the document which an expression
// names, and if that is a slice, the text of the index, in brackets.
func (c *checker) document(e ast.Expr) (v *types.Var, element string) {
	if index, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		return variable(c.pass.TypesInfo, index.X), "[" + types.ExprString(index.Index) + "]"
	}
	return variable(c.pass.TypesInfo, e), ""
}

// assign notes an assignment. Right is the value, or the call that returns it as
// result i; nil where an operator makes it.
func (w *walk) assign(left, right ast.Expr, i int) {
	if v := variable(w.pass.TypesInfo, left); v != nil {
		w.variable(v, left, right, i)
		return
	}
	v, path := w.at(left)
	same := w.proven(v, path, right)
	if !same {
		w.forgetEqual(v, path)
	}
	changes, ok := w.state.read[v]
	if !ok {
		return
	}
	element, field := splitElement(path)
	fact, named := w.keyOf(documentOf(v.Type()))
	switch {
	case fact == nil:
	case field == "" || fact.within(field):
		delete(w.state.read, v) // all of it is another, perhaps with the same key
	case !fact.has(field), same:
	case w.original(right, v, field, named):
		delete(changes, element+field)
	default:
		changes[element+field] = left
	}
}

// forgetVariable forgets what a variable held, which has got another value.
func (w *walk) forgetVariable(v *types.Var) {
	delete(w.state.read, v)
	for _, changes := range w.state.read {
		changes.reindex(w.pass.TypesInfo, v)
	}
	w.forgetEqual(v, "")
}

// at returns the variable that a selector starts from, and the path of the field that it
// reaches, which the index of an element, in brackets, comes before.
func (c *checker) at(e ast.Expr) (v *types.Var, path string) {
	index := indexIn(e)
	if index == nil {
		return c.field(e)
	}
	_, element := c.document(index)
	v, _ = c.field(index.X)
	return v, element + c.pathAfter(e)
}

// splitElement parts the index of an element from the path of a field.
func splitElement(path string) (element, field string) {
	if !strings.HasPrefix(path, "[") {
		return "", path
	}
	i := strings.LastIndexByte(path, ']') + 1
	return path[:i], path[i:]
}

// variable notes an assignment to a variable itself.
func (w *walk) variable(v *types.Var, left, right ast.Expr, i int) {
	var copied changed
	if from, element := w.document(right); from != nil && i == 0 {
		if changes, ok := w.state.read[from]; ok {
			copied = changes.of(element)
		}
	}
	w.forgetVariable(v)
	if call, ok := ast.Unparen(right).(*ast.CallExpr); ok && i == 0 && reads(operation(w.pass.TypesInfo, call)) {
		w.read(left)
	}
	if copied != nil {
		w.read(left)
		if changes, ok := w.state.read[v]; ok {
			maps.Copy(changes, copied)
		}
	}
}

// reads reports whether a method returns documents as they are stored: an operation, or a
// method of a query or of a transaction.
func reads(method string) bool {
	if o := operations.Named(method); o != nil {
		return o.Reads
	}
	return slices.Contains([]string{"First", "Collect", "Page", "Doc"}, method)
}
