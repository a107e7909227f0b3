import type { McpReport, McpResourceSample } from '@flamegate/mcp-profiling'
import type { InsideParts, WatchedInside } from '../inside/watched-inside.ts'
import type { WantedInside } from '../inside/inside.ts'
import type { OpenServer } from '../open-server.ts'
import type { LoadRecord } from './load-record.ts'
import { makeLoad, type LoadCall, type McpLoad } from './make-load.ts'
import type { PlannedOperation } from './planned-operation.ts'
import { OtherWork } from './other-work.ts'
import { ProcessTree } from './process-tree.ts'

const sampleEveryMs = 500
/** An operation that has run for so long is warm: one may take ten seconds a call. */
const warmUpMsMax = 5000
/** Above these it is us who are measured: share of the time in which we had no idle moment, and how late calls were sent. */
const busyMax = 0.9
const sendLagMsMax = 10

/** What a load found: those parts of a report that it fills. */
export type MeasuredLoad = Pick<McpReport, 'operations' | 'resources'> &
  InsideParts & {
    load: NonNullable<McpReport['load']>
  }

export interface MeasureLoadOptions {
  interruption: AbortSignal
  /** Calls of each operation before it begins, which are not counted. */
  warmUpCalls: number
  /** Told about every half second. */
  onProgress: (record: LoadRecord) => void
  /** Of the server, where somebody wants to see it. */
  inside?: WatchedInside | undefined
  /** Less of it than was prepared for. */
  insidePart?: WantedInside | undefined
  /** Whether the use of the machine is sampled. */
  watchesProcesses: boolean
  /** Hears of each call, with the moments of its way. */
  onCall?: ((call: LoadCall) => void) | undefined
}

/** Makes a load on a server that is open, and watches its processes meanwhile. */
export async function measureLoad(
  { session: { wire }, pid }: OpenServer,
  operations: readonly PlannedOperation[],
  load: McpLoad,
  options: MeasureLoadOptions,
): Promise<MeasuredLoad> {
  const { interruption, warmUpCalls, onProgress, inside, insidePart, watchesProcesses, onCall } = options
  for (const { requests } of operations) {
    const warmAtMs = performance.now() + warmUpMsMax
    for (let call = 0; call < warmUpCalls && performance.now() < warmAtMs && !interruption.aborted; call++) {
      const { failure } = await wire.call(requests[call % requests.length] ?? requests[0])
      if (failure !== null) break
    }
  }
  await inside?.begin(insidePart)
  const resources: McpResourceSample[] = []
  const watch = new Watch(watchesProcesses ? pid : undefined, resources)
  const others = new OtherWork()
  const cpuBefore = process.threadCpuUsage()
  const idleBefore = performance.eventLoopUtilization()
  const made = await makeLoad(load, operations, wire, {
    interruption,
    onBegin: (record) => watch.start(record, onProgress),
    onCall,
  })
  await watch.stop()
  const othersCpuShare = others.share(resources)
  const { utilization } = performance.eventLoopUtilization(idleBefore)
  const cpu = process.threadCpuUsage(cpuBefore)
  const { record } = made
  const seen = await inside?.end(record.beganAtMs)
  const notes: string[] = [...(seen?.notes ?? [])]
  if (warmUpCalls > 0) {
    notes.push(
      `Before it, each operation was called up to ${warmUpCalls} times to warm up, which is not counted.`,
    )
  }
  if (made.hasWaited)
    notes.push('So many calls were under way that later ones waited, which counts to their latency.')
  if (watchesProcesses && pid === undefined)
    notes.push(
      'The processes of the server are not known here, so that their use of the machine was not measured.',
    )
  if (load.model === 'closed' && record.started > 0) {
    notes.push(
      `Measuring took ${((cpu.user + cpu.system) / record.started).toFixed(0)} µs of processor for each call.`,
    )
  }
  return {
    operations: record.operations(),
    resources,
    inside: seen?.inside ?? null,
    profiles: seen?.profiles ?? [],
    notes,
    load: {
      model: load.model,
      concurrent: made.concurrentMax,
      targetRps: load.model === 'open' ? load.rps : null,
      rampUpMs: load.model === 'open' ? load.rampUpMs : 0,
      ...record.rates(),
      generatorLimited: limitOf(load.model, utilization, made.sendLagP99Ms),
      ...(resources.length === 0 ? {} : { othersCpuShare }),
    },
  }
}

/** In the open model we stay awake for the next call, so that being busy says nothing. */
function limitOf(model: McpLoad['model'], utilization: number, sendLagP99Ms: number): string | null {
  if (model === 'closed') return generatorLimit(utilization)
  return sendLagP99Ms > sendLagMsMax
    ? `One call of a hundred was sent more than ${sendLagP99Ms.toFixed(1)} ms late, for no fault of the server.`
    : null
}

/** Of the closed model: why the numbers are not the server's. `busyShare` is that of the time, 0 to 1. */
export function generatorLimit(busyShare: number): string | null {
  return busyShare > busyMax
    ? `What measures was busy ${Math.round(100 * busyShare)} % of the time: the server may be faster than this.`
    : null
}

/** Samples of the processes while a load runs. */
class Watch {
  readonly #tree: ProcessTree | undefined
  readonly #samples: McpResourceSample[]
  #timer: NodeJS.Timeout | undefined
  #last: Promise<void> = Promise.resolve()
  #beganAtMs = 0

  constructor(pid: number | undefined, samples: McpResourceSample[]) {
    this.#tree = pid === undefined ? undefined : new ProcessTree(pid)
    this.#samples = samples
  }

  start(record: LoadRecord, onProgress: (record: LoadRecord) => void): void {
    this.#beganAtMs = record.beganAtMs
    // Of this one the next ones are told from.
    void this.#tree?.sample(this.#beganAtMs)
    this.#timer = setInterval(() => {
      onProgress(record)
      this.#last = this.#sample()
    }, sampleEveryMs)
  }

  /** With a last sample, so that a short load has one too. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#last
    await this.#sample()
  }

  async #sample(): Promise<void> {
    const sample = await this.#tree?.sample(this.#beganAtMs)
    if (sample !== undefined) this.#samples.push(sample)
  }
}
