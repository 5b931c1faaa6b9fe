package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/cfg"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// changes reports assignments to key fields of documents that were read and are then stored by a
// method that expects the earlier key. It checks a function, and each nested function separately.
func (c *checker) changes(body *ast.BlockStmt) {
	c.body, c.given, c.pointsAt, c.assigned = body, c.keyValues(body), c.pointers(body), c.values(body).of
	c.follow(body, nil)
	for n := range ast.Preorder(body) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if does(c.pass.TypesInfo, n) == operations.Changes && len(n.Args) > 0 {
				if params, change := c.change(body, n.Args[len(n.Args)-1]); change != nil {
					c.follow(change, c.parameter(params))
				}
			}
		case *ast.FuncLit:
			c.follow(n.Body, nil)
		}
	}
}

// change returns the function passed to an Update: a closure, a local variable with a closure, or a
// function of the package.
func (c *checker) change(around *ast.BlockStmt, arg ast.Expr) (*ast.FuncType, *ast.BlockStmt) {
	if v := variable(c.pass.TypesInfo, arg); v != nil {
		if values := c.values(around).of[v]; len(values) == 1 && values[0] != nil {
			arg = values[0]
		}
	}
	if closure, ok := ast.Unparen(arg).(*ast.FuncLit); ok {
		return closure.Type, closure.Body
	}
	ident, ok := ast.Unparen(arg).(*ast.Ident)
	if !ok {
		return nil, nil
	}
	for _, file := range c.pass.Files {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && c.pass.TypesInfo.Defs[f.Name] == c.pass.TypesInfo.Uses[ident] {
				return f.Type, f.Body
			}
		}
	}
	return nil, nil
}

// refuses reports whether a block certainly ends with an error, so that an Update stores nothing.
func (c *checker) refuses(block *cfg.Block) bool {
	result := block.Return()
	if result == nil || len(result.Results) != 1 {
		return false
	}
	switch e := ast.Unparen(result.Results[0]).(type) {
	case *ast.CallExpr:
		f := called(c.pass.TypesInfo, e)
		return f != nil && (f.FullName() == "errors.New" || f.FullName() == "fmt.Errorf")
	case *ast.Ident:
		v := variable(c.pass.TypesInfo, e)
		return v != nil && v.Parent() == c.pass.Pkg.Scope()
	case *ast.SelectorExpr:
		v, ok := c.pass.TypesInfo.Uses[e.Sel].(*types.Var)
		return ok && !v.IsField()
	}
	return false
}

// parameter returns the document parameter of an Update's function, or nil.
func (c *checker) parameter(change *ast.FuncType) *types.Var {
	params := change.Params.List
	if len(params) != 1 || len(params[0].Names) != 1 {
		return nil
	}
	v, _ := c.pass.TypesInfo.Defs[params[0].Names[0]].(*types.Var)
	if v == nil {
		return nil
	}
	if fact, _ := c.keyOf(v.Type()); fact == nil {
		return nil
	}
	return v
}

// follow analyzes all paths of a function, without nested functions. Updated is the document
// parameter of an Update's closure, or nil.
func (c *checker) follow(body *ast.BlockStmt, updated *types.Var) {
	if updated == nil && !c.stores(body) {
		return
	}
	graph := cfg.New(body, c.mayReturn)
	before := make(map[*cfg.Block]state, len(graph.Blocks))
	first := state{make(map[*types.Var]changed), make(map[equality]bool)} // nothing is certain
	if updated != nil {
		first.read[updated] = changed{}
	}
	before[graph.Blocks[0]] = first
	for work := []*cfg.Block{graph.Blocks[0]}; len(work) > 0; work = work[1:] {
		after := (&walk{checker: c, state: before[work[0]].clone()}).block(work[0])
		for i, next := range work[0].Succs {
			on := c.compared(after, work[0], i)
			known, ok := before[next]
			if !ok {
				before[next] = on.clone()
			}
			if !ok || known.join(on) {
				work = append(work, next)
			}
		}
	}
	// The certain facts are complete now: report.
	moved := c.moved(body)
	for _, block := range graph.Blocks {
		s, ok := before[block]
		if !ok {
			continue // unreachable
		}
		w := &walk{checker: c, state: s.clone(), told: c.told, moved: moved}
		after := w.block(block)
		if len(block.Succs) == 0 && !c.refuses(block) {
			w.tell(updated, after.read[updated], "Update")
		}
	}
}

// stores reports whether a function, without nested functions, writes documents by a method that
// finds them by their current key.
func (c *checker) stores(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || does(c.pass.TypesInfo, call) == operations.Overwrites
		}
		_, within := n.(*ast.FuncLit)
		return !found && !within
	})
	return found
}

