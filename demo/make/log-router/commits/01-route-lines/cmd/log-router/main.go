// Command log-router reads logfmt lines from standard input and writes what each sink keeps as JSON lines.
package main

import (
	"bufio"
	"fmt"
	"os"

	logrouter "example.com/log-router"
)

const keptPerSink = 2000

func main() {
	rules := []logrouter.Rule{
		{Level: "error", Sink: "pager"},
		{ServicePrefix: "pay", Sink: "audit"},
		{Sink: "archive"},
	}
	sinks := map[string]*logrouter.Buffer{}
	scanner := bufio.NewScanner(os.Stdin)
	for scanner.Scan() {
		line, err := logrouter.ParseLine(scanner.Text())
		if err != nil {
			continue
		}
		for _, sink := range logrouter.Route(line, rules) {
			if sinks[sink] == nil {
				sinks[sink] = logrouter.NewBuffer(keptPerSink)
			}
			sinks[sink].Push(line)
		}
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, name := range []string{"pager", "audit", "archive"} {
		if buffer := sinks[name]; buffer != nil {
			buffer.Flush(func(line logrouter.Line) { fmt.Fprintln(out, name, logrouter.Encode(line)) })
		}
	}
}
