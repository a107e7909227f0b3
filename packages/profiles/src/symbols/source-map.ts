import { FormatError } from '../format-error.ts'
import { JsonReader, parseJson, type JsonObject } from '../formats/json.ts'
import { decodeMappings, mappingsSize, segmentAt, type Mappings } from './mappings.ts'
import { sourcePath } from './source-path.ts'

/** Where a function comes from; `line` is 1-based. */
export interface OriginalFunction {
  /** Undefined: the map does not know it. */
  name: string | undefined
  file: string
  line: number
}

/** A map, or a section of one: it begins at a 0-based place of the generated code and goes on until the next one. */
interface Section {
  line: number
  column: number
  mappingsText: string
  /** Paths; '' where it is not told. */
  sources: string[]
  names: string[]
  /** Decoded when first asked for. */
  decoded?: Mappings
  /** Per line of its own, when first asked for, by path: several sources may have one. */
  linesBySource?: Map<number, Map<string, LineRange>>
}

/** The original lines that are on a generated line: the first one, and the lowest and highest. */
interface LineRange {
  first: number
  low: number
  high: number
}

/**
 * Printers put a statement that was written on several lines on one. A generated line of more original lines than this is
 * minified, and of what was measured on it nobody knows where it was.
 */
const statementLines = 10

/**
 * A source map, plain or of sections. https://tc39.es/ecma426/
 * Places of the generated code are 0-based. Sources' contents are left out.
 */
export class SourceMap {
  /** What it says that it is of. */
  readonly script: string | undefined
  /** What it costs: lines, segments and names, and sources and sections, which cost more. */
  readonly size: number
  private readonly sections: Section[]

  /**
   * @param location path or address of the map, which relative sources start from
   * @throws FormatError when it is no source map, or larger than `maxSize`
   */
  constructor(bytes: Uint8Array, location: string, maxSize = Infinity) {
    const json = new JsonReader()
    const map = json.object(parseJson(withoutGuard(bytes)), '$')
    const parts =
      map.sections === undefined
        ? [partOf(json, map, { path: '$', line: 0, column: 0 })]
        : partsOf(json, map.sections)
    this.script = typeof map.file === 'string' ? map.file : undefined
    this.size = parts.reduce((size, part) => size + sizeOf(part), 0)
    if (this.size > maxSize) throw new FormatError('it has too many segments, sources, names or sections')
    this.sections = parts.map((part) => sectionOf(part, location))
  }

  /** Whether the generated code has that line. @throws FormatError when the mappings are damaged */
  hasLine(line: number): boolean {
    const last = this.sections.at(-1)
    return last !== undefined && line - last.line < mappingsOf(last).lineStarts.length - 1
  }

  /**
   * The function that starts there and is called `name` in the generated code; undefined when it comes from no source. The
   * beginning of a script that was put together from several sources is all of them.
   *
   * @throws FormatError when the mappings are damaged
   */
  functionAt(line: number, column: number, name: string): OriginalFunction | undefined {
    const { section, ownLine, ownColumn } = this.at(line, column)
    if (section === undefined) return undefined
    const isWholeScript = line === 0 && column === 0
    if (isWholeScript && (this.sections.length > 1 || section.sources.length > 1)) return undefined
    const mappings = mappingsOf(section)
    const segment = segmentAt(mappings, ownLine, ownColumn)
    const source = segment < 0 ? -1 : mappings.sources[segment]!
    const file = section.sources[source] ?? ''
    if (file === '') return undefined
    const named = nameSegment(mappings, { line: ownLine, column: ownColumn, name })
    return {
      name: (named === undefined ? undefined : section.names[mappings.names[named]!]) || undefined,
      file,
      line: mappings.originalLines[segment]! + 1,
    }
  }

  /**
   * The 1-based line of `file` that a place of the generated code comes from; without a column, that of the generated line.
   * 0 when that cannot be told.
   */
  lineOf(file: string, line: number, column: number | undefined): number {
    const { section, ownLine, ownColumn } = this.at(line, column ?? Infinity)
    if (section === undefined || file === '') return 0
    const mappings = mappingsOf(section)
    if (column !== undefined) {
      const segment = segmentAt(mappings, ownLine, ownColumn)
      const isOfFile = segment >= 0 && section.sources[mappings.sources[segment]!] === file
      return isOfFile ? mappings.originalLines[segment]! + 1 : 0
    }
    section.linesBySource ??= new Map()
    let ranges = section.linesBySource.get(ownLine)
    if (ranges === undefined) {
      ranges = lineRanges(section.sources, mappings, ownLine)
      section.linesBySource.set(ownLine, ranges)
    }
    const range = ranges.get(file)
    return range === undefined || range.high - range.low >= statementLines ? 0 : range.first + 1
  }

  /** The section that a place is in, and the place within it. */
  private at(
    line: number,
    column: number,
  ): { section: Section | undefined; ownLine: number; ownColumn: number } {
    const { sections } = this
    let low = 0
    let high = sections.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(sections[middle]!, line, column)) low = middle + 1
      else high = middle
    }
    const section = sections[low - 1]
    return {
      section,
      ownLine: line - (section?.line ?? 0),
      ownColumn: section?.line === line ? column - section.column : column,
    }
  }
}

/** Whether a section begins there or before. */
function isBefore(section: Pick<Section, 'line' | 'column'>, line: number, column: number): boolean {
  return section.line < line || (section.line === line && section.column <= column)
}

