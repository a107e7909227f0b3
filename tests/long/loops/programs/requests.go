// Serves requests in six phases and writes a heap profile after each: `requests <folder>`. One function remembers what it
// served for ever, one takes a lot for one phase, one fills a cache that has an end.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"
)

var remembered [][]byte
var cache = map[int][]byte{}
var batch [][]byte

//go:noinline
func rememberRequest(number int) {
	remembered = append(remembered, make([]byte, 1024))
}

//go:noinline
func parseBatch(size int) [][]byte {
	var rows [][]byte
	for len(rows) < size {
		rows = append(rows, make([]byte, 512))
	}
	return rows
}

//go:noinline
func cacheAnswer(number int) {
	cache[number%2500] = make([]byte, 700)
}

func main() {
	runtime.MemProfileRate = 1024
	number := 0
	for phase := 1; phase <= 6; phase++ {
		for request := 0; request < 1000; request++ {
			rememberRequest(number)
			cacheAnswer(number)
			number++
		}
		batch = nil
		if phase == 3 {
			batch = parseBatch(20000)
		}
		// A heap profile is that of the last collection but one.
		runtime.GC()
		runtime.GC()
		file, err := os.Create(filepath.Join(os.Args[1], fmt.Sprintf("heap-%d.pb.gz", phase)))
		if err != nil {
			panic(err)
		}
		if err := pprof.WriteHeapProfile(file); err != nil {
			panic(err)
		}
		file.Close()
		time.Sleep(50 * time.Millisecond)
	}
	fmt.Println(len(remembered) + len(cache) + len(batch))
}
