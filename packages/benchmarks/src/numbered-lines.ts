/** A line of a text; the first has number 1. */
export interface NumberedLine {
  line: string
  lineNumber: number
}

/** No tool writes longer ones, and patterns take a time that grows faster than the line. */
const LENGTH_MAX = 2000

/** The lines of a text without their ends, be they of Unix or Windows; what is too long is cut. */
export function numberedLines(text: string): NumberedLine[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.slice(0, LENGTH_MAX), lineNumber: index + 1 }))
}
