package query_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
)

type (
	outer struct {
		*inner
		Named  inner2 `json:"named"`
		Both   int    `json:"both,omitempty"`
		Plain  int
		Hidden int `json:"-"`
		own    int
	}
	inner struct {
		*outer
		Deep int `json:"a/b"`
		Both int `json:"both"`
	}
	inner2 struct{ Left int }
)

func TestColumnsOf(t *testing.T) {
	got, err := query.ColumnsOf(reflect.TypeFor[outer]())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`c["a/b"]`, `c["both"]`, `c["named"]`, `c["Plain"]`}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	_ = outer{own: 1}.inner
	_ = inner{}.outer
}
