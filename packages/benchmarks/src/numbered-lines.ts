/** A line of a text; the first has number 1. */
export interface NumberedLine {
  line: string
  lineNumber: number
}

/** No tool writes longer ones, and patterns take a time that grows faster than the line. */
const LENGTH_MAX = 2000

/**
 * The lines of a text without their ends, be they of Unix or Windows; what is too long is cut. Where a terminal wrote over
 * a line, each of its texts is a line, all of one number.
 */
export function numberedLines(text: string): NumberedLine[] {
  return text.split('\n').flatMap((whole, index) => {
    const shown = whole.split('\r').filter((line) => line !== '')
    return (shown.length === 0 ? [''] : shown).map((line) => ({
      line: line.slice(0, LENGTH_MAX),
      lineNumber: index + 1,
    }))
  })
}
