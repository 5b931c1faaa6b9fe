package server

import (
	"slices"
	"strconv"
)

// feedBody writes a page. The resource id and the name need no escapes.
func feedBody(rid, name string, rows [][]byte) []byte {
	size := 64
	for _, row := range rows {
		size += len(row) + 1
	}
	b := make([]byte, 0, size)
	b = append(b, `{"_rid":"`+rid+`","`+name+`":[`...)
	for i, row := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, row...)
	}
	b = append(b, `],"_count":`...)
	b = strconv.AppendInt(b, int64(len(rows)), 10)
	return slices.Clip(append(b, '}'))
}
