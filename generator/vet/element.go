package vet

import (
	"go/ast"
	"go/types"
	"strings"
)

// of returns the changes of one element of a slice, without the index in their
// paths. Element is the index in brackets, or "" for a document outside a slice.
func (c changed) of(element string) changed {
	out := changed{}
	for path, at := range c {
		if rest, ok := strings.CutPrefix(path, element); ok && (element != "" || rest[0] != '[') {
			out[rest] = at
		}
	}
	return out
}

// reindex forgets the changes of elements whose index uses a variable, which has
// got another value.
func (c changed) reindex(info *types.Info, v *types.Var) {
	for path, at := range c {
		index := indexIn(at)
		if index == nil {
			continue
		}
		ast.Inspect(index.Index, func(n ast.Node) bool {
			if ident, ok := n.(*ast.Ident); ok && info.ObjectOf(ident) == v {
				delete(c, path)
			}
			return true
		})
	}
}

// indexIn returns the element of a slice that a selector starts from, or nil.
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

// pathAfter returns the path of the field that a selector reaches from an
// element of a slice.
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

// documentOf returns the element of a slice or of a page, and any other type itself.
func documentOf(t types.Type) types.Type {
	if page := pageOf(t); page != nil {
		return page
	}
	if slice, ok := t.Underlying().(*types.Slice); ok {
		return slice.Elem()
	}
	return t
}

// pageOf returns the element of a page of documents, nil for another type.
func pageOf(t types.Type) types.Type {
	page, _ := types.Unalias(t).(*types.Named)
	if page == nil || !isOf(page, modulePath+"/documents", "Page") || page.TypeArgs().Len() != 1 {
		return nil
	}
	return types.NewPointer(page.TypeArgs().At(0))
}
