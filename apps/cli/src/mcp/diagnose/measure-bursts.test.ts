import { expect, test } from 'vitest'
import type { PlannedOperation } from '../load/planned-operation.ts'
import type { CallFailure, McpWire, PreparedRequest } from '../session/wire.ts'
import { measureBursts } from './measure-bursts.ts'

const request: PreparedRequest = { prefix: '', suffix: '', bytes: 0, head: '' }
const interruption = new AbortController().signal

function operation(name: string): PlannedOperation {
  return { method: 'tools/call', name, requests: [request] }
}

/**
 * A wire with a clock of its own, on which each call takes 10, so that no machine is too slow for it. `fails` hears how many are
 * under way with the call, itself too.
 */
function wireWith({
  connections,
  fails,
}: {
  connections: number
  fails: (underWay: number) => CallFailure['kind'] | null
}): McpWire {
  let nowMs = 0
  let underWay = 0
  let freeAtMs: number[] = []
  return {
    prepare: () => request,
    open: () => Promise.resolve(),
    close: () => {},
    async call() {
      underWay++
      if (freeAtMs.length === 0) freeAtMs = Array.from({ length: connections }, () => nowMs)
      const sentAtMs = Math.min(...freeAtMs)
      freeAtMs[freeAtMs.indexOf(sentAtMs)] = sentAtMs + 10
      const kind = fails(underWay)
      await Promise.resolve()
      underWay--
      nowMs = Math.max(nowMs, sentAtMs + 10)
      if (underWay === 0) freeAtMs = []
      return {
        sentAtMs,
        endedAtMs: sentAtMs + 10,
        firstEventAtMs: null,
        serverTimeMs: null,
        requestBytes: 1,
        resultBytes: 1,
        result: {},
        failure: kind === null ? null : { kind, code: null, message: 'It is taken.' },
      }
    },
  }
}

test('each operation is called several times at the same moment, however short the time is, and as often alone', async () => {
  const wire = wireWith({ connections: 8, fails: (underWay) => (underWay > 1 ? 'is_error' : null) })
  const bursts = await measureBursts(wire, [operation('reserve'), operation('read')], {
    durationMs: 0,
    interruption,
  })
  const failures = [{ kind: 'is_error', code: null, count: 21, message: 'It is taken.' }]
  const seen = {
    concurrent: 8,
    alone: { calls: 24, failures: [] },
    together: { calls: 24, overlapped: 24, failures },
  }
  expect(bursts).toEqual([
    { operation: 'reserve', ...seen },
    { operation: 'read', ...seen },
  ])
})

test('calls that had to wait for one another did not overlap', async () => {
  const [burst] = await measureBursts(
    wireWith({ connections: 1, fails: () => null }),
    [operation('reserve')],
    {
      durationMs: 0,
      interruption,
    },
  )
  expect(burst?.together).toEqual({ calls: 24, overlapped: 0, failures: [] })
})

test('a server that ended is not asked again, and an interruption ends it', async () => {
  const ended = await measureBursts(
    wireWith({ connections: 8, fails: () => 'ended' }),
    [operation('reserve'), operation('read')],
    { durationMs: 0, interruption },
  )
  expect(ended).toMatchObject([{ alone: { calls: 0 }, together: { calls: 8 } }])
  const wire = wireWith({ connections: 8, fails: () => null })
  expect(
    await measureBursts(wire, [operation('read')], { durationMs: 0, interruption: AbortSignal.abort() }),
  ).toEqual([])
})
