import type { BenchmarkResult, Environment } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { quote } from '../quote.ts'
import type { Reading } from '../reader.ts'
import type { WarningList } from '../warning-list.ts'
import { parseCallgrind } from './callgrind-file.ts'
import type { CallgrindFile, CallgrindPart } from './callgrind-file.ts'
import { partMetrics } from './part-metrics.ts'
import { resultFromMetrics } from './result-from-metrics.ts'

const CLIENT_REQUEST = 'Client Request: '
const METADATA = 'Metadata: '

/**
 * One result for each part in which something was counted. A part that the program asked for is named by what it called
 * it, any other by the command.
 */
export function readCallgrind(text: string, warnings: WarningList): Reading {
  const file = parseCallgrind(text)
  if (file.parts.length === 0) throw new FormatError('There is no part of a callgrind.out in the file', 1)
  return {
    environment: environmentOf(file),
    results: file.parts.flatMap((part) => readPart(part, file, warnings)),
  }
}

function readPart(part: CallgrindPart, file: CallgrindFile, warnings: WarningList): BenchmarkResult[] {
  if (part.trigger.startsWith(`${CLIENT_REQUEST}${METADATA}`)) return []
  const isAsked = part.trigger.startsWith(CLIENT_REQUEST)
  const name = isAsked ? part.trigger.slice(CLIENT_REQUEST.length) : programOf(file.command)
  if (part.totals === undefined) {
    warnings.add(part.lineNumber, `${quote(name)} has no totals, ignored; the file may be cut.`)
    return []
  }
  const isEmpty = [...part.totals.values()].every((count) => count === 0)
  // What is left at the end of a program that asked for its parts is nothing.
  if (isEmpty && !isAsked) return []
  const metrics = partMetrics(part.totals, part, warnings)
  const result = resultFromMetrics(
    { uri: name, name: isAsked ? (name.split('::').at(-1) ?? name) : name },
    metrics,
  )
  if (isEmpty || !result) warnings.add(part.lineNumber, `in ${quote(name)} nothing was counted, ignored.`)
  return isEmpty || !result ? [] : [result]
}

/** `/build/target/release/deps/sum-8b173c29ce041afa --bench` → `sum --bench`: folders and hashes change. */
function programOf(command: string): string {
  return command
    .split(' ')
    .map((word) => word.replace(/^(.*=)?\/(?:.*\/)?([^/]*)$/, '$1$2').replace(/^\.\//, ''))
    .map((word, index) => (index === 0 ? word.replace(/-[0-9a-f]{16}$/, '') : word))
    .join(' ')
    .trim()
}

function environmentOf({ creator, caches, parts }: CallgrindFile): Environment {
  const [, version] = /^callgrind-(.+)$/.exec(creator) ?? []
  const metadata = parts.find(({ trigger }) => trigger.startsWith(`${CLIENT_REQUEST}${METADATA}`))?.trigger
  const [, harness, harnessVersion] = /Metadata: (\S+) (\S+)$/.exec(metadata ?? '') ?? []
  return {
    ...(version !== undefined && { 'library:valgrind': version }),
    ...(harness !== undefined && { [`library:${harness}`]: harnessVersion ?? '' }),
    ...Object.fromEntries([...caches].map(([cache, size]) => [cache.toLowerCase().replace(' ', '_'), size])),
  }
}
