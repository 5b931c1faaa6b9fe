package goldentest

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestModelTextHasAll fills a model, changes each value in it, one after the
// other, and expects another text each time: what the text leaves out, no golden
// case would see.
func TestModelTextHasAll(t *testing.T) {
	var model templates.Type
	filled := 0
	fill(reflect.ValueOf(&model).Elem(), 0, &filled)
	before := string(ModelText(&model))
	changed := 0
	change(reflect.ValueOf(&model).Elem(), "Type", func(path string) {
		changed++
		if string(ModelText(&model)) == before {
			t.Errorf("the text does not tell of %s", path)
		}
	})
	if changed < 150 {
		t.Errorf("%d values have been changed", changed)
	}
}

// deepest is how often types that hold themselves are filled.
const deepest = 8

// fill gives each value within v one that is not zero, and each text another one.
func fill(v reflect.Value, depth int, n *int) {
	switch v.Kind() {
	case reflect.String:
		*n++
		v.SetString("x" + strconv.Itoa(*n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(1)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), depth+1, n)
		}
	case reflect.Pointer:
		if depth < deepest {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth+1, n)
		}
	case reflect.Slice:
		if depth < deepest {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), depth+1, n)
		}
	}
}

// change calls see with each value within v changed to another one.
func change(v reflect.Value, path string, see func(path string)) {
	old := reflect.New(v.Type()).Elem()
	old.Set(v)
	try := func(value any) {
		v.Set(reflect.ValueOf(value).Convert(v.Type()))
		see(path)
		v.Set(old)
	}
	switch v.Kind() {
	case reflect.String:
		try("y")
		try("")
	case reflect.Bool:
		try(false)
	case reflect.Int:
		try(2)
		try(0)
	case reflect.Struct:
		for i := range v.NumField() {
			change(v.Field(i), path+"."+v.Type().Field(i).Name, see)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			if _, own := v.Interface().(*templates.Type); own {
				change(v.Elem().FieldByName("Name"), path+".Name", see)
			} else {
				change(v.Elem(), path, see)
			}
			v.SetZero()
			see(path + " without value")
			v.Set(old)
		}
	case reflect.Slice:
		if v.Len() > 0 {
			change(v.Index(0), path+"[0]", see)
			v.SetZero()
			see(path + " without elements")
			v.Set(old)
			v.Set(reflect.Append(v, v.Index(0)))
			see(path + " with one element more")
			v.Set(old)
		}
	}
}
