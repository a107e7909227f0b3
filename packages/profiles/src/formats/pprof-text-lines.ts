import { FormatError } from '../format-error.ts'
import { textLines } from './text-lines.ts'

export const format = 'pprof_text'

/** The lines of a text, one after the other, and where it is. */
export class LineCursor {
  /** Undefined behind the last one. */
  line: string | undefined
  private lineNumber = 0
  private readonly lines: Iterator<string, unknown>

  /** Starts on the first line. */
  constructor(bytes: Uint8Array) {
    this.lines = textLines(bytes, format)
    this.next()
  }

  next(): string | undefined {
    const { done, value } = this.lines.next()
    this.line = done === true ? undefined : value
    this.lineNumber++
    return this.line
  }

  /** To the next line that is neither empty nor a comment, which may be this one. */
  skipComments(): void {
    while (this.line !== undefined && /^\s*(#|$)/.test(this.line)) this.next()
  }

  refuse(message: string): FormatError {
    return new FormatError(message, { format, where: `line ${this.lineNumber}` })
  }

  /** The hexadecimal numbers of a text of this line. @throws FormatError when one has more than 64 bits */
  addresses(text: string): bigint[] {
    return (text.match(/0x[0-9a-f]+/g) ?? []).map((hex) => {
      if (hex.length > 18) throw this.refuse('an address is too long')
      return BigInt(hex)
    })
  }
}

/** The first line that is neither empty nor a comment; '' when there is none. */
export function firstLine(text: string): string {
  return text.split('\n', 1000).find((line) => !/^\s*(#|$)/.test(line)) ?? ''
}
