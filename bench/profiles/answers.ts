import { parseAnnotated } from '../../packages/profiles/src/testing/callgrind-annotate.ts'
import { parseTop } from '../../packages/profiles/src/testing/pprof-top.ts'
import type { Answer } from './subjects/figures.ts'

/** Whether two say the same, of what both tell. Functions of equal values may be in any order. */
export function areEqual(ours: Answer, theirs: Answer): boolean {
  if (ours.total !== theirs.total) return false
  if (ours.nodes !== undefined && theirs.nodes !== undefined && ours.nodes !== theirs.nodes) return false
  return theirs.top.every(([name, self, total], index) => {
    const own = ours.top.find((row) => row[0] === name) ?? ours.top[index]
    return own?.[1] === self && (total === 0 || own[2] === total)
  })
}

/** Of `go tool pprof -top -unit=ns`. */
export function answerOfGoTool(output: string): Answer {
  const total = Number(/of (\d+)ns total/.exec(output)?.[1] ?? /Total samples = (\d+)ns/.exec(output)?.[1])
  const rows = parseTop(output).slice(0, 10)
  return { total, top: rows.map(({ function: name, flat, cum }) => [name, flat, cum]) }
}

/** Of `callgrind_annotate`: it names files and binaries too, and functions of several files are several rows. */
export function answerOfAnnotate(output: string): Answer {
  const [, total = ''] = /^\s*([\d,]+)\s+PROGRAM TOTALS/m.exec(output) ?? []
  const rows = [...parseAnnotated(output)].slice(0, 10)
  return {
    total: Number(total.replaceAll(',', '')),
    top: rows.map(([place, self]) => [place.slice(place.indexOf(':') + 1), self, 0]),
  }
}

/** What is read of `jfr print --json`. */
interface PrintedRecording {
  recording: { events: { values: { stackTrace: { frames: PrintedFrame[] } | null } }[] }
}
interface PrintedFrame {
  method: { name: string; type: { name: string } }
}

/**
 * Of `jfr print --json --events jdk.ExecutionSample`. Not of what it prints for people: there it leaves out the frames that the
 * JVM hides, such as those of lambdas, and names their callers instead.
 */
export function answerOfJfrPrint(output: string): Answer {
  const printed: PrintedRecording = JSON.parse(output)
  const { events } = printed.recording
  const counts = new Map<string, number>()
  for (const { values } of events) {
    const method = values.stackTrace?.frames[0]?.method
    const name = method === undefined ? '' : `${method.type.name.replaceAll('/', '.')}.${method.name}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const top = [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, 10)
  return { total: events.length, top: top.map(([name, count]) => [name, count, 0]) }
}
