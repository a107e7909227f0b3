import { SourceError } from '../import/importer.ts'

/** Longest line, in characters. */
const lineMax = 4_000_000

/** Pieces of a text in UTF-8; a byte order mark is left out, and what is no UTF-8 is replaced. */
export async function* textPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of content) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** Gives each line to `onLine`, with its number from 1, without its end. */
export async function forEachLine(
  content: AsyncIterable<Uint8Array>,
  onLine: (line: string, number: number) => void,
): Promise<void> {
  let number = 0
  let rest = ''
  const take = (line: string) => onLine(line.endsWith('\r') ? line.slice(0, -1) : line, ++number)
  for await (const piece of textPieces(content)) {
    let start = 0
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      take(rest + piece.slice(start, end))
      rest = ''
      start = end + 1
    }
    rest += piece.slice(start)
    if (rest.length > lineMax)
      throw new SourceError(`It is longer than ${lineMax / 1e6} million characters.`, `line ${number + 1}`)
  }
  if (rest !== '') take(rest)
}
