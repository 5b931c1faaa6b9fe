package model

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// upgradeMethod converts documents of earlier forms to the current one.
const upgradeMethod = "Upgrade"

// downgradeMethod converts documents of the next form back.
const downgradeMethod = "Downgrade"

// schema returns the field with the number of a document's stored form, or nil. The rest of r must
// be complete.
func (k *key) schema(r *templates.Type) *templates.Schema {
	t := k.filled(r, "schema", "the schema number", func(t *facts.Tagged) bool { return t.Schema > 0 },
		func(t *facts.Tagged) string {
			return k.noSchemaNumber(t.Ref.Field().Type(), max(t.Schema, t.Upcoming))
		})
	if t == nil {
		return nil
	}
	pos := t.Word("schema")
	if t.Schema > 1 && !k.upgrades(t.Schema, pos) {
		return nil
	}
	if t.Upcoming > 0 && !k.announces(t.Upcoming, t.Word("next")) {
		return nil
	}
	f, ok := k.field(t.Ref, pk.Int, pos)
	if !ok {
		return nil
	}
	return &templates.Schema{Field: f, Number: t.Schema, Next: t.Upcoming}
}

// noSchemaNumber returns why a type cannot hold a number, or "".
func (k *key) noSchemaNumber(t types.Type, n int) string {
	const remedy = "; declare it as an int"
	basic, ok := t.Underlying().(*types.Basic)
	if !ok {
		return "it is of type " + k.TypeString(t) + remedy
	}
	if reason := k.noInteger(t); reason != "" {
		return reason + remedy
	}
	if most, small := map[types.BasicKind]int{types.Int8: 127, types.Uint8: 255, types.Int16: 32767, types.Uint16: 65535}[basic.Kind()]; small && n > most {
		return fmt.Sprintf("it is of type %s, which ends at %d%s", k.TypeString(t), most, remedy)
	}
	return ""
}

// upgrades reports whether the type has the method that converts documents of forms before n, and
// reports what is wrong if it does not.
func (k *key) upgrades(n int, pos token.Position) bool {
	earlier := "form 1"
	if n > 2 {
		earlier = fmt.Sprintf("forms 1 to %d", n-1)
	}
	reason, want := k.noConversion(upgradeMethod)
	if reason == "" {
		return true
	}
	k.Errorf(pos, "documents of %s of %s may be stored, and %s: write %s, which sets what has changed; to number the present form, write \"schema=1\"", earlier, k.Name(), reason, want)
	return false
}

// announces reports whether the type can read documents of form n, which the next release writes,
// and reports what is wrong if it cannot.
func (k *key) announces(n int, pos token.Position) bool {
	reason, want := k.noConversion(downgradeMethod)
	if reason == "" {
		return true
	}
	k.Errorf(pos, "programs of the next release store documents of form %d of %s, and %s: write %s, which sets what has another meaning there", n, k.Name(), reason, want)
	return false
}

// noConversion returns why the type lacks a conversion from other forms, or "", and the method that
// it needs.
func (k *key) noConversion(name string) (reason, want string) {
	want = fmt.Sprintf("func (*%s) %s(from int, doc json.RawMessage) error", k.Name(), name)
	object, index, _ := types.LookupFieldOrMethod(types.NewPointer(k.Named), true, k.Unit.Types, name)
	method, ok := object.(*types.Func)
	switch {
	case !ok:
		reason = "the type has no method " + name
	case len(index) > 1:
		reason = "the method " + name + " is promoted from an embedded type, and counts the forms of that type"
	case !isUpgrade(method):
		reason = "the method " + name + " has another signature"
	}
	return reason, want
}

// isUpgrade reports whether a method is func (*T) Upgrade(from int, doc json.RawMessage)
// error.
func isUpgrade(method *types.Func) bool {
	s := method.Signature()
	if _, pointer := types.Unalias(s.Recv().Type()).(*types.Pointer); !pointer || s.Variadic() || s.Params().Len() != 2 || s.Results().Len() != 1 {
		return false
	}
	return types.Identical(s.Params().At(0).Type(), types.Typ[types.Int]) &&
		facts.IsNamed(s.Params().At(1).Type(), "encoding/json", "RawMessage") &&
		types.Identical(s.Results().At(0).Type(), types.Universe.Lookup("error").Type())
}
