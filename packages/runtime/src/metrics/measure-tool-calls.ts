import { Histogram, type Registry } from 'prom-client'

export interface MeasuredCall {
  operation: string
  /** What the same would have been answered with over REST. */
  status: number
  durationMs: number
}

/** Calls of tools; what is given back is told of each. Steps are few: there are more than a hundred operations. */
export function measureToolCalls(registry: Registry): (call: MeasuredCall) => void {
  const durations = new Histogram({
    name: 'flamegate_tool_call_duration_seconds',
    help: 'Time of a tool call, from the gateway to its answer; refused is what the caller did wrong, failed what we did.',
    labelNames: ['operation', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return ({ operation, status, durationMs }) =>
    durations.observe({ operation, outcome: outcomeOf(status) }, durationMs / 1_000)
}

function outcomeOf(status: number): 'ok' | 'refused' | 'failed' {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'ok'
}
