// The part of a search that ranks what was found, the same work for each request: `rank <file for its CPU profile>`.
package main

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"runtime/pprof"
)

//go:noinline
func scoreDocuments(count int) float64 {
	sum := 0.0
	for document := 1; document <= count; document++ {
		sum += math.Log(float64(document)) * math.Sin(float64(document))
	}
	return sum
}

func main() {
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		panic(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	done := make(chan bool)
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		fmt.Fprintf(response, "%f", scoreDocuments(600_000))
	})
	http.HandleFunc("/stop", func(response http.ResponseWriter, request *http.Request) {
		close(done)
	})
	fmt.Printf("{\"port\": %d}\n", listener.Addr().(*net.TCPAddr).Port)
	go http.Serve(listener, nil)
	<-done
	pprof.StopCPUProfile()
	file.Close()
}
