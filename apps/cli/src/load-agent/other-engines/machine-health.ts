import { cpus } from 'node:os'
import { generatorGauges, type GeneratorGauge } from '@flamegate/series'

/**
 * How busy the machine is, as a generator tells it of its thread. An engine that others made takes all cores, so it is limited where the
 * machine has less than a tenth of them left.
 */
export class MachineHealth {
  #before = machineTimes()

  /** In the order of `generatorGauges`, since the last time. */
  take(): Float64Array {
    const now = machineTimes()
    const [busyMs, allMs] = [now.busyMs - this.#before.busyMs, now.allMs - this.#before.allMs]
    this.#before = now
    const values: Partial<Record<GeneratorGauge, number>> = {
      cpu_permille: allMs > 0 ? Math.max(0, Math.round((1000 * busyMs) / allMs)) : 0,
      rss_bytes: process.memoryUsage.rss(),
    }
    return Float64Array.from(generatorGauges, (gauge) => values[gauge] ?? 0)
  }
}

function machineTimes(): { busyMs: number; allMs: number } {
  let [busyMs, allMs] = [0, 0]
  for (const { times } of cpus()) {
    const all = times.user + times.nice + times.sys + times.idle + times.irq
    allMs += all
    busyMs += all - times.idle
  }
  return { busyMs, allMs }
}
