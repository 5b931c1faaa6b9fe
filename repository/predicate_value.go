package repository

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// compareField returns the predicate that test holds for a field and values of
// the field's JSON type. Zero says whether test is true of V's zero value. Method
// is for errors.
func compareField[D, V any](field, method, test string, zero bool, values ...V) Predicate[D] {
	c := &predicate.Comparison{Field: field, Test: test, Zero: zero}
	for _, v := range values {
		data, typed, err := predicate.Encode(&v)
		switch {
		case err != nil:
		case typed == text.IsNull:
			err = errors.New("null compares with nothing: use IsNull")
		case c.Typed != "" && c.Typed != typed:
			err = errors.New("the values are of different types in JSON: join an Eq for each with Or")
		}
		if err != nil {
			return fails[D](field, method, err)
		}
		c.Typed = typed
		c.Values = append(c.Values, data)
	}
	return Predicate[D]{c}
}

// different returns the predicate that a field has a value other than v.
func different[D any, V comparable](field string, v V) Predicate[D] {
	var zero V
	p := compareField[D](field, "Ne", "$ != @", v != zero, v)
	if c, ok := p.condition.(*predicate.Comparison); ok {
		c.Strict = true
	}
	return p
}

// among returns the predicate that a field has one of the values.
func among[D any, V comparable](field string, values []V) Predicate[D] {
	if len(values) == 0 {
		return Or[D]()
	}
	var zero V
	test := "$ IN (@" + strings.Repeat(", @", len(values)-1) + ")"
	return compareField[D](field, "In", test, slices.Contains(values, zero), values...)
}

// testOf returns the predicate that test holds for a field. The test is true or
// false for every value, and never undefined.
func testOf[D any](field, test string) Predicate[D] {
	return Predicate[D]{&predicate.Comparison{Field: field, Test: test}}
}

func definedTest[D any](field string) Predicate[D] { return testOf[D](field, "IS_DEFINED($)") }

func nullTest[D any](field string) Predicate[D] { return testOf[D](field, text.IsNull+"($)") }

// fails returns an invalid predicate with the error of a field's method.
func fails[D any](field, method string, err error) Predicate[D] {
	return Predicate[D]{predicate.Invalid{Err: fmt.Errorf("field %q: %s: %w", field, method, err)}}
}
