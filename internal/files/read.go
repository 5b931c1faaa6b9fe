package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MaxSize is the maximum size of a file in bytes: 32 MiB. It is a hundred times the largest source
// of the Go distribution, and a syntax tree takes some thirty times the memory of its text.
const MaxSize = 32 << 20

// ErrOdd matches errors about special files and files that are too large.
var ErrOdd = errors.New("not an ordinary file")

type oddError string

func (e oddError) Error() string   { return string(e) }
func (oddError) Is(err error) bool { return err == ErrOdd }

// Read returns the content of a file, following symbolic links. Every error is a *fs.PathError. A
// special file, and a file of more than MaxSize bytes, is an error that matches ErrOdd; it is not
// read.
func Read(path string) ([]byte, error) {
	if err := Check(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path) //nolint:gosec // the caller names the files that it works with
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, MaxSize+1))
	if closed := file.Close(); err == nil {
		err = closed
	}
	switch {
	case err != nil:
		return nil, err
	case len(text) > MaxSize: // it is growing
		return nil, odd(path, tooLarge(int64(len(text))))
	}
	return text, nil
}

// ReadIfThere returns the content of a file, or nil if it does not exist.
func ReadIfThere(path string) ([]byte, error) {
	text, err := Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case text == nil:
		text = []byte{}
	}
	return text, nil
}

// Check returns the error that Read would return before reading: path cannot be found, or it
// matches ErrOdd. A folder is not an error.
func Check(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if what := kind(info); what != "" {
		return odd(path, what)
	}
	return nil
}

func odd(path, what string) error {
	return &fs.PathError{Op: "read", Path: path, Err: oddError(what)}
}

// kind returns the kind of a special file, or "".
func kind(info fs.FileInfo) string {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return "" // reading it returns an error
	case mode&fs.ModeNamedPipe != 0:
		return "it is a named pipe, which has no end: put a file in its place"
	case mode&fs.ModeSocket != 0:
		return "it is a socket, which cannot be read: put a file in its place"
	case mode&(fs.ModeDevice|fs.ModeCharDevice) != 0:
		return "it is a device, which has no end: put a file in its place"
	case !mode.IsRegular():
		return "it is no ordinary file: put one in its place"
	case info.Size() > MaxSize:
		return tooLarge(info.Size())
	}
	return ""
}

func tooLarge(size int64) string {
	return fmt.Sprintf("it has %d bytes, and no more than %d are read, since no source is as long: remove what it holds by mistake, or split it", size, MaxSize)
}
