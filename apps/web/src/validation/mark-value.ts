export interface Piece {
  text: string
  isMarked: boolean
  /** Of its first character. */
  at: number
}

/** A text in pieces: those that are the value, and what is between them. */
export function markValue(text: string, value: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  while (at < text.length) {
    const found = value === '' ? -1 : text.indexOf(value, at)
    const end = found === -1 ? text.length : found
    if (end > at) pieces.push({ text: text.slice(at, end), isMarked: false, at })
    if (found !== -1) pieces.push({ text: value, isMarked: true, at: found })
    at = found === -1 ? end : found + value.length
  }
  return pieces
}
