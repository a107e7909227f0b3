// A small MCP server over standard streams in Go, of which it is known how it behaves; built and run as a program of its own
// by tests. It serves net/http/pprof at the port that PPROF_PORT says.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
)

var kept [][]byte

func squares() int {
	sum := 0
	for number := 0; number < 3000000; number++ {
		sum += number * number % 7
	}
	return sum
}

func keep() int {
	kept = append(kept, make([]byte, 100000))
	return len(kept)
}

var tools = map[string]func() int{"squares": squares, "keep": keep}

type request struct {
	Id     *int64
	Method string
	Params struct {
		ProtocolVersion string
		Name            string
	}
}

func answer(asked request) any {
	switch asked.Method {
	case "initialize":
		return map[string]any{
			"protocolVersion": asked.Params.ProtocolVersion,
			"capabilities":    map[string]any{"tools": map[string]any{}},
			"serverInfo":      map[string]any{"name": "go-sample", "version": "1.0.0"},
		}
	case "tools/list":
		listed := []any{}
		for name := range tools {
			listed = append(listed, map[string]any{
				"name":        name,
				"inputSchema": map[string]any{"type": "object"},
				"annotations": map[string]any{"readOnlyHint": true},
			})
		}
		return map[string]any{"tools": listed}
	case "tools/call":
		text := fmt.Sprint(tools[asked.Params.Name]())
		return map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}
	}
	return map[string]any{}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PPROF_PORT"))
	if err != nil {
		panic(err)
	}
	go http.Serve(listener, nil)
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked request
		if json.Unmarshal(lines.Bytes(), &asked) == nil && asked.Id != nil {
			out.Encode(map[string]any{"jsonrpc": "2.0", "id": *asked.Id, "result": answer(asked)})
		}
	}
}
