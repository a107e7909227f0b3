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

/** A request may have several parts of one program. */
function bySession<Part extends { resource: Attributes }>(
  parts: readonly Part[],
  read: (part: Part) => Pick<OtlpReceived, 'calls' | 'readings' | 'identity'>,
): OtlpReceived[] {
  const found = new Map<string, OtlpReceived>()
  for (const part of parts) {
    const { session, program } = programOf(part.resource)
    const { calls, readings, identity } = read(part)
    const before = found.get(session) ?? { calls: [], readings: [], identity: '' }
    found.set(session, {
      session,
      program,
      calls: [...before.calls, ...calls],
      readings: [...before.readings, ...readings],
      identity:
        before.identity === undefined || identity === undefined
          ? undefined
          : [before.identity, identity].filter((each) => each !== '').join('\n'),
    })
  }
  return [...found.values()]
    .filter(({ calls, readings }) => calls.length + readings.length > 0)
    .map((each) => ({ ...each, identity: each.identity || undefined }))
}
