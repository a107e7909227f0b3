package logrouter

import (
	"sort"
	"strconv"
	"strings"
)

// Encode writes a line as one JSON object, keys in order.
func Encode(line Line) string {
	keys := make([]string, 0, len(line.Fields))
	for key := range line.Fields {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	text := "{"
	for index, key := range keys {
		if index > 0 {
			text += ","
		}
		text += strconv.Quote(key) + ":" + strconv.Quote(line.Fields[key])
	}
	return strings.ToValidUTF8(text, "?") + "}"
}
