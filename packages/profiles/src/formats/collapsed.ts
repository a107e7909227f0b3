import { CallTreeBuilder } from '../call-tree-builder.ts'
import { FormatError } from '../format-error.ts'
import { FunctionInterner } from '../function-interner.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import type { ImportedProfile } from '../profile.ts'
import { textLines } from './text-lines.ts'
import { quote } from './text.ts'

/**
 * Folded stacks, `root;child;leaf 12` per line, as written by stackcollapse-*.pl, async-profiler, py-spy
 * and others: UTF-8 or, after a byte order mark, UTF-16LE. https://github.com/brendangregg/FlameGraph
 *
 * Empty lines and comments (`# …`, `// …`) are skipped. Other lines that are not stacks are skipped with a
 * warning that names them, as long as most lines are stacks; otherwise the file is something else. Two counts on
 * every line are those of two profiles, as difffolded.pl writes them, and refused.
 */
export const collapsed: Importer = {
  format: 'collapsed',
  recognizes({ bytes, head }) {
    if (head.includes('\0')) return false
    // A deep stack may be longer than what files are mostly told by.
    const text = head.includes('\n') ? head : new TextDecoder().decode(bytes.subarray(0, 4 * 1024 * 1024))
    const lines = text
      .split('\n', 200)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !isComment(line))
    // At least half of the lines are stacks with a count. Names have letters; tables of numbers do not.
    const stacks = lines.filter((line) => /\p{L}/u.test(splitCount(line)?.path ?? ''))
    return stacks.length > 0 && stacks.length * 2 >= lines.length
  },
  read: ({ bytes }, options) => readCollapsed(bytes, options),
}

/** Of fewer stacks all may have names that end in a number, such as those of threads. */
const comparedStacksMin = 5

function readCollapsed(bytes: Uint8Array, options: ImportOptions): ImportedProfile {
  const functions = new FunctionInterner()
  const builder = new CallTreeBuilder({ sampleTypeCount: 1, maxNodes: options.maxNodes, format: 'collapsed' })
  const walk = stackWalker(builder, functions)
  const invalidLines: { lineNumber: number; text: string }[] = []
  let invalidCount = 0
  let stackCount = 0
  let sampleCount = 0
  let lineNumber = 0
  let areTwoCounts = true

  for (const untrimmed of textLines(bytes, 'collapsed')) {
    const line = untrimmed.trim()
    lineNumber++
    if (line === '' || isComment(line)) continue
    const stack = splitCount(line)
    if (stack === undefined) {
      invalidCount++
      if (invalidLines.length < 3) invalidLines.push({ lineNumber, text: line })
      continue
    }
    // A name may end in a number, but not all of them.
    if (areTwoCounts) areTwoCounts = endsInCount(stack.path)
    builder.add(walk(stack.path), 0, stack.count)
    stackCount++
    sampleCount += stack.count
  }

  const [firstInvalid] = invalidLines
  if (firstInvalid !== undefined && invalidCount >= stackCount) {
    const message = `expected "frame;frame count", found ${quote(firstInvalid.text)}`
    throw new FormatError(message, { format: 'collapsed', where: `line ${firstInvalid.lineNumber}` })
  }
  if (stackCount >= comparedStacksMin && areTwoCounts) {
    const message = 'it compares two profiles, as difffolded.pl does: import each of them by itself'
    throw new FormatError(message, { format: 'collapsed' })
  }
  if (sampleCount === 0) throw new FormatError('the profile holds no samples', { format: 'collapsed' })

  const { nodes, selfValues } = builder.finish()
  return {
    format: 'collapsed',
    sampleTypes: [{ type: 'samples', unit: 'count' }],
    defaultSampleTypeIndex: 0,
    sampleCount,
    functions: functions.finish(),
    nodes,
    selfValues,
    labels: [],
    threads: [],
    warnings: invalidCount === 0 ? [] : [skippedLines(invalidCount, invalidLines)],
  }
}

/** `a b;c 12` is { path: 'a b;c', count: 12 }. The count is last, because names may hold spaces. */
function splitCount(line: string): { path: string; count: number } | undefined {
  const space = Math.max(line.lastIndexOf(' '), line.lastIndexOf('\t'))
  if (space < 1 || !/^\d+(\.\d+)?$/.test(line.slice(space + 1))) return undefined
  const count = Number(line.slice(space + 1))
  return Number.isFinite(count) ? { path: line.slice(0, space).trimEnd(), count } : undefined
}

/** Two patterns: one from `;` on would go through all of a deep stack for each of its frames. */
function endsInCount(path: string): boolean {
  return path.includes(';') && /[ \t]\d+$/.test(path)
}

/** A private method such as `#read` may start a stack, so the space after `#` matters. */
function isComment(line: string): boolean {
  return line.startsWith('# ') || line === '#' || line.startsWith('//')
}

/**
 * Finds the node of a path. Neighbouring lines mostly share their first frames, so those are not looked up again:
 *
 *     previous  main;parse;read       ends 4 10 15
 *     line      main;parse;skip       the first 11 characters are equal: keep two frames, look up `skip`
 */
function stackWalker(builder: CallTreeBuilder, functions: FunctionInterner): (path: string) => number {
  let previous = ''
  let ends: number[] = []
  let nodes: number[] = []
  return (path) => {
    let equal = 0
    const shortest = Math.min(path.length, previous.length)
    while (equal < shortest && path.charCodeAt(equal) === previous.charCodeAt(equal)) equal++
    const isBoundary = (end: number) => end === path.length || path[end] === ';'
    let depth = ends.length
    while (depth > 0 && (ends[depth - 1]! > equal || !isBoundary(ends[depth - 1]!))) depth--

    ends.length = depth
    nodes.length = depth
    let node = nodes[depth - 1] ?? 0
    for (let start = depth === 0 ? 0 : ends[depth - 1]! + 1; start <= path.length;) {
      const semicolon = path.indexOf(';', start)
      const end = semicolon === -1 ? path.length : semicolon
      // Comparing with the likely one is much faster than to look up a new string.
      const likely = builder.likelyChild(node)
      const index = functions.isNameAt(likely, path, start, end)
        ? likely
        : functions.intern(path.slice(start, end) || '(unknown)')
      node = builder.child(node, index)
      ends.push(end)
      nodes.push(node)
      start = end + 1
    }
    previous = path
    return node
  }
}

function skippedLines(count: number, lines: { lineNumber: number; text: string }[]): string {
  const shown = lines.map(({ lineNumber, text }) => `line ${lineNumber} ${quote(text)}`).join(', ')
  const rest = count > lines.length ? ` and ${count - lines.length} more` : ''
  return `Lines that are not stacks were skipped: ${shown}${rest}.`
}
