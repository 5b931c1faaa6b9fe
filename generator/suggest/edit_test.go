package suggest

import (
	"strings"
	"testing"
)

func TestApply(t *testing.T) {
	pk := []Tag{{Field: "B", Words: "pk"}}
	stored := []Tag{{Field: "Stored", Words: "synthetic", New: true}}
	blank := []Tag{{Field: "_", Words: "methods=none", New: true}}
	for _, tt := range []struct {
		name         string
		tags         []Tag
		generate     bool
		source, want string
	}{
		{
			"aligned", pk, false,
			"package x\n\n// T is one.\ntype T struct {\n\tA string `json:\"a\"`          // first\n\tB string `json:\"b\" bson:\"b\"` // second\n}\n",
			"package x\n\n// T is one.\ntype T struct {\n\tA string `json:\"a\"`                      // first\n\tB string `json:\"b\" bson:\"b\" cosmos:\"pk\"` // second\n}\n",
		},
		{"without a tag", pk, false, "package x\n\ntype T struct {\n\tB string // b\n}\n", "package x\n\ntype T struct {\n\tB string `cosmos:\"pk\"` // b\n}\n"},
		{"empty tag", pk, false, "package x\n\ntype T struct {\n\tB string ``\n}\n", "package x\n\ntype T struct {\n\tB string `cosmos:\"pk\"`\n}\n"},
		{
			"interpreted string", pk, false,
			"package x\n\ntype T struct {\n\tB string \"json:\\\"b\\\"\"\n}\n",
			"package x\n\ntype T struct {\n\tB string \"json:\\\"b\\\" cosmos:\\\"pk\\\"\"\n}\n",
		},
		{
			"not formatted", pk, false,
			"package x\ntype T struct { A int;  B string `json:\"b\"` }\n",
			"package x\ntype T struct { A int;  B string `json:\"b\" cosmos:\"pk\"` }\n",
		},
		{
			"among others", pk, false,
			"package x\n\ntype (\n\tU struct {\n\t\tB int\n\t}\n\tT struct {\n\t\tB int\n\t}\n)\n",
			"package x\n\ntype (\n\tU struct {\n\t\tB int\n\t}\n\tT struct {\n\t\tB int `cosmos:\"pk\"`\n\t}\n)\n",
		},
		{
			"new field", stored, false,
			"package x\n\ntype T struct {\n\tB int /* a\n\tb */\n}\n",
			"package x\n\ntype T struct {\n\tB int /* a\n\tb */\n\tStored string `json:\"partitionKey\" cosmos:\"synthetic\"`\n}\n",
		},
		{
			"new field on the line", stored, false,
			"package x\n\ntype T struct{ B int }\n",
			"package x\n\ntype T struct {\n\tB      int\n\tStored string `json:\"partitionKey\" cosmos:\"synthetic\"`\n}\n",
		},
		{
			"blank field", blank, false,
			"package x\n\ntype T struct { // of x\n\t// B is b.\n\tB int\n}\n",
			"package x\n\ntype T struct { // of x\n\t_ struct{} `cosmos:\"methods=none\"`\n\t// B is b.\n\tB int\n}\n",
		},
		{
			"blank field on the line", blank, false,
			"package x\n\ntype T struct{ B int }\n",
			"package x\n\ntype T struct {\n\t_ struct{} `cosmos:\"methods=none\"`\n\tB int\n}\n",
		},
		{
			"directive", pk, true,
			"// Package x is.\npackage x // yes\n\nimport \"time\"\n\ntype T struct {\n\tB time.Time\n}\n",
			"// Package x is.\npackage x // yes\n\n//go:generate go tool pkgen\n\nimport \"time\"\n\ntype T struct {\n\tB time.Time `cosmos:\"pk\"`\n}\n",
		},
		{
			"carriage returns", stored, true,
			"package x\r\n\r\ntype T struct {\r\n\tB int // b\r\n}\r\n",
			"package x\r\n\r\n//go:generate go tool pkgen\r\n\r\ntype T struct {\r\n\tB      int    // b\r\n\tStored string `json:\"partitionKey\" cosmos:\"synthetic\"`\r\n}\r\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := apply("x.go", []byte(tt.source), []Proposal{{Type: "T", Key: Key{Tags: tt.tags}}}, tt.generate)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestApplyBroken(t *testing.T) {
	_, err := apply("x.go", []byte("package x\n\ntype T struct {"), nil, false)
	if err == nil || !strings.Contains(err.Error(), "does not parse, correct it first: x.go:3:16") {
		t.Errorf("got %v", err)
	}
}
