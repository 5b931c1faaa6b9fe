package cli

import (
	"io"
	"os"
)

// Output is standard output. It remembers the first error, so that a command
// whose result is lost does not pass for done.
type Output struct {
	To  io.Writer
	Err error
}

// Write writes to standard output.
func (o *Output) Write(p []byte) (int, error) {
	n, err := o.To.Write(p)
	if o.Err == nil {
		o.Err = err
	}
	return n, err
}

// IsTerminal reports whether somebody looks at w.
func IsTerminal(w io.Writer) bool {
	if o, ok := w.(*Output); ok {
		w = o.To
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