// moved returns the variables that a function passes to Move. The function may choose between Move
// and another method depending on the key.
func (c *checker) moved(body *ast.BlockStmt) map[*types.Var]bool {
	out := make(map[*types.Var]bool)
	for call := range all[*ast.CallExpr](body) {
		if does(c.pass.TypesInfo, call) != operations.Moves {
			continue
		}
		for _, arg := range call.Args {
			if v, _ := c.document(arg); v != nil {
				out[v] = true
			}
		}
	}
	return out
}

// mayReturn reports whether a call may return, judging by its name.
func (c *checker) mayReturn(call *ast.CallExpr) bool {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		_, builtin := c.pass.TypesInfo.Uses[f].(*types.Builtin)
		return !builtin || f.Name != "panic"
	case *ast.SelectorExpr:
		return !strings.HasPrefix(f.Sel.Name, "Fatal") && f.Sel.Name != "Exit"
	}
	return true
}

// walk analyzes one path through a block.
type walk struct {
	*checker

	state state
	told  map[ast.Expr]bool   // reported assignments; nil while nothing is reported
	moved map[*types.Var]bool // variables to report nothing about
}

// tell reports the changes of a document that is stored.
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

// consequence describes the effect of a method on a document whose key has changed.
func consequence(method string) string {
	switch method {
	case "Upsert":
		return "and Upsert refuses, or stores a second document and leaves the first"
	case "Update":
		return "and Update refuses that"
	}
	return "and Replace looks for the document under the new key"
}

// moving describes how to give a document another key, up to the words for its earlier one.
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

// block analyzes a block, and returns the state at its end.
func (w *walk) block(b *cfg.Block) state {
	if loop, ok := b.Stmt.(*ast.RangeStmt); ok && b.Kind == cfg.KindRangeBody {
		w.iterate(loop)
	}
	for _, n := range b.Nodes {
		w.node(n)
	}
	return w.state
}

// iterate begins an iteration of a loop.
func (w *walk) iterate(loop *ast.RangeStmt) {
	value := loop.Value
	read := false
	switch x := ast.Unparen(loop.X).(type) {
	case *ast.CallExpr:
		value = loop.Key // an iterator of documents and errors
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

// read records that the variable in an expression holds one or more documents that were read.
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

// node analyzes a statement or an expression.
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

// followed reports whether an address is the value of a tracked pointer to a field.
func (w *walk) followed(address *ast.UnaryExpr) bool {
	for p := range w.pointsAt {
		if ast.Unparen(w.assigned[p][0]) == address {
			return true
		}
	}
	return false
}

// escape forgets a variable if its address, or that of one of its fields, is taken.
func (w *walk) escape(e ast.Expr) {
	if v, _ := selected(w.pass.TypesInfo, e); v != nil {
		delete(w.state.read, v)
		w.forgetEqual(v, "")
	}
}

// forget forgets the variables that a nested function assigns to, or whose fields it assigns to.
func (w *walk) forget(f *ast.FuncLit) {
	for assignment := range all[*ast.AssignStmt](f.Body) {
		for _, left := range assignment.Lhs {
			w.escape(left)
		}
	}
}

// call records the effect of a call on the documents passed to it.
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
			delete(w.state.read, v) // it is stored under its current key
		}
	}
}

// prints are packages whose functions do not change documents.
var prints = []string{"encoding/json", "errors", "fmt", "log", "log/slog"}

// handed forgets the changes of documents passed to another function or method, which may undo
// them.
func (w *walk) handed(call *ast.CallExpr) {
	f := called(w.pass.TypesInfo, call)
	args := call.Args
	if f != nil && f.Signature().Recv() != nil && f.Name() != "Key" && f.Name() != "PartitionKey" {
		if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			args = append([]ast.Expr{s.X}, args...)
		}
	}
	if f != nil && slices.Contains(prints, packageOf(f)) {
		return
	}
	for _, arg := range args {
		if v, _ := w.document(arg); v != nil {
			clear(w.state.read[v])
		}
	}
}

// document returns the variable with the document of an expression and, for a slice, the text of
// the index in brackets.
func (c *checker) document(e ast.Expr) (v *types.Var, element string) {
	if index, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		return variable(c.pass.TypesInfo, index.X), "[" + types.ExprString(index.Index) + "]"
	}
	return variable(c.pass.TypesInfo, e), ""
}

