import type { McpReport } from '@flamegate/mcp-profiling'
import { CouldNotMeasure } from '../could-not-measure.ts'
import { planOperations } from '../load/plan-operations.ts'
import { withServer, type OpenServer } from '../open-server.ts'
import type { SessionOptions } from '../session/open-session.ts'
import { measurePair, type MeasurePairOptions } from './measure-pair.ts'
import { SideRecord, type Side } from './side.ts'

export interface TurnsOptions extends MeasurePairOptions {
  /** Of the reports. */
  command: string
  session: SessionOptions
  /** Asked after each pair of blocks; may look at what was measured. True ends it. */
  isEnough: (pairs: number, reports: () => readonly [McpReport, McpReport]) => boolean
  /** Told the number of the pair that begins. */
  onProgress: (pair: number) => void
}

/**
 * Measures two servers in turns, until it is enough. A server that is a command is started anew for each pair of blocks,
 * because two processes of one build differ, too: where its memory lies, what its compiler made of it. One at a URL stays.
 * @throws UsageError, CouldNotMeasure
 */
export async function measureTurns(
  sides: readonly [Side, Side],
  options: TurnsOptions,
): Promise<[McpReport, McpReport]> {
  const { session, interruption, command } = options
  const startedAt = new Date()
  const records: [SideRecord, SideRecord] = [new SideRecord(sides[0]), new SideRecord(sides[1])]
  const reports = (): [McpReport, McpReport] => [
    records[0].toReport({ command, startedAt }),
    records[1].toReport({ command, startedAt }),
  ]
  const opening = { ...session, interruption }
  const lasting = records.filter(({ side }) => side.target.kind === 'http')
  await withServers(lasting, opening, async (there) => {
    for (let pairs = 0; ;) {
      options.onProgress(pairs + 1)
      const order = pairs % 2 === 0 ? records : records.toReversed()
      const started = order.filter(({ side }) => side.target.kind === 'stdio')
      const openingAtMs = performance.now()
      await withServers(started, opening, (anew) => {
        // At least as long is measured as it took to open, so that most of the time is not spent on that.
        const openedMs = started.length === 0 ? 0 : performance.now() - openingAtMs
        const blockMs = Math.max(options.blockMs, openedMs / 2)
        return measureOnce(order, new Map([...there, ...anew]), { ...options, blockMs })
      })
      if (interruption.aborted) throw new CouldNotMeasure('It was stopped before it was done.')
      pairs += 1
      if (options.isEnough(pairs, reports)) break
    }
  })
  return reports()
}

async function measureOnce(
  order: readonly SideRecord[],
  servers: ReadonlyMap<SideRecord, OpenServer>,
  options: TurnsOptions,
): Promise<void> {
  const planned = await Promise.all(
    order.map(async (record) => {
      const server = servers.get(record)
      if (server === undefined) throw new RangeError('Each side has a server')
      const { operations, notes } = await planOperations(server, record.side.asked)
      return { record, notes, ready: { server, operations, concurrent: record.side.concurrent } }
    }),
  )
  const [one, other] = planned
  if (one === undefined || other === undefined) throw new RangeError('There are two sides')
  const blocks = await measurePair([one.ready, other.ready], options)
  if (options.interruption.aborted) return
  for (const [at, { record, ready, notes }] of [one, other].entries()) {
    const block = blocks[at]
    if (block !== undefined) record.add(ready.server, block, notes)
  }
}

/** Opens a session with each, which are all there at the same time, and closes them behind `use`. */
async function withServers<T>(
  records: readonly SideRecord[],
  options: SessionOptions & { interruption: AbortSignal },
  use: (servers: ReadonlyMap<SideRecord, OpenServer>) => Promise<T>,
): Promise<T> {
  const [first, ...rest] = records
  if (first === undefined) return use(new Map())
  return withServer(first.side.target, options, (server) =>
    withServers(rest, options, (others) => use(new Map([[first, server], ...others]))),
  )
}
