// A small program that takes a CPU and a heap profile of itself: recursion, inlining, labels, a leak and a burst.
// Run it with make-pprof.sh.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"sort"
	"strings"
	"time"
)

type order struct {
	ID    int               `json:"id"`
	Lines []string          `json:"lines"`
	Notes map[string]string `json:"notes"`
}

var leaked [][]byte
var sink int

func main() {
	runtime.MemProfileRate = 16 * 1024
	cpu, err := os.Create("go-cpu.pb.gz")
	if err != nil {
		panic(err)
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		panic(err)
	}
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
		pprof.Do(context.Background(), pprof.Labels("endpoint", "/orders"), func(context.Context) { serveOrders() })
		pprof.Do(context.Background(), pprof.Labels("endpoint", "/hash"), func(context.Context) { serveHash() })
		pprof.Do(context.Background(), pprof.Labels("endpoint", "/fib"), func(context.Context) { sink += fib(24) })
	}
	pprof.StopCPUProfile()
	cpu.Close()

	for i := 0; i < 40; i++ {
		leak()
		burst()
	}
	runtime.GC()
	heap, err := os.Create("go-heap.pb.gz")
	if err != nil {
		panic(err)
	}
	if err := pprof.Lookup("heap").WriteTo(heap, 0); err != nil {
		panic(err)
	}
	heap.Close()
}

func serveOrders() {
	o := order{ID: 7, Notes: map[string]string{}}
	for i := 0; i < 50; i++ {
		o.Lines = append(o.Lines, strings.Repeat(fmt.Sprint(i), 20))
		o.Notes[fmt.Sprint("note", i)] = "fragile"
	}
	text, _ := json.Marshal(o)
	var again order
	_ = json.Unmarshal(text, &again)
	sort.Slice(again.Lines, func(a, b int) bool { return again.Lines[a] > again.Lines[b] })
}

func serveHash() {
	sum := sha256.Sum256(make([]byte, 64*1024))
	sink += mix(int(sum[0]), int(sum[1]))
}

// Small enough to be inlined.
func mix(a, b int) int {
	total := 0
	for i := 0; i < 50000; i++ {
		total = step(total, a+i, b)
	}
	return total
}

func step(total, a, b int) int { return total*31 + a ^ b }

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func leak() { leaked = append(leaked, make([]byte, 64*1024)) }

func burst() {
	parts := make([][]byte, 0, 100)
	for i := 0; i < 100; i++ {
		parts = append(parts, make([]byte, 4096))
	}
	sink += len(parts)
}
