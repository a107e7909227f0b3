// Keeps a processor busy and serves its profiles on a port that it prints.
package main

import (
	"fmt"
	"math"
	"net"
	"net/http"
	_ "net/http/pprof"
	"time"
)

var sink float64

//go:noinline
func burn() {
	for i := 0; i < 1000000; i++ {
		sink += math.Sqrt(float64(i))
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	go func() {
		for {
			burn()
			time.Sleep(2 * time.Millisecond)
		}
	}()
	panic(http.Serve(listener, nil))
}
