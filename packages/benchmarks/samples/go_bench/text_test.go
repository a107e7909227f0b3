// Package text is measured by make.sh: sub-benchmarks, memory, throughput and an own unit.
package text

import (
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
)

var sink int

func BenchmarkJoin(b *testing.B) {
	for _, words := range []int{10, 1000} {
		b.Run(fmt.Sprintf("words=%d", words), func(b *testing.B) {
			parts := strings.Split(strings.Repeat("flame ", words), " ")
			for i := 0; i < b.N; i++ {
				sink += len(strings.Join(parts, ","))
			}
			b.ReportMetric(float64(words), "words/op")
		})
	}
}

func BenchmarkChecksum(b *testing.B) {
	data := make([]byte, 4096)
	b.SetBytes(int64(len(data)))
	for i := 0; i < b.N; i++ {
		sink += int(crc32.ChecksumIEEE(data))
	}
}

func BenchmarkLogs(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += len(strings.Fields("one two three"))
	}
	b.Log("a line that a benchmark wrote")
}

func BenchmarkSkipped(b *testing.B) {
	b.Skip("needs a network")
}
