//go:build unix

package screen

import (
	"os"

	"golang.org/x/sys/unix"
)

// size asks a terminal for its width; 0 if it does not say.
func size(f *os.File) int {
	got, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(got.Col)
}
