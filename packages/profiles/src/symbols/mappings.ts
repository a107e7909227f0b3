import { FormatError } from '../format-error.ts'

/**
 * What a source map says, segment by segment, in the order of the generated code. Lines and columns are 0-based, columns count
 * UTF-16 units. Columns of numbers, because a large map has millions of segments: 16 bytes for each, not the 100 of a list.
 */
export interface Mappings {
  /** Per generated line its first segment, and at last where the segments end. */
  lineStarts: Int32Array
  columns: Int32Array
  /** -1: generated code that comes from no source. */
  sources: Int32Array
  originalLines: Int32Array
  /** -1: no name. */
  names: Int32Array
}

const comma = 0x2c
const semicolon = 0x3b
const maxInt32 = 2 ** 31 - 1

/** How many lines the text of mappings has, and how many segments at most; each costs memory once it is decoded. */
export function mappingsSize(text: string): { lineCount: number; segmentCount: number } {
  let lineCount = 1
  let segmentCount = 1
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === semicolon) lineCount++
    if (code === comma || code === semicolon) segmentCount++
  }
  return { lineCount, segmentCount }
}

/**
 * Decodes `mappings` of a source map: https://tc39.es/ecma426/#sec-mappings. Original columns are read and left out: nothing
 * here asks for them.
 *
 * @throws FormatError when they are damaged, or point to sources or names that are not there
 */
export function decodeMappings(text: string, of: { sourceCount: number; nameCount: number }): Mappings {
  const { lineCount, segmentCount } = mappingsSize(text)
  const column = () => new Int32Array(segmentCount)
  const mappings: Mappings = {
    lineStarts: new Int32Array(lineCount + 1),
    columns: column(),
    sources: column().fill(-1),
    originalLines: column(),
    names: column().fill(-1),
  }
  const numbers = new VlqNumbers(text)
  // All but the generated column go on from where the last segment that had them was.
  let [generatedColumn, source, originalLine, originalColumn, name] = [0, 0, 0, 0, 0]
  let line = 0
  let segment = 0
  let isInOrder = true
  while (numbers.position < text.length) {
    const code = text.charCodeAt(numbers.position)
    if (code === comma) numbers.position++
    else if (code === semicolon) {
      numbers.position++
      mappings.lineStarts[++line] = segment
      generatedColumn = 0
    } else {
      const delta = numbers.next()
      if (delta < 0) isInOrder = false
      generatedColumn = numbers.within(generatedColumn + delta, maxInt32)
      mappings.columns[segment] = generatedColumn
      if (numbers.goesOn()) {
        source = numbers.within(source + numbers.next(), of.sourceCount - 1)
        originalLine = numbers.within(originalLine + numbers.next(), maxInt32)
        originalColumn = numbers.within(originalColumn + numbers.next(), maxInt32)
        mappings.sources[segment] = source
        mappings.originalLines[segment] = originalLine
        if (numbers.goesOn()) {
          name = numbers.within(name + numbers.next(), of.nameCount - 1)
          mappings.names[segment] = name
        }
        if (numbers.goesOn()) numbers.fail()
      }
      segment++
    }
  }
  mappings.lineStarts[lineCount] = segment
  if (!isInOrder) sortLines(mappings)
  return mappings
}

/** The last segment of a generated line that begins at that column or before; -1 when there is none. */
export function segmentAt({ lineStarts, columns }: Mappings, line: number, column: number): number {
  if (line < 0 || line >= lineStarts.length - 1) return -1
  const first = lineStarts[line]!
  let low = first
  let high = lineStarts[line + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (columns[middle]! <= column) low = middle + 1
    else high = middle
  }
  return low === first ? -1 : low - 1
}

/** Numbers of VLQ in base64, one after the other: five bits each digit, the lowest bit of the first is the sign. */
class VlqNumbers {
  position = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Whether the segment has a further number. */
  goesOn(): boolean {
    const code = this.text.charCodeAt(this.position)
    return this.position < this.text.length && code !== comma && code !== semicolon
  }

  next(): number {
    let value = 0
    for (let factor = 1; factor <= 2 ** 30; factor *= 32) {
      const code = this.text.charCodeAt(this.position)
      const digit = code < 128 ? digits[code]! : -1
      if (digit < 0) this.fail()
      this.position++
      value += (digit & 31) * factor
      if (digit < 32) return value % 2 === 0 ? value / 2 : -(value - 1) / 2
    }
    return this.fail()
  }

  within(value: number, most: number): number {
    return value >= 0 && value <= most ? value : this.fail()
  }

  fail(): never {
    throw new FormatError('the mappings are damaged', { where: `character ${this.position}` })
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** The value of each character of base64, by its code; -1 for others. */
const digits = new Int8Array(128).fill(-1)
for (let value = 0; value < alphabet.length; value++) digits[alphabet.charCodeAt(value)] = value

/** Segments of a line may come in any order. */
function sortLines({ lineStarts, columns, sources, originalLines, names }: Mappings): void {
  const order = Uint32Array.from(columns, (_, segment) => segment)
  for (let line = 0; line < lineStarts.length - 1; line++) {
    order.subarray(lineStarts[line], lineStarts[line + 1]).sort((a, b) => columns[a]! - columns[b]! || a - b)
  }
  for (const values of [columns, sources, originalLines, names]) {
    const before = values.slice()
    for (let segment = 0; segment < order.length; segment++) values[segment] = before[order[segment]!]!
  }
}