// assign records an assignment. Right is the value, or the call that returns it as result i, or nil
// for an operator.
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
		delete(w.state.read, v) // all fields are replaced, perhaps with the same key
	case !fact.has(field), same:
	case w.original(right, v, field, named):
		delete(changes, element+field)
	default:
		changes[element+field] = left
	}
}

// forgetVariable forgets the earlier value of a variable.
func (w *walk) forgetVariable(v *types.Var) {
	delete(w.state.read, v)
	for _, changes := range w.state.read {
		changes.reindex(w.pass.TypesInfo, v)
	}
	w.forgetEqual(v, "")
}

// at returns the variable at the start of a selector, and the path of the selected field, after the
// index of an element in brackets.
func (c *checker) at(e ast.Expr) (v *types.Var, path string) {
	index := indexIn(e)
	if index == nil {
		return c.field(e)
	}
	_, element := c.document(index)
	v, _ = c.field(index.X)
	return v, element + c.pathAfter(e)
}

// splitElement splits a path into the index of an element and the path of a field.
func splitElement(path string) (element, field string) {
	if !strings.HasPrefix(path, "[") {
		return "", path
	}
	i := strings.LastIndexByte(path, ']') + 1
	return path[:i], path[i:]
}

// variable records an assignment to a variable itself.
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

// reads reports whether a method returns stored documents: an operation, or a method of a query or
// of a transaction.
func reads(method string) bool {
	if o := operations.Named(method); o != nil {
		return o.Reads
	}
	return slices.Contains([]string{"First", "Collect", "Page", "Doc"}, method)
}

// state has the facts that hold at a point of a function, on every path to it.
type state struct {
	// read are the variables that hold a document that was read, or a slice of such documents.
	// Other variables may hold anything.
	read map[*types.Var]changed

	equal map[equality]bool // in both directions
}

// changed are the changed fields of a document's key, on at least one path, by field path, each
// with an assignment.
type changed map[string]ast.Expr

// clone returns an independent copy.
func (s state) clone() state {
	out := state{make(map[*types.Var]changed, len(s.read)), maps.Clone(s.equal)}
	for v, c := range s.read {
		out.read[v] = maps.Clone(c)
	}
	return out
}

// join reduces s to the facts that also hold in another state, and reports whether s has changed.
func (s state) join(other state) bool {
	differs := false
	for e := range s.equal {
		if !other.equal[e] {
			delete(s.equal, e)
			differs = true
		}
	}
	for v, c := range s.read {
		more, ok := other.read[v]
		if !ok {
			delete(s.read, v)
			differs = true
			continue
		}
		for path, at := range more {
			if _, ok := c[path]; !ok {
				c[path] = at
				differs = true
			}
		}
	}
	return differs
}

// operand is one side of a comparison: a variable, a field of one, or a constant.
type operand struct {
	v        *types.Var
	path     string // after the index of an element in brackets
	constant string
}

// equality is a pair of operands with equal values.
type equality [2]operand

// operand returns the operand of an expression, and false for other expressions.
func (c *checker) operand(e ast.Expr) (operand, bool) {
	e = ast.Unparen(e)
	if e == nil {
		return operand{}, false
	}
	info := c.pass.TypesInfo
	if value := info.Types[e].Value; value != nil && value.Kind() == constant.String {
		return operand{constant: value.ExactString()}, true
	}
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() && isText(info.TypeOf(call)) && isText(info.TypeOf(call.Args[0])) {
		return c.operand(call.Args[0]) // the conversion keeps the text
	}
	v, path := c.at(e)
	return operand{v: v, path: path}, v != nil
}

// isText reports whether the values of a type are strings.
func isText(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// compared adds the facts on one of the exits of a block, which ends with a condition if there are
// two.
func (c *checker) compared(s state, b *cfg.Block, way int) state {
	if len(b.Succs) != 2 || len(b.Nodes) == 0 {
		return s
	}
	condition, ok := b.Nodes[len(b.Nodes)-1].(ast.Expr)
	if !ok {
		return s
	}
	s = s.clone()
	c.holds(s, condition, way == 0)
	return s
}

// holds adds the facts that follow if a condition is true, or false.
func (c *checker) holds(s state, condition ast.Expr, is bool) {
	switch e := ast.Unparen(condition).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			c.holds(s, e.X, !is)
		}
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.LAND && is, e.Op == token.LOR && !is:
			c.holds(s, e.X, is)
			c.holds(s, e.Y, is)
		case e.Op == token.EQL && is, e.Op == token.NEQ && !is:
			left, ok := c.operand(e.X)
			right, other := c.operand(e.Y)
			if ok && other {
				s.equal[equality{left, right}] = true
				s.equal[equality{right, left}] = true
			}
		}
	}
}

