package source

import (
	"go/parser"
	"go/token"
	"testing"
)

func TestConstraintOf(t *testing.T) {
	for _, tt := range []struct{ path, text, want string }{
		{"event.go", "package x\n", ""},
		{"event.go", "//go:build linux\n\npackage x\n", "linux"},
		{"event.go", "// Copyright.\n\n//go:build (linux && cgo)||darwin\n\npackage x\n", "(linux && cgo) || darwin"},
		{"event_linux.go", "package x\n", "linux"},
		{"event_amd64_test.go", "package x\n", "amd64"},
		{"event_windows_arm64_test.go", "package x\n", "windows && arm64"},
		{"event_windows_arm64.go", "//go:build cgo || !race\n\npackage x\n", "(cgo || !race) && windows && arm64"},
		{"event_arm64_windows.go", "package x\n", "windows"},
		{"linux.go", "package x\n", ""},
		{"event_unix.go", "package x\n", ""},
		{"event_test.go", "package x\n", ""},
		{"event.go", "package x\n\n//go:build linux\n", ""},
		{"event.go", "//go:build ((\n\npackage x\n", ""},
	} {
		syntax, err := parser.ParseFile(token.NewFileSet(), tt.path, tt.text, ParseMode)
		if err != nil {
			t.Fatal(err)
		}
		f := &File{Path: "/folder_linux/" + tt.path, Text: []byte(tt.text), Syntax: syntax}
		if got := ConstraintOf(f); got != tt.want {
			t.Errorf("%s, %q: got %q, want %q", tt.path, tt.text, got, tt.want)
		}
	}
}
