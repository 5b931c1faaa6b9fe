package screen_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/screen"
)

func TestColumns(t *testing.T) {
	file, err := os.Open(os.DevNull) // which is no terminal
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	for columns, want := range map[string]int{"": 80, "100": 100, "1000": 160, "x": 80, "-3": 80} {
		t.Setenv("COLUMNS", columns)
		if got := screen.Columns(file); got != want {
			t.Errorf("with COLUMNS=%s the width is %d, want %d", columns, got, want)
		}
	}
}

func TestASCII(t *testing.T) {
	for _, test := range []struct {
		term, all, ctype, lang string
		want                   bool
	}{
		{"xterm", "", "", "en_US.UTF-8", false},
		{"xterm", "C", "", "en_US.UTF-8", true},
		{"xterm", "", "de_DE.utf8", "C", false},
		{"xterm", "", "", "", runtime.GOOS != "windows"},
		{"dumb", "", "", "en_US.UTF-8", true},
	} {
		t.Setenv("TERM", test.term)
		t.Setenv("LC_ALL", test.all)
		t.Setenv("LC_CTYPE", test.ctype)
		t.Setenv("LANG", test.lang)
		if got := screen.ASCII(); got != test.want {
			t.Errorf("%+v: got %t", test, got)
		}
	}
}
