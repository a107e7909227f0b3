import type { McpOperation } from '@flamegate/mcp-profiling'
import { makeLoad } from '../load/make-load.ts'
import type { PlannedOperation } from '../load/planned-operation.ts'
import { ProcessTree } from '../load/process-tree.ts'
import type { OpenServer } from '../open-server.ts'
import { joinSlices } from './join-operations.ts'
import type { SideBlock } from './side.ts'

/** A server that is open, and what is called. */
export interface Ready {
  server: OpenServer
  operations: readonly PlannedOperation[]
  concurrent: number
}

export interface MeasurePairOptions {
  /** Of each side, at least. */
  blockMs: number
  /** Calls of each operation before it, which are not counted. */
  warmUpCalls: number
  interruption: AbortSignal
}

/** Blocks are cut in so many slices, so that what others do on the machine falls on both sides alike. */
const slices = 8

/**
 * A block of each of two servers, which are both there all the time and loaded one at a time: in slices that follow one
 * another as A B, B A, A B …
 */
export async function measurePair(
  pair: readonly [Ready, Ready],
  { blockMs, warmUpCalls, interruption }: MeasurePairOptions,
): Promise<[SideBlock, SideBlock]> {
  for (const each of pair) await warmUp(each, warmUpCalls, interruption)
  const [first, second] = [new OpenBlock(pair[0]), new OpenBlock(pair[1])]
  await first.watch()
  await second.watch()
  for (let slice = 0; slice < slices; slice++) {
    const order = slice % 2 === 0 ? [first, second] : [second, first]
    for (const each of order) await each.measure(blockMs / slices, interruption)
  }
  return [await first.close(), await second.close()]
}

async function warmUp(
  { server, operations }: Ready,
  calls: number,
  interruption: AbortSignal,
): Promise<void> {
  for (const { requests } of operations) {
    for (let call = 0; call < calls && !interruption.aborted; call++) {
      const { failure } = await server.session.wire.call(requests[call % requests.length] ?? requests[0])
      if (failure !== null) break
    }
  }
}

/** The block of one side while it is measured. */
class OpenBlock {
  readonly #ready: Ready
  readonly #tree: ProcessTree | undefined
  readonly #slices: McpOperation[][] = []
  #watchedFromMs = 0
  #durationMs = 0
  #busyMs = 0
  #started = 0
  #ended = 0

  constructor(ready: Ready) {
    const { pid } = ready.server
    this.#ready = ready
    this.#tree = pid === undefined ? undefined : new ProcessTree(pid)
  }

  async watch(): Promise<void> {
    this.#watchedFromMs = performance.now()
    await this.#tree?.sample(0)
  }

  async measure(durationMs: number, interruption: AbortSignal): Promise<void> {
    const { server, operations, concurrent } = this.#ready
    const idleBefore = performance.eventLoopUtilization()
    const { record } = await makeLoad(
      { model: 'closed', concurrent, requests: undefined, durationMs },
      operations,
      server.session.wire,
      { interruption, blocks: 1 },
    )
    this.#busyMs += performance.eventLoopUtilization(idleBefore).active
    this.#durationMs += performance.now() - record.beganAtMs
    this.#started += record.started
    this.#ended += record.ended
    this.#slices.push(record.operations())
  }

  async close(): Promise<SideBlock> {
    const sample = await this.#tree?.sample(this.#watchedFromMs)
    const [first = [], ...rest] = this.#slices
    return {
      operations: first.map((each, at) => joinSlices([each, ...rest.flatMap((slice) => slice[at] ?? [])])),
      busyMs: this.#busyMs,
      started: this.#started,
      turn: {
        durationMs: this.#durationMs,
        ended: this.#ended,
        cpuMs: sample === undefined ? null : (sample.cpuPercent / 100) * sample.atMs,
        rssBytes: sample?.rssBytes ?? null,
      },
    }
  }
}
