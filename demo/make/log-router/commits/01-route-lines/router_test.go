package logrouter

import (
	"fmt"
	"testing"
)

var rules = []Rule{
	{Level: "error", Sink: "pager"},
	{Level: "warn", ServicePrefix: "cart", Sink: "cart-team"},
	{ServicePrefix: "pay", Sink: "audit"},
	{Sink: "archive"},
}

func sampleText(index int) string {
	levels := []string{"info", "warn", "error", "debug"}
	services := []string{"cart", "payment", "search", "stock"}
	return fmt.Sprintf(`level=%s service=%s-%d took=%dms msg="request %d finished" user=u%d`,
		levels[index%4], services[index/4%4], index%3, index%977, index, index*31%500)
}

func sampleLines(b *testing.B, count int) []Line {
	lines := make([]Line, count)
	for index := range lines {
		line, err := ParseLine(sampleText(index))
		if err != nil {
			b.Fatal(err)
		}
		lines[index] = line
	}
	return lines
}

func BenchmarkParseLine(b *testing.B) {
	text := sampleText(7)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if _, err := ParseLine(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRoute(b *testing.B) {
	lines := sampleLines(b, 64)
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		Route(lines[i%len(lines)], rules)
	}
}

func BenchmarkEncode(b *testing.B) {
	lines := sampleLines(b, 64)
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		Encode(lines[i%len(lines)])
	}
}

// A full buffer, as it is when a sink is slow: every push drops a line.
func BenchmarkBuffer(b *testing.B) {
	for _, capacity := range []int{256, 1024} {
		b.Run(fmt.Sprintf("capacity=%d", capacity), func(b *testing.B) {
			lines := sampleLines(b, 64)
			buffer := NewBuffer(capacity)
			for i := 0; i < capacity; i++ {
				buffer.Push(lines[i%len(lines)])
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				buffer.Push(lines[i%len(lines)])
			}
		})
	}
}