// proven reports whether a condition has shown that a field already has a value.
func (w *walk) proven(v *types.Var, path string, value ast.Expr) bool {
	is, ok := w.operand(value)
	return ok && w.state.equal[equality{{v: v, path: path}, is}]
}

// forgetEqual forgets the equalities of a variable, or of one of its fields, which was assigned to.
func (w *walk) forgetEqual(v *types.Var, path string) {
	if v == nil {
		return
	}
	maps.DeleteFunc(w.state.equal, func(e equality, _ bool) bool {
		return e[0].changesWith(v, path) || e[1].changesWith(v, path)
	})
}

// changesWith reports whether an assignment to a variable, or to one of its fields, may change the
// operand.
func (o operand) changesWith(v *types.Var, path string) bool {
	element, _, indexed := strings.Cut(o.path, "]")
	switch {
	case o.v == nil:
		return false
	case o.v == v:
		return path == "" || o.path == "" || strings.HasPrefix(o.path+".", path+".") || strings.HasPrefix(path+".", o.path+".")
	}
	return indexed && path == "" && strings.Contains(element, v.Name())
}

// of returns the changes of one element of a slice, without the index in their paths. Element is
// the index in brackets, or "" for a document outside a slice.
func (c changed) of(element string) changed {
	out := changed{}
	for path, at := range c {
		if rest, ok := strings.CutPrefix(path, element); ok && (element != "" || rest[0] != '[') {
			out[rest] = at
		}
	}
	return out
}

// reindex forgets the changes of elements whose index uses a variable that was assigned to.
func (c changed) reindex(info *types.Info, v *types.Var) {
	for path, at := range c {
		index := indexIn(at)
		if index == nil {
			continue
		}
		for ident := range all[*ast.Ident](index.Index) {
			if info.ObjectOf(ident) == v {
				delete(c, path)
			}
		}
	}
}

// indexIn returns the element of a slice at the start of a selector, or nil.
func indexIn(e ast.Expr) *ast.IndexExpr {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			return x
		default:
			return nil
		}
	}
}

// pathAfter returns the path of a selected field from an element of a slice.
func (c *checker) pathAfter(e ast.Expr) string {
	var names []string
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			selection := c.pass.TypesInfo.Selections[x]
			if selection == nil || selection.Kind() != types.FieldVal {
				return ""
			}
			names = append(namesOn(selection.Recv(), selection.Index()), names...)
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return strings.Join(names, ".")
		}
	}
}

// documentOf returns the element type of a slice or a page, and any other type itself.
func documentOf(t types.Type) types.Type {
	if page := pageOf(t); page != nil {
		return page
	}
	if slice, ok := t.Underlying().(*types.Slice); ok {
		return slice.Elem()
	}
	return t
}

// pageOf returns the element type of a page of documents, or nil.
func pageOf(t types.Type) types.Type {
	page, _ := types.Unalias(t).(*types.Named)
	if page == nil || !isOf(page, modulePath+"/documents", "Page") || page.TypeArgs().Len() != 1 {
		return nil
	}
	return types.NewPointer(page.TypeArgs().At(0))
}

// original reports whether a value equals the field of a document when it was read: the field
// itself, a variable that has kept it, a field of a key, or a value from which the function has
// made a key or a query.
func (w *walk) original(value ast.Expr, v *types.Var, path string, document *types.Named) bool {
	if value == nil {
		return false
	}
	if w.given[types.ExprString(value)] {
		return true
	}
	if w.restores(value, v, path) {
		return true
	}
	s, ok := ast.Unparen(value).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if from, same := selected(w.pass.TypesInfo, s); from == v && same == path {
		return true
	}
	return isKey(w.pass.TypesInfo.TypeOf(s.X), document)
}

// isKey reports whether t is, or points to, the key type of a document.
func isKey(t types.Type, document *types.Named) bool {
	if t == nil {
		return false
	}
	key := namedOf(t)
	return key != nil && key.Obj().Pkg() == document.Obj().Pkg() && key.Obj().Name() == document.Obj().Name()+"Key"
}

