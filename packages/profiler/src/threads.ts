import type { LiveItem } from '@flamegate/live'
import { totalmem } from 'node:os'
import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import { nsPerMs } from './clock.ts'
import type { Clock } from './clock.ts'
import { percent } from './event-loop.ts'

const nsPerUs = 1000
const bytesPerKb = 1024

interface CpuUsage {
  /** Microseconds. */
  user: number
  system: number
}

interface HeapUsage {
  heap_used: number
  heap_total: number
}

/** What newer versions of Node.js tell of a worker, from 24.6 and 24.0 on. */
interface TellingWorker {
  cpuUsage?: () => Promise<CpuUsage>
  getHeapStatistics?: () => Promise<{ used_heap_size: number; total_heap_size: number }>
}

/** The process, its main thread, and the worker threads that it began since we look. */
export class ThreadsMeter {
  readonly #now: Clock
  readonly #workers = new Map<Worker, WorkerMeter>()
  readonly #shares = new Map<string, ShareOfTime>()
  readonly #noteWorker = (worker: Worker): void => {
    const { threadId } = worker
    const name = `worker ${threadId}`
    this.#workers.set(worker, new WorkerMeter(worker, name))
    worker.once('exit', () => {
      this.#workers.delete(worker)
      this.#shares.delete(name)
    })
  }

  constructor(now: Clock) {
    this.#now = now
    process.on('worker', this.#noteWorker)
  }

  stop(): void {
    process.off('worker', this.#noteWorker)
  }

  threads(): LiveItem[] {
    const heaps = [heapOfThisThread(), ...this.#workerMeters().map(({ heap }) => heap)].filter(
      (heap) => heap !== undefined,
    )
    const whole = this.#item('process', process.cpuUsage(), {
      heap_used: sum(heaps.map((heap) => heap.heap_used)),
      heap_total: sum(heaps.map((heap) => heap.heap_total)),
    })
    const items = [
      {
        ...whole,
        levels: {
          ...whole.levels,
          rss: process.memoryUsage.rss(),
          rss_max: process.resourceUsage().maxRSS * bytesPerKb,
          memory_limit: memoryLimitBytes(),
        },
      },
      this.#item('main', threadCpuUsage(), heapOfThisThread()),
    ]
    for (const { name, cpu, heap } of this.#workerMeters()) items.push(this.#item(name, cpu, heap))
    for (const worker of this.#workerMeters()) worker.ask()
    return items
  }

  /** How busy each worker is, as far as this thread can tell. */
  runtime(): LiveItem[] {
    return this.#workerMeters().map((worker) => worker.readRuntime())
  }

  #workerMeters(): WorkerMeter[] {
    return [...this.#workers.values()]
  }

  #item(name: string, cpu: CpuUsage | undefined, heap: HeapUsage | undefined): LiveItem {
    let share = this.#shares.get(name)
    if (share === undefined) this.#shares.set(name, (share = new ShareOfTime()))
    return {
      id: name,
      name,
      ...(cpu && { counters: { cpu_user: cpu.user * nsPerUs, cpu_system: cpu.system * nsPerUs } }),
      levels: { ...heap, ...(cpu && share.since(this.#now(), (cpu.user + cpu.system) / 1000)) },
    }
  }
}

/** A worker answers in its own time: what is told is its last answer. */
class WorkerMeter {
  readonly name: string
  readonly #worker: Worker
  cpu: CpuUsage | undefined
  heap: HeapUsage | undefined
  #last: ReturnType<typeof performance.eventLoopUtilization> | undefined

  constructor(worker: Worker, name: string) {
    this.#worker = worker
    this.name = name
    this.ask()
  }

  ask(): void {
    const worker = this.#worker as TellingWorker
    worker.cpuUsage?.().then((cpu) => (this.cpu = cpu), ignoreThatItIsGone)
    worker
      .getHeapStatistics?.()
      .then(
        (heap) => (this.heap = { heap_used: heap.used_heap_size, heap_total: heap.total_heap_size }),
        ignoreThatItIsGone,
      )
  }

  readRuntime(): LiveItem {
    const total = this.#worker.performance.eventLoopUtilization()
    const since = this.#last && performance.eventLoopUtilization(total, this.#last)
    this.#last = total
    return {
      id: this.name,
      name: this.name,
      counters: {
        active_ns: Math.round(total.active * nsPerMs),
        idle_ns: Math.round(total.idle * nsPerMs),
      },
      ...(since && { levels: { utilization_percent: percent(since.utilization) } }),
    }
  }
}

/** Processor time as a share of the time between two looks. */
class ShareOfTime {
  #last: { at: number; busyMs: number } | undefined
  #max = 0

  since(at: number, busyMs: number): { cpu_percent?: number; cpu_percent_max?: number } {
    const last = this.#last
    this.#last = { at, busyMs }
    if (last === undefined || at <= last.at) return {}
    const share = percent((busyMs - last.busyMs) / (at - last.at))
    this.#max = Math.max(this.#max, share)
    return { cpu_percent: share, cpu_percent_max: this.#max }
  }
}

function heapOfThisThread(): HeapUsage {
  const { used_heap_size, total_heap_size } = getHeapStatistics()
  return { heap_used: used_heap_size, heap_total: total_heap_size }
}

/** What its container lets the process have, or all that the machine has. */
function memoryLimitBytes(): number {
  const ofMachine = totalmem()
  const constrained = process.constrainedMemory()
  // Without a limit some systems say zero, and some a number beyond all memory.
  return constrained > 0 ? Math.min(constrained, ofMachine) : ofMachine
}

/** From Node.js 23.9 on. */
function threadCpuUsage(): CpuUsage | undefined {
  return (process as { threadCpuUsage?: () => CpuUsage }).threadCpuUsage?.()
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0)
}

function ignoreThatItIsGone(): void {}
