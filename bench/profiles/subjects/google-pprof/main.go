// What google/pprof's library takes for a file: decoded, as a call tree of functions, and the ten with most self value.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/pprof/profile"
)

type node struct {
	parent   int32
	function int32
	self     int64
	total    int64
}

type row struct {
	name        string
	self, total int64
}

// The same tree that ours is: inlined calls are nodes, and the last sample type is counted.
func callTree(p *profile.Profile) []node {
	nodes := []node{{parent: -1}}
	children := map[uint64]int32{}
	last := len(p.SampleType) - 1
	for _, sample := range p.Sample {
		at := int32(0)
		for l := len(sample.Location) - 1; l >= 0; l-- {
			lines := sample.Location[l].Line
			for i := len(lines) - 1; i >= 0; i-- {
				function := int32(lines[i].Function.ID)
				key := uint64(at)<<32 | uint64(function)
				child, known := children[key]
				if !known {
					child = int32(len(nodes))
					nodes = append(nodes, node{parent: at, function: function})
					children[key] = child
				}
				at = child
			}
		}
		nodes[at].self += sample.Value[last]
	}
	for i := range nodes {
		nodes[i].total = nodes[i].self
	}
	for i := len(nodes) - 1; i > 0; i-- {
		nodes[nodes[i].parent].total += nodes[i].total
	}
	return nodes
}

func top(p *profile.Profile, nodes []node) []row {
	rows := make([]row, len(p.Function)+1)
	for _, function := range p.Function {
		rows[function.ID].name = function.Name
	}
	for i := 1; i < len(nodes); i++ {
		function := nodes[i].function
		rows[function].self += nodes[i].self
		// A function that calls itself counts once.
		outer := nodes[i].parent
		for outer > 0 && nodes[outer].function != function {
			outer = nodes[outer].parent
		}
		if outer <= 0 {
			rows[function].total += nodes[i].total
		}
	}
	sort.Slice(rows, func(a, b int) bool {
		if rows[a].self != rows[b].self {
			return rows[a].self > rows[b].self
		}
		if rows[a].total != rows[b].total {
			return rows[a].total > rows[b].total
		}
		return rows[a].name < rows[b].name
	})
	return rows[:10]
}

func main() {
	started := time.Now()
	before := cpu()
	bytes, err := os.ReadFile(os.Args[1])
	check(err)
	p, err := profile.ParseData(bytes)
	check(err)
	nodes := callTree(p)
	rows := top(p, nodes)
	wall := time.Since(started)
	used := cpu() - before

	functions := [][]any{}
	for _, row := range rows {
		functions = append(functions, []any{row.name, row.self, row.total})
	}
	answer := map[string]any{"nodes": len(nodes) - 1, "total": nodes[0].total, "top": functions}
	figures := map[string]any{"wallMs": wall.Seconds() * 1000, "cpuMs": used, "peakMb": peakMb(), "answer": answer}
	text, err := json.Marshal(figures)
	check(err)
	fmt.Println(string(text))
}

// In milliseconds, user and system.
func cpu() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

// As subjects/figures.ts has it: getrusage would include the parent.
func peakMb() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		var usage syscall.Rusage
		check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
		return float64(usage.Maxrss) / 1024
	}
	fields := strings.Fields(strings.SplitN(string(status), "VmHWM:", 2)[1])
	kilobytes, err := strconv.Atoi(fields[0])
	check(err)
	return float64(kilobytes) / 1024
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
