import { TooMuchText, type TextLine } from './text-lines.ts'

export interface WindowRequest {
  fromLine: number
  /** Lines at most. */
  limit: number
  /** Only lines with this in them, upper and lower case alike. */
  contains?: string | undefined
  /** Lines to keep before and after each match. */
  contextLines: number
  /** Characters of all lines together, after which the window ends. */
  mostCharacters: number
}

export interface LineWindow {
  lines: (TextLine & { isMatch: boolean })[]
  /** First line that was not looked at; null at the end of the text. */
  nextLine: number | null
  /** Known at the end of the text. */
  lineCount: number | null
}

/**
 * The lines that were asked for, reading no further than needed. Matching is a search for plain text: it takes time
 * in proportion to the text, whatever is searched for. Only what `textLines` keeps of a long line is searched.
 * @throws what `source` throws; `TooMuchText` only when nothing was found before
 */
export async function windowOf(source: AsyncIterable<TextLine>, request: WindowRequest): Promise<LineWindow> {
  const wanted = request.contains?.toLowerCase()
  const lines: LineWindow['lines'] = []
  /** Lines before a match, in case one comes. */
  let before: TextLine[] = []
  let after = 0
  let characters = 0
  let lineCount = 0

  const isFull = (coming: number) =>
    lines.length > 0 && (lines.length + coming > request.limit || characters > request.mostCharacters)
  const add = (line: TextLine, isMatch: boolean) => {
    lines.push({ ...line, isMatch })
    characters += line.text.length
  }

  try {
    for await (const line of source) {
      lineCount = line.number
      if (line.number < request.fromLine) continue
      if (isFull(1)) return { lines, nextLine: line.number, lineCount: null }
      if (wanted === undefined || line.text.toLowerCase().includes(wanted)) {
        const lead = before.slice(before.length - Math.min(before.length, request.limit - 1))
        // A match and what is before it go on one page.
        if (isFull(lead.length + 1))
          return { lines, nextLine: lead[0]?.number ?? line.number, lineCount: null }
        for (const each of lead) add(each, false)
        add(line, true)
        before = []
        after = wanted === undefined ? 0 : request.contextLines
      } else if (after > 0) {
        add(line, false)
        after -= 1
      } else if (request.contextLines > 0) {
        before.push(line)
        if (before.length > request.contextLines) before.shift()
      }
    }
  } catch (error) {
    if (!(error instanceof TooMuchText) || lines.length === 0) throw error
    return { lines, nextLine: lineCount + 1, lineCount: null }
  }
  return { lines, nextLine: null, lineCount }
}
