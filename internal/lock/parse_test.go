package lock

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const good = `version 2

container a
	path /pk
	kind Hash
	version 2
	type A {a}-{b} escape

container b
	path /x,/y
	kind MultiHash
	version 2
	ttl 60
	type B {x},{y} values=string,number
		component x text
		property /x string

end
`

func TestParseErrors(t *testing.T) {
	cut := func(at string) (before, after string) {
		before, after, ok := strings.Cut(good, at)
		if !ok {
			t.Fatalf("no %q", at)
		}
		return before, after
	}
	replace := func(part, other string) string {
		before, after := cut(part)
		return before + other + after
	}
	until := func(part string) string {
		before, _ := cut(part)
		return before
	}
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", `line 1: the file is cut off`},
		{"only the heading", heading, `line 3: the file is cut off`},
		{"only the version", "version 2\n", `line 1: the file is cut off`},
		{"binary", "\x7fELF\x00\x01\n", `line 1: "\x7fELF\x00\x01" must be in quotes`},
		{"another file", "package x\n", `line 1: "package x" is not the "version 3" of the file`},
		{"future", replace("version 2", "version 4"), `line 1: the file has version 4, and this pkgen reads versions 2 and 3: use the pkgen that wrote it`},
		{"far future", replace("version 2", "version 17"), `line 1: the file has version 17`},
		{"past", replace("version 2", "version 1"), `line 1: the file has version 1, and this pkgen reads versions 2 and 3: use the pkgen that wrote it`},
		{"version zero", replace("version 2", "version 0"), `line 1: "0" is not a version of the file: this pkgen reads versions 2 and 3`},
		{"version in words", replace("version 2", "version one"), `line 1: "one" is not a version of the file`},
		{"version with a zero", replace("version 2", "version 01"), `line 1: "01" is not a version of the file`},
		{"ours", replace("\ttype A", "<<<<<<< HEAD\n\ttype A"), `line 7: merge marker "<<<<<<<"`},
		{"base", replace("\ttype A", "||||||| 12ab\n\ttype A"), `line 7: merge marker "|||||||"`},
		{"middle", replace("\ttype A", "=======\r\n\ttype A"), `line 7: merge marker "======="`},
		{"theirs", replace("end", ">>>>>>> branch\nend"), `line 18: merge marker ">>>>>>>"`},
		{"marker after garbage", "garbage\n<<<<<<< HEAD\n", `line 2: merge marker`},
		{"cut in a line", until("-{b}"), `line 7: the file is cut off`},
		{"cut after a line", until("container b"), `line 8: the file is cut off`},
		{"cut before the last line break", strings.TrimSuffix(good, "\n"), `line 18: the file is cut off`},
		{"no end", replace("\nend\n", ""), `line 16: the file is cut off`},
		{"after the end", good + "container c\n", `line 19: text after the line "end"`},
		{"unknown word", replace("kind Hash", "sort Hash"), `line 5: "sort" is not a word that begins a line`},
		{"too few words", replace("type A {a}-{b} escape", "type A"), `line 7: "type" is followed by 2 words, and not by 1`},
		{"too many words", replace("path /pk", "path /pk /x"), `line 4: "path" is followed by 1 words, and not by 2`},
		{"empty word", replace("container a", `container ""`), `line 3: "container" is followed by an empty text`},
		{"open quote", replace("container a", `container "a`), `line 3: the quoted text is not closed`},
		{"text after a quote", replace("container a", `container "a"b`), `line 3: a quoted text is followed by "b"`},
		{"before a container", replace("container a\n", ""), `line 3: "path" comes before the first container`},
		{"two paths", replace("kind Hash", "path /x"), `line 5: "path" appears twice`},
		{"two kinds", replace("kind Hash", "kind Hash\nkind Hash"), `line 6: "kind" appears twice`},
		{"two versions", replace("kind Hash\n\tversion 2", "kind Hash\n\tversion 2\nversion 2"), `line 7: "version" appears twice`},
		{"no version", replace("kind Hash\n\tversion 2", "kind Hash\n\tversion two"), `line 6: "two" is not a version`},
		{"negative version", replace("kind Hash\n\tversion 2", "kind Hash\n\tversion -2"), `line 6: "-2" is not a version`},
		{"lacks a path", replace("\tpath /pk\n", ""), `line 6: container "a" lacks its path, kind or version`},
		{"no type", replace("\ttype A {a}-{b} escape\n", ""), `line 8: container "a" has no type`},
		{"no type at the end", replace("\ttype B {x},{y} values=string,number\n\t\tcomponent x text\n\t\tproperty /x string\n", ""), `line 15: container "b" has no type`},
		{"two containers", replace("container b", "container a"), `line 9: container "a" is in line 3 already`},
		{"two types", replace("type B", "type A"), `line 14: type A is in line 7 already`},
		{"no layout", replace("{a}-{b}", "a-b"), `line 7: "a-b" is not a layout`},
		{"word after the layout", replace("escape", "escaped"), `line 7: "escaped" does not follow a layout`},
		{"words after the layout", replace("values=string,number", "number number"), `line 14: "number" does not follow a layout`},
		{"a word without a value", replace("escape", "as a"), `line 7: "as" does not follow a layout`},
		{"a word twice", replace("escape", "escape escape"), `line 7: "escape" does not follow a layout`},
		{"a value twice", replace("escape", "as=a as=b"), `line 7: "as=b" does not follow a layout`},
		{"a value where there is none", replace("escape", "escape=yes"), `line 7: "escape=yes" does not follow a layout`},
		{"no value", replace("escape", "as="), `line 7: "as=" does not follow a layout`},
		{"a later word", replace("escape", "before=100"), `line 7: "before=100" does not follow a layout`},
		{"a draft that is gone", replace("escape", "draft gone"), `line 7: type A is both a draft and gone`},
		{"values that say nothing", replace("values=string,number", "values=string,string"), `line 14: "values=string,string" does not follow`},
		{"no time to live", replace("ttl 60", "ttl 0"), `line 13: "0" is not a time to live`},
		{"two times to live", replace("ttl 60", "ttl 60\nttl 60"), `line 14: "ttl" appears twice`},
		{"a time to live after a type", replace("\tcomponent", "ttl 60\n\tcomponent"), `line 15: "ttl" comes after a type`},
		{"no conflict path", replace("ttl 60", "conflict at"), `line 13: "at" is not the path of a property`},
		{"two conflict paths", replace("ttl 60", "conflict /at\nconflict /at"), `line 14: "conflict" appears twice`},
		{"a conflict path after a type", replace("\tcomponent", "conflict /at\n\tcomponent"), `line 15: "conflict" comes after a type`},
		{"a component before a type", replace("\ttype B", "component x text\n\ttype B"), `line 14: "component" comes before the first type`},
		{"a component without a kind", replace("component x text", "component x"), `line 15: "component" is followed by 2 words, and not by 1`},
		{"a component at no place", replace("component x text", "component x text x"), `line 15: "x" is not where a property is stored`},
		{"a component that is not stored", replace("component x text", "component x text -"), `line 15: "-" is not where`},
		{"a component with more words", replace("component x text", "component x text /x /x"), `line 15: "component" is followed by 2 words, and not by 4`},
		{"a property at no place", replace("property /x string", "property /x string x"), `line 16: "x" is not where a property is stored`},
		{"a component twice", replace("component x text", "component x text\ncomponent x int"), `line 16: component "x" appears twice in type B`},
		{"a property twice", replace("property /x string", "property /x string\nproperty /x number"), `line 17: property "/x" appears twice in type B`},
		{"a property without a pointer", replace("property /x", "property x"), `line 16: "x string" is not a property`},
		{"a property of no kind", replace("/x string", "/x text"), `line 16: "/x text" is not a property`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := Parse([]byte(tt.text))
			if err == nil {
				t.Fatalf("got %v", l)
			}
			if !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %q, want %q", err, tt.want)
			}
		})
	}
}

