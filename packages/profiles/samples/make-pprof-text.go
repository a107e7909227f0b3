// A program of which goroutines wait in different ways, and that keeps some memory. It writes its profiles as text, and
// those of the heap and the goroutines as protocol buffers, too.
package main

import (
	"context"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

var kept [][]byte

func keepBuffers(count int) {
	for i := 0; i < count; i++ {
		kept = append(kept, make([]byte, 8192))
	}
}

func burst(count int) (total int) {
	for i := 0; i < count; i++ {
		total += len(append([]byte(nil), make([]byte, 1024+i)...))
	}
	return total
}

func receive(jobs chan int) {
	<-jobs
}

func lockAndWait(mutex *sync.Mutex) {
	mutex.Lock()
	mutex.Unlock()
}

func write(name, file string, debug int) {
	out, err := os.Create(file)
	if err != nil {
		panic(err)
	}
	defer out.Close()
	if err := pprof.Lookup(name).WriteTo(out, debug); err != nil {
		panic(err)
	}
}

func main() {
	runtime.MemProfileRate = 512
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	jobs := make(chan int)
	mutex := &sync.Mutex{}
	for tenant := 0; tenant < 3; tenant++ {
		labels := pprof.Labels("tenant", string(rune('a'+tenant)))
		pprof.Do(context.Background(), labels, func(context.Context) {
			for i := 0; i < 10*(tenant+1); i++ {
				go receive(jobs)
			}
		})
	}
	mutex.Lock()
	for i := 0; i < 5; i++ {
		go lockAndWait(mutex)
	}
	go func() { time.Sleep(time.Hour) }()
	keepBuffers(400)
	burst(1000)
	time.Sleep(50 * time.Millisecond)
	// What was allocated counts when it has gone through a whole cycle.
	runtime.GC()
	runtime.GC()
	runtime.GC()
	write("goroutine", "goroutine.debug1.txt", 1)
	write("goroutine", "goroutine.debug2.txt", 2)
	write("goroutine", "goroutine.pb.gz", 0)
	write("heap", "heap.debug1.txt", 1)
	write("heap", "heap.pb.gz", 0)
	mutex.Unlock()
	time.Sleep(50 * time.Millisecond)
	write("mutex", "mutex.debug1.txt", 1)
	write("mutex", "mutex.pb.gz", 0)
	write("threadcreate", "threadcreate.debug1.txt", 1)
}
