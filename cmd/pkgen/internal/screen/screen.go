// Package screen knows what a terminal shows: how wide it is, and which characters it
// has.
package screen

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// usual is the width of a terminal that does not say it, and most the width beyond which
// charts are not easier to read.
const (
	usual = 80
	most  = 160
)

// Columns returns the width of a terminal: what the terminal says, or the variable
// COLUMNS, or 80; at most 160.
func Columns(f *os.File) int {
	n := size(f)
	if n <= 0 {
		n, _ = strconv.Atoi(os.Getenv("COLUMNS"))
	}
	if n <= 0 {
		n = usual
	}
	return min(n, most)
}

// ASCII reports whether only ASCII is safe: in another locale than one of UTF-8, by the
// variables of POSIX, or on a dumb terminal. Windows has no such variables, and shows
// UTF-8.
func ASCII() bool {
	if os.Getenv("TERM") == "dumb" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(os.Getenv(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return runtime.GOOS != "windows"
}
