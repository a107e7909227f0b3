import type { LiveProgram } from '../push.ts'
import type { Reading } from '../reading.ts'
import { metricReadings } from './metric-readings.ts'
import { readMetrics } from './read-metrics.ts'
import { readSpans } from './read-spans.ts'
import { identityOfMetrics, identityOfSpans } from './request-identity.ts'
import { programOf } from './resource-program.ts'
import type { Attributes } from './shapes.ts'
import { spanCalls, type Call } from './span-calls.ts'

/** What a program sent: what happened since it sent before, and how its metrics stand. */
export interface OtlpReceived {
  session: string
  program: LiveProgram
  calls: readonly Call[]
  readings: readonly Reading[]
  /** The same when the same comes again; undefined when that does not matter, or cannot be known. */
  identity: string | undefined
}

export type OtlpSignal = 'metrics' | 'traces'

/** What a request as OTLP/JSON has it says, program by program. @throws OtlpError */
export function otlpReceived(signal: OtlpSignal, request: unknown): OtlpReceived[] {
  return signal === 'metrics'
    ? bySession(readMetrics(request), ({ metrics }) => ({
        calls: [],
        readings: metrics.flatMap(metricReadings),
        identity: identityOfMetrics(metrics),
      }))
    : bySession(readSpans(request), ({ spans }) => ({
        calls: spans.flatMap(spanCalls),
        readings: [],
        identity: identityOfSpans(spans),
      }))
}

interface Gathered extends Pick<OtlpReceived, 'session' | 'program'> {
  calls: Call[]
  readings: Reading[]
  /** Of each part; undefined when one of them has none. */
  identities: string[] | undefined
}

/** A request may have several parts of one program, and as many as it likes: what each costs does not grow with those before. */
function bySession<Part extends { resource: Attributes }>(
  parts: readonly Part[],
  read: (part: Part) => Pick<OtlpReceived, 'calls' | 'readings' | 'identity'>,
): OtlpReceived[] {
  const found = new Map<string, Gathered>()
  const known = new Map<string, ReturnType<typeof programOf>>()
  for (const part of parts) {
    const words = JSON.stringify([...part.resource])
    const { session, program } = known.get(words) ?? programOf(part.resource)
    known.set(words, { session, program })
    const all = found.get(session) ?? { session, program, calls: [], readings: [], identities: [] }
    found.set(session, all)
    const { calls, readings, identity } = read(part)
    all.program = program
    for (const call of calls) all.calls.push(call)
    for (const reading of readings) all.readings.push(reading)
    if (identity === undefined) all.identities = undefined
    else if (identity !== '') all.identities?.push(identity)
  }
  return [...found.values()]
    .filter(({ calls, readings }) => calls.length + readings.length > 0)
    .map(({ identities, ...each }) => ({ ...each, identity: identities?.join('\n') || undefined }))
}
