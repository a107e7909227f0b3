// Command log-router reads a file of logfmt lines and writes what each sink keeps as JSON lines.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"

	logrouter "example.com/log-router"
)

const keptPerSink = 2000

func main() {
	input := flag.String("input", "/dev/stdin", "file of log lines")
	flag.Parse()
	file, err := os.Open(*input)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	rules := []logrouter.Rule{
		{Level: "error", Sink: "pager"},
		{ServicePrefix: "pay", Sink: "audit"},
		{Sink: "archive"},
	}
	sinks := map[string]*logrouter.Buffer{}
	scanner := bufio.NewScanner(file)
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
