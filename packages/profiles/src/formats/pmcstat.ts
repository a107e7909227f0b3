import { FormatError } from '../format-error.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { textLines } from './text-lines.ts'
import { quote } from './text.ts'

const format = 'pmcstat'

/**
 * Callgraphs of FreeBSD's pmcstat (`pmcstat -R samples.out -G graph.txt`). https://man.freebsd.org/cgi/man.cgi?query=pmcstat
 *
 *     @ inst_retired.any [35705 samples]
 *
 *     20.86%  [7447]     zfs_lz4_compress @ /boot/kernel/zfs.ko
 *      66.02%  [4916]      zio_compress_data
 *
 * A tree upside down: each function that was running, and indented below it who called it, with the samples that came so.
 * The binary is only said where it changes. Samples that none of the callers below has end there: pmcstat leaves out callers
 * with few samples, and where it did not know any. Each event is a sample type, in samples.
 */
export const pmcstat: Importer = {
  format,
  recognizes: ({ head }) => {
    const lines = head.split('\n', 20).filter((line) => line.trim() !== '')
    return (
      lines.some((line) => readEvent(line.trimEnd()) !== undefined) ||
      (lines[0] !== undefined && readRow(lines[0].trimEnd()) !== undefined)
    )
  },
  read: ({ bytes }, options) => readPmcstat(bytes, options),
}

interface Row {
  indent: number
  sampleCount: number
  name: string
  binary: string | undefined
}

/** A function on the way to the row that is read. */
interface Frame {
  functionIndex: number
  indent: number
  /** Samples that no caller has yet. */
  unclaimed: number
}

function readPmcstat(bytes: Uint8Array, { maxNodes }: ImportOptions): ImportedProfile {
  const events = readEvents(bytes)
  const builder = new ProfileBuilder({
    format,
    sampleTypes:
      events.length === 0
        ? [{ type: 'samples', unit: 'count' }]
        : events.map(({ name }) => ({ type: name, unit: 'count' })),
    maxNodes,
  })
  const listed = events.map(() => 0)
  const path: Frame[] = []
  let event = 0
  let binary = ''
  let excess = 0
  let unreadableCount = 0
  let unreadable = ''
  const leave = () => {
    const { unclaimed } = path[path.length - 1]!
    if (unclaimed < 0) excess -= unclaimed
    if (unclaimed > 0) {
      let node = 0
      for (let depth = path.length - 1; depth >= 0; depth--)
        node = builder.child(node, path[depth]!.functionIndex)
      const values =
        events.length === 0 ? [unclaimed] : events.map((_, index) => (index === event ? unclaimed : 0))
      builder.add(node, values, { sampleCount: unclaimed })
    }
    path.pop()
  }
  for (const untrimmed of textLines(bytes, format)) {
    const line = untrimmed.trimEnd()
    const started = readEvent(line)
    const row = readRow(line)
    if (line === '') continue
    if (row === undefined && started === undefined) {
      unreadableCount++
      unreadable ||= line
      continue
    }
    const indent = row?.indent ?? -1
    while (path.length > 0 && path[path.length - 1]!.indent >= indent) leave()
    if (started !== undefined) event = events.findIndex(({ name }) => name === started.name)
    if (row === undefined) continue
    if (path.length === 0) listed[event] = (listed[event] ?? 0) + row.sampleCount
    else path[path.length - 1]!.unclaimed -= row.sampleCount
    binary = row.binary ?? binary
    const functionIndex = builder.functions.intern(row.name, binary)
    path.push({ functionIndex, indent: row.indent, unclaimed: row.sampleCount })
  }
  while (path.length > 0) leave()

  const warnings = events.flatMap(({ name, sampleCount }, index) =>
    sampleCount > listed[index]!
      ? [
          `Of ${sampleCount} samples of ${name}, pmcstat left out ${sampleCount - listed[index]!} in functions with few.`,
        ]
      : [],
  )
  if (excess > 0) warnings.push(`Callers have ${excess} samples more than what they called.`)
  if (unreadableCount > 0)
    warnings.push(`${unreadableCount} lines were not understood, the first one is ${quote(unreadable)}.`)
  return builder.finish({ warnings })
}

/** Every event once, with all of its samples. */
function readEvents(bytes: Uint8Array): { name: string; sampleCount: number }[] {
  const events = new Map<string, number>()
  for (const line of textLines(bytes, format)) {
    const event = readEvent(line.trimEnd())
    if (event !== undefined) events.set(event.name, (events.get(event.name) ?? 0) + event.sampleCount)
    if (events.size > 64) throw new FormatError('more than 64 events', { format })
  }
  return [...events].map(([name, sampleCount]) => ({ name, sampleCount }))
}

function readEvent(line: string): { name: string; sampleCount: number } | undefined {
  if (!line.startsWith('@ ')) return undefined
  const [, name, count] = /^@ (\S+) \[(\d{1,15}) samples?\]$/.exec(line) ?? []
  return name === undefined ? undefined : { name, sampleCount: Number(count) }
}

function readRow(line: string): Row | undefined {
  const indent = line.length - line.trimStart().length
  const [, count, rest] = /^\d{1,3}\.\d+%\s+\[(\d{1,15})\]\s+(\S.*)$/.exec(line.slice(indent)) ?? []
  if (rest === undefined) return undefined
  const at = rest.lastIndexOf(' @ ')
  return {
    indent,
    sampleCount: Number(count),
    name: at < 0 ? rest : rest.slice(0, at),
    binary: at < 0 ? undefined : rest.slice(at + 3),
  }
}
