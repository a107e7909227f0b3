import { operationTitle, type McpReport } from '@flamegate/mcp-profiling'
import { OperationRecord } from '../load/operation-record.ts'
import type { PlannedOperation } from '../load/planned-operation.ts'
import type { McpWire, WireAnswer } from '../session/wire.ts'

type Burst = NonNullable<McpReport['bursts']>[number]

/** Calls that are sent at the same moment, and as many one after the other. */
const concurrent = 8
/** So often each operation has its turn, however slow the machine is, unless that takes longer altogether. */
const roundsMin = 3
const longestMs = 10_000

/**
 * Calls each operation by itself, several times at the same moment and then as often one call after the other, in turns. In a load
 * of all operations two calls of one are under way at the same time by chance; here they are.
 */
export async function measureBursts(
  wire: McpWire,
  operations: readonly PlannedOperation[],
  { durationMs, interruption }: { durationMs: number; interruption: AbortSignal },
): Promise<Burst[]> {
  await wire.open(concurrent)
  const bursts: Burst[] = []
  for (const operation of operations) {
    if (interruption.aborted) break
    const { burst, isEnded } = await burstsOf(wire, operation, {
      durationMs: durationMs / operations.length,
      interruption,
    })
    bursts.push(burst)
    if (isEnded) break
  }
  return bursts
}

async function burstsOf(
  wire: McpWire,
  operation: PlannedOperation,
  { durationMs, interruption }: { durationMs: number; interruption: AbortSignal },
): Promise<{ burst: Burst; isEnded: boolean }> {
  const { requests } = operation
  const [alone, together] = [new OperationRecord(0), new OperationRecord(0)]
  let overlapped = 0
  let isEnded = false
  let turn = 0
  const call = async (record: OperationRecord): Promise<WireAnswer> => {
    const answer = await wire.call(requests[turn++ % requests.length] ?? requests[0])
    record.add(answer, answer.endedAtMs - answer.sentAtMs, 0)
    if (answer.failure?.kind === 'ended') isEnded = true
    return answer
  }
  const beganAtMs = performance.now()
  const isOver = (rounds: number): boolean => {
    const endMs = rounds < roundsMin ? Math.max(durationMs, longestMs) : durationMs
    return isEnded || interruption.aborted || performance.now() - beganAtMs >= endMs
  }
  for (let rounds = 0; !isOver(rounds); rounds++) {
    overlapped += overlappedOf(await Promise.all(Array.from({ length: concurrent }, () => call(together))))
    for (let calls = 0; calls < concurrent && !isOver(rounds); calls++) await call(alone)
  }
  const [aloneSeen, togetherSeen] = [alone.toReport(operation), together.toReport(operation)]
  return {
    burst: {
      operation: operationTitle(operation),
      concurrent,
      alone: { calls: aloneSeen.calls, failures: aloneSeen.failures },
      together: { calls: togetherSeen.calls, overlapped, failures: togetherSeen.failures },
    },
    isEnded,
  }
}

/** How many of them were under way while another one was: they may have had to wait for a connection. */
function overlappedOf(answers: readonly WireAnswer[]): number {
  return answers.filter((one) =>
    answers.some(
      (other) => other !== one && other.sentAtMs < one.endedAtMs && one.sentAtMs < other.endedAtMs,
    ),
  ).length
}
