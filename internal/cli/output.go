package cli

import (
	"io"
	"os"
)

// output is standard output. It remembers the first error, so that a command
// whose result is lost does not pass for done.
type output struct {
	to  io.Writer
	err error
}

// Write writes to standard output.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// IsTerminal reports whether somebody looks at w.
func IsTerminal(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.to
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
