package logrouter

import (
	"sort"
	"strconv"
	"strings"
)

// Encode writes a line as one JSON object, keys in order.
func Encode(line Line) string {
	keys := make([]string, 0, len(line.Fields))
	size := 2
	for key, value := range line.Fields {
		keys = append(keys, key)
		size += len(key) + len(value) + 6
	}
	sort.Strings(keys)
	var text strings.Builder
	text.Grow(size)
	text.WriteByte('{')
	for index, key := range keys {
		if index > 0 {
			text.WriteByte(',')
		}
		text.WriteString(strconv.Quote(key))
		text.WriteByte(':')
		text.WriteString(strconv.Quote(line.Fields[key]))
	}
	text.WriteByte('}')
	return strings.ToValidUTF8(text.String(), "?")
}
