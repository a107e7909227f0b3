/** The number that somebody typed; null of nothing. What is no number stays the text that it is: the server says what is wrong with it. */
export function typedNumber(text: string): number | string | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  // Nor is one without end a number: JSON knows none, and would make null of it.
  return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
}

/** The same in milliseconds, of seconds that somebody typed. */
export function typedMs(text: string): number | string | null {
  const seconds = typedNumber(text)
  return typeof seconds === 'number' ? Math.round(seconds * 1000) : seconds
}
