import { monitorEventLoopDelay } from 'node:perf_hooks'
import { generatorGauges } from '@flamegate/series'
import type { GeneratorGauge } from '@flamegate/series'

/** Watches the thread that it is in. */
export class GeneratorHealth {
  readonly #delay = monitorEventLoopDelay({ resolution: 10 })
  #cpu = process.threadCpuUsage()
  #since = performance.now()
  #sendLagMaxMs = 0

  start(): void {
    this.#delay.enable()
  }

  stop(): void {
    this.#delay.disable()
  }

  noteLag(ms: number): void {
    if (ms > this.#sendLagMaxMs) this.#sendLagMaxMs = ms
  }

  /** In the order of `generatorGauges`, since the last time. `idleMs`: for which it was awake with nothing to do. */
  take(idleMs: number, connections: number): Float64Array {
    const now = performance.now()
    const cpu = process.threadCpuUsage()
    const usedMs = (cpu.user + cpu.system - this.#cpu.user - this.#cpu.system) / 1000
    const values: Record<GeneratorGauge, number> = {
      cpu_permille: Math.max(0, Math.round((1000 * (usedMs - idleMs)) / Math.max(1, now - this.#since))),
      // It counts from one turn of its own to the next, and is told 0 when it has had none.
      event_loop_delay_max_us: this.#delay.count === 0 ? 0 : Math.round(this.#delay.max / 1000),
      send_lag_max_us: Math.round(this.#sendLagMaxMs * 1000),
      rss_bytes: process.memoryUsage.rss(),
      connections,
    }
    this.#delay.reset()
    this.#cpu = cpu
    this.#since = now
    this.#sendLagMaxMs = 0
    return Float64Array.from(generatorGauges, (gauge) => values[gauge])
  }
}

/** Above these a generator measures itself: of one core, and microseconds. */
const cpuPermilleMax = 900
const delayUsMax = 100_000

/**
 * Why a second of one generator says more about the generator than about the target; empty where it does not. It is limited when
 * its thread had less than a tenth of a core left, when nothing could happen in it for more than 100 ms, or when something was sent
 * more than 100 ms after it was due though nothing but the generator held it back.
 */
export function generatorLimits(gauges: Float64Array): GeneratorGauge[] {
  const value = (gauge: GeneratorGauge) => gauges[generatorGauges.indexOf(gauge)] ?? 0
  const limits: GeneratorGauge[] = []
  if (value('cpu_permille') > cpuPermilleMax) limits.push('cpu_permille')
  if (value('event_loop_delay_max_us') > delayUsMax) limits.push('event_loop_delay_max_us')
  if (value('send_lag_max_us') > delayUsMax) limits.push('send_lag_max_us')
  return limits
}
