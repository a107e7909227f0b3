package logrouter

import "strings"

// Rule sends lines to a sink when level and service match; an empty word matches all.
type Rule struct {
	Level         string
	ServicePrefix string
	Sink          string
}

// Route returns the sinks of a line, in the order of the rules.
func Route(line Line, rules []Rule) []string {
	var sinks []string
	for _, rule := range rules {
		if rule.Level != "" && rule.Level != line.Fields["level"] {
			continue
		}
		if strings.HasPrefix(line.Fields["service"], rule.ServicePrefix) {
			sinks = append(sinks, rule.Sink)
		}
	}
	return sinks
}