function mappingsOf(section: Section): Mappings {
  section.decoded ??= decodeMappings(section.mappingsText, {
    sourceCount: section.sources.length,
    nameCount: section.names.length,
  })
  return section.decoded
}

/** `)]}'` on the first line keeps a map from being taken for a script. */
function withoutGuard(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x29) return bytes
  const lineEnd = bytes.indexOf(0x0a)
  return lineEnd < 0 ? bytes : bytes.subarray(lineEnd)
}

/** A section as the file has it. */
interface SectionPart extends Pick<Section, 'line' | 'column' | 'mappingsText'> {
  root: string
  sources: readonly unknown[]
  names: readonly unknown[]
}

function partOf(
  json: JsonReader,
  map: JsonObject,
  { path, line, column }: { path: string; line: number; column: number },
): SectionPart {
  if (map.version !== 3) json.fail('expected version 3', `${path}.version`)
  return {
    line,
    column,
    root: shortText(map.sourceRoot),
    mappingsText: json.string(map.mappings, `${path}.mappings`),
    sources: json.array(map.sources, `${path}.sources`),
    names: json.array(map.names ?? [], `${path}.names`),
  }
}

/** `[{ offset: { line, column }, map }]`, in the order of their offsets. */
function partsOf(json: JsonReader, value: unknown): SectionPart[] {
  const parts: SectionPart[] = []
  for (const [index, element] of json.array(value, '$.sections').entries()) {
    const path = `$.sections[${index}]`
    const section = json.object(element, path)
    const offset = json.object(section.offset, `${path}.offset`)
    const line = json.number(offset.line, `${path}.offset.line`)
    const column = json.number(offset.column, `${path}.offset.column`)
    const before = parts.at(-1)
    if (before !== undefined && !isBefore(before, line, column)) json.fail('sections are not in order', path)
    const map = json.object(section.map, `${path}.map`)
    parts.push(partOf(json, map, { path: `${path}.map`, line, column }))
  }
  return parts
}

/** A path, or what there is of a section beside its segments, takes as much memory as this many segments ... */
const segmentsPerSource = 64
const segmentsPerSection = 64
/** ... and a name as much as these. */
const segmentsPerName = 2
/** Of longer paths and names nothing is told. */
const longestText = 1024

function sizeOf({ mappingsText, sources, names }: SectionPart): number {
  const { lineCount, segmentCount } = mappingsSize(mappingsText)
  const others = segmentsPerSection + segmentsPerSource * sources.length + segmentsPerName * names.length
  return lineCount + segmentCount + others
}

function sectionOf(part: SectionPart, location: string): Section {
  const { line, column, mappingsText, root } = part
  const sources = part.sources.map((source) => {
    const text = shortText(source)
    return text === '' ? '' : shortText(sourcePath(text, location, root))
  })
  return {
    line,
    column,
    mappingsText,
    sources,
    names: part.names.map((name) => shortText(name)),
  }
}

function shortText(value: unknown): string {
  return typeof value === 'string' && value.length <= longestText ? value : ''
}

function lineRanges(
  paths: readonly string[],
  { lineStarts, sources, originalLines }: Mappings,
  line: number,
): Map<string, LineRange> {
  const ranges = new Map<string, LineRange>()
  for (let segment = lineStarts[line] ?? 0; segment < (lineStarts[line + 1] ?? 0); segment++) {
    const original = originalLines[segment]!
    const path = paths[sources[segment]!] ?? ''
    const range = ranges.get(path)
    if (range === undefined) {
      ranges.set(path, { first: original, low: original, high: original })
    } else {
      range.low = Math.min(range.low, original)
      range.high = Math.max(range.high, original)
    }
  }
  return ranges
}

/** What may stand between the name of a function and where V8 says that it starts: ` = async function* `. */
const longestGap = 24
/** More segments than that are in it only where many begin at one column. */
const segmentsInGap = 32

/**
 * The segment of the identifier that gave a function its name. V8 says that a function starts at its parameters, so its name
 * is shortly before: `t(`, `t=e=>`, `t: async function(`; a class without a constructor starts at `class`, and its name is
 * right after. The identifier is as long as the name, so a segment that is shorter is of something else.
 */
function nameSegment(
  mappings: Mappings,
  { line, column, name }: { line: number; column: number; name: string },
): number | undefined {
  // `(anonymous)` and the like are no names; what stands before such a function is what it is given to.
  if (name.startsWith('(')) return undefined
  const { lineStarts, columns, names } = mappings
  const { length } = name.slice(name.lastIndexOf('.') + 1)
  const first = lineStarts[line]!
  const end = lineStarts[line + 1]!
  const isIdentifier = (segment: number) =>
    names[segment]! >= 0 && (segment + 1 === end || columns[segment + 1]! >= columns[segment]! + length)
  const own = segmentAt(mappings, line, column)
  const nearest = segmentAt(mappings, line, column - length)
  for (let segment = nearest; segment >= first && segment > nearest - segmentsInGap; segment--) {
    if (column - columns[segment]! - length > longestGap) break
    if (isIdentifier(segment)) return segment
  }
  const after = own + 1
  const isClass = columns[own] === column && after < end && columns[after] === column + 'class '.length
  return isClass && isIdentifier(after) ? after : undefined
}
