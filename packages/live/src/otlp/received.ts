import type { LiveProgram } from '../push.ts'
import type { Reading } from '../reading.ts'
import { metricReadings } from './metric-readings.ts'
import { readMetrics } from './read-metrics.ts'
import { readSpans } from './read-spans.ts'
import { programOf } from './resource-program.ts'
import type { Attributes } from './shapes.ts'
import { spanCalls, type Call } from './span-calls.ts'

/** What a program sent: what happened since it sent before, and how its metrics stand. */
export interface OtlpReceived {
  session: string
  program: LiveProgram
  calls: readonly Call[]
  readings: readonly Reading[]
}

export type OtlpSignal = 'metrics' | 'traces'

/** What a request as OTLP/JSON has it says, program by program. @throws OtlpError */
export function otlpReceived(signal: OtlpSignal, request: unknown): OtlpReceived[] {
  return signal === 'metrics'
    ? bySession(readMetrics(request), ({ metrics }) => ({
        calls: [],
        readings: metrics.flatMap(metricReadings),
      }))
    : bySession(readSpans(request), ({ spans }) => ({ calls: spans.flatMap(spanCalls), readings: [] }))
}

/** A request may have several parts of one program. */
function bySession<Part extends { resource: Attributes }>(
  parts: readonly Part[],
  read: (part: Part) => Pick<OtlpReceived, 'calls' | 'readings'>,
): OtlpReceived[] {
  const found = new Map<string, OtlpReceived>()
  for (const part of parts) {
    const { session, program } = programOf(part.resource)
    const { calls, readings } = read(part)
    const before = found.get(session)
    found.set(session, {
      session,
      program,
      calls: [...(before?.calls ?? []), ...calls],
      readings: [...(before?.readings ?? []), ...readings],
    })
  }
  return [...found.values()].filter(({ calls, readings }) => calls.length + readings.length > 0)
}