// TestParseByteOrderMark has the mark named, which nobody sees in the file.
func TestParseByteOrderMark(t *testing.T) {
	_, err := Parse([]byte("\ufeff" + good))
	if err == nil || err.Line != 1 || !strings.Contains(err.Message, "byte order mark") {
		t.Errorf("got %v", err)
	}
}

// TestParseCutOff cuts a file off everywhere.
func TestParseCutOff(t *testing.T) {
	for n := range len(good) {
		if _, err := Parse([]byte(good[:n])); err == nil {
			t.Errorf("%q: no error", good[:n])
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(heading + good))
	f.Add([]byte(strings.ReplaceAll(good, "\n", "\r\n")))
	f.Add([]byte(strings.ReplaceAll(good, "escape", "escape \"as=a b\" draft")))
	f.Add([]byte("version 2\ncontainer \"a b\"\npath /p\nkind Hash\nversion 2\ntype T \"{a} \\u00a0{b}\" escape\nend\n"))
	f.Add([]byte("version 2\ncontainer \xff\n"))
	f.Add([]byte("version 2\ncontainer a\npath /p\nkind Hash\nversion 2\ntype A {d}.{v%400} was=200,100 next=800\nend\n"))
	f.Add(sealedLock.Format())
	f.Add([]byte("<<<<<<< HEAD\nversion 3\n=======\nversion 2\n>>>>>>> x\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := Parse(text)
		if err != nil {
			if l != nil || err.Line < 1 || err.Line > bytes.Count(text, []byte("\n"))+1 {
				t.Errorf("got %v, %v", l, err)
			}
			return
		}
		if _, _, found := l.Conflict(); found {
			t.Errorf("one container is defined twice: %v", l)
		}
		formatted := l.Format()
		again, err := Parse(formatted)
		if err != nil {
			t.Fatalf("%s\n%v", formatted, err)
		}
		if diff := cmp.Diff(l.sorted(), again); diff != "" {
			t.Errorf("-first +second:\n%s", diff)
		}
		if diff := cmp.Diff(formatted, again.Format()); diff != "" {
			t.Errorf("-first +second:\n%s", diff)
		}
	})
}
