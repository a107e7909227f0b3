// Package logrouter reads logfmt lines and sends each to the sinks whose rules it matches.
package logrouter

import (
	"errors"
	"strings"
)

// Line is one log line: its fields by key.
type Line struct {
	Fields map[string]string
}

// ErrNoFields is returned for a line without any key=value.
var ErrNoFields = errors.New("logrouter: no fields in the line")

// ParseLine reads `level=warn service=cart msg="took long"`.
func ParseLine(text string) (Line, error) {
	line := Line{Fields: map[string]string{}}
	rest := strings.TrimSpace(text)
	for rest != "" {
		key, after, found := strings.Cut(rest, "=")
		if !found {
			break
		}
		value := ""
		if strings.HasPrefix(after, `"`) {
			value, rest, _ = strings.Cut(after[1:], `"`)
		} else {
			value, rest, _ = strings.Cut(after, " ")
		}
		line.Fields[strings.TrimSpace(key)] = value
	}
	if len(line.Fields) == 0 {
		return Line{}, ErrNoFields
	}
	return line, nil
}
