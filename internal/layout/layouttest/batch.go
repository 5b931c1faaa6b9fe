package layouttest

import "strconv"

// strconvBatch writes the number of a batch.
func strconvBatch(n int) []byte { return strconv.AppendInt([]byte("b"), int64(n), 10) }

// parseBatch reads the number of a batch.
func parseBatch(text []byte) (int, error) {
	if len(text) == 0 {
		return 0, strconv.ErrSyntax
	}
	return strconv.Atoi(string(text[1:]))
}
