import { measureToolCalls, type createMetricsRegistry } from '@flamegate/runtime'
import type { PatientApiCaller } from './patient-api-caller.ts'

/**
 * The same way to the operations, of which every call is measured as the client sees it: over MCP each answer has the status
 * 200, so the metrics of requests do not tell how calls ended.
 */
export function measuredApiCaller(
  caller: PatientApiCaller,
  registry: ReturnType<typeof createMetricsRegistry>,
): PatientApiCaller {
  const noteCall = measureToolCalls(registry)
  return {
    async call(operation, input, origin, signal) {
      const startedAt = performance.now()
      const answer = await caller.call(operation, input, origin, signal)
      // Nobody waited for it, so it says nothing of what people see.
      if (signal?.aborted === true) return answer
      noteCall({
        operation: operation.id,
        status: answer.status,
        durationMs: performance.now() - startedAt,
      })
      return answer
    },
    refusalOf(operation, principal) {
      const answer = caller.refusalOf(operation, principal)
      if (answer !== undefined) noteCall({ operation: operation.id, status: answer.status, durationMs: 0 })
      return answer
    },
    close: () => caller.close(),
  }
}
