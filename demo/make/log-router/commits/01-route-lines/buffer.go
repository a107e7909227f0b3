package logrouter

// Buffer keeps the newest lines of a sink until it is flushed. When it is full, the oldest line goes.
type Buffer struct {
	lines    []Line
	capacity int
	dropped  int
}

// NewBuffer makes a buffer of at most capacity lines.
func NewBuffer(capacity int) *Buffer {
	return &Buffer{capacity: capacity}
}

// Push adds a line, and drops the oldest one when there is no room.
func (b *Buffer) Push(line Line) {
	if len(b.lines) == b.capacity {
		copy(b.lines, b.lines[1:])
		b.lines = b.lines[:len(b.lines)-1]
		b.dropped++
	}
	b.lines = append(b.lines, line)
}

// Flush hands every line to the function, oldest first, and empties the buffer.
func (b *Buffer) Flush(each func(Line)) {
	for _, line := range b.lines {
		each(line)
	}
	b.lines = b.lines[:0]
}

// Dropped tells how many lines were pushed out unread.
func (b *Buffer) Dropped() int { return b.dropped }