// keyValues returns the values, as Go text, that a function puts into keys of documents, or passes
// to a method that selects documents by them.
func (c *checker) keyValues(body *ast.BlockStmt) map[string]bool {
	given := make(map[string]bool)
	for n := range ast.Preorder(body) {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if c.hasKeyMethod(n) {
				for _, e := range n.Elts {
					if pair, ok := e.(*ast.KeyValueExpr); ok {
						e = pair.Value
					}
					given[types.ExprString(e)] = true
				}
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				s, ok := left.(*ast.SelectorExpr)
				if ok && len(n.Lhs) == len(n.Rhs) && c.hasKeyMethod(s.X) {
					given[types.ExprString(n.Rhs[i])] = true
				}
			}
		case *ast.CallExpr:
			if name := operation(c.pass.TypesInfo, n); strings.HasPrefix(name, "By") || name == "FindInBuckets" {
				for _, arg := range n.Args {
					given[types.ExprString(arg)] = true
				}
			}
		}
	}
	return given
}

// hasKeyMethod reports whether a value has the methods of a generated key type, and is not a
// document.
func (c *checker) hasKeyMethod(e ast.Expr) bool {
	t := c.pass.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}
	if fact, _ := c.keyOf(t); fact != nil {
		return false
	}
	for _, name := range []string{"PartitionKey", "Validate"} {
		object, _, _ := types.LookupFieldOrMethod(t, true, c.pass.Pkg, name)
		if _, ok := object.(*types.Func); !ok {
			return false
		}
	}
	return true
}

// place is a field of a document, or of a nested struct.
type place struct {
	document *types.Var
	path     string
}

// pointers returns the variables of a function that only point to a field of a document. Each has
// one value, such as &o.User, and so does its document. The function reads and assigns the field,
// and does not pass the pointer on.
func (c *checker) pointers(body *ast.BlockStmt) map[*types.Var]place {
	all := c.values(body).of
	out := make(map[*types.Var]place)
	for p, values := range all {
		if len(values) != 1 || values[0] == nil {
			continue
		}
		address, ok := ast.Unparen(values[0]).(*ast.UnaryExpr)
		if !ok || address.Op != token.AND {
			continue
		}
		document, path := selected(c.pass.TypesInfo, address.X)
		if document == nil || path == "" || len(all[document]) > 1 {
			continue
		}
		if fact, _ := c.keyOf(document.Type()); fact != nil {
			out[p] = place{document, path}
		}
	}
	if len(out) > 0 {
		c.dropHanded(body, out)
	}
	return out
}

// dropHanded drops the pointers that a function uses other than as *p or p.Name.
func (c *checker) dropHanded(body *ast.BlockStmt, pointers map[*types.Var]place) {
	reached := make(map[*ast.Ident]bool)
	ast.Inspect(body, func(n ast.Node) bool {
		var x ast.Expr
		switch n := n.(type) {
		case *ast.StarExpr:
			x = n.X
		case *ast.SelectorExpr:
			if s := c.pass.TypesInfo.Selections[n]; s != nil && s.Kind() == types.FieldVal {
				x = n.X
			}
		case *ast.FuncLit: // it runs at another time
			for ident := range all[*ast.Ident](n.Body) {
				delete(pointers, variable(c.pass.TypesInfo, ident))
			}
			return false
		}
		if x != nil {
			if ident, ok := ast.Unparen(x).(*ast.Ident); ok {
				reached[ident] = true
			}
		}
		return true
	})
	for ident := range all[*ast.Ident](body) {
		if !reached[ident] && c.pass.TypesInfo.Defs[ident] == nil {
			delete(pointers, variable(c.pass.TypesInfo, ident))
		}
	}
}

// field returns the variable at the start of a selector, and the path of the selected field,
// possibly through a pointer to a field.
func (c *checker) field(e ast.Expr) (v *types.Var, path string) {
	v, path = selected(c.pass.TypesInfo, e)
	if at, ok := c.pointsAt[v]; ok {
		return at.document, strings.TrimSuffix(at.path+"."+path, ".")
	}
	return v, path
}

// restores reports whether a value is a variable that has kept the earlier value of a field.
func (w *walk) restores(value ast.Expr, v *types.Var, path string) bool {
	kept := variable(w.pass.TypesInfo, value)
	values := w.assigned[kept]
	if kept == nil || len(values) != 1 || values[0] == nil {
		return false
	}
	from, same := w.field(values[0])
	change := w.state.read[v][path]
	return from == v && same == path && (change == nil || values[0].Pos() < change.Pos())
}

// deletesKey reports whether a function deletes a document of a type by a key: it may be moving a
// document by hand, with Upsert.
func (c *checker) deletesKey(body *ast.BlockStmt, document *types.Named) bool {
	for call := range all[*ast.CallExpr](body) {
		if does(c.pass.TypesInfo, call) == operations.Removes &&
			slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return isKey(c.pass.TypesInfo.TypeOf(arg), document) }) {
			return true
		}
	}
	return false
}
