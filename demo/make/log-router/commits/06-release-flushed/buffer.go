package logrouter

// Buffer keeps the newest lines of a sink until it is flushed. When it is full, the oldest line goes.
// The lines stand in a ring: `oldest` is where the next reader starts and, when full, where the next line goes.
type Buffer struct {
	ring    []Line
	oldest  int
	length  int
	dropped int
}

// NewBuffer makes a buffer of at most capacity lines.
func NewBuffer(capacity int) *Buffer {
	return &Buffer{ring: make([]Line, capacity)}
}

// Push adds a line, and drops the oldest one when there is no room.
func (b *Buffer) Push(line Line) {
	if b.length == len(b.ring) {
		b.ring[b.oldest] = line
		b.oldest = (b.oldest + 1) % len(b.ring)
		b.dropped++
		return
	}
	b.ring[(b.oldest+b.length)%len(b.ring)] = line
	b.length++
}

// Flush hands every line to the function, oldest first, and empties the buffer.
func (b *Buffer) Flush(each func(Line)) {
	for index := 0; index < b.length; index++ {
		at := (b.oldest + index) % len(b.ring)
		each(b.ring[at])
		b.ring[at] = Line{}
	}
	b.oldest, b.length = 0, 0
}

// Dropped tells how many lines were pushed out unread.
func (b *Buffer) Dropped() int { return b.dropped }
