import { otlpPoints, type OtlpPoint } from './otlp-points.ts'
import { startOtlpServer } from './otlp-server.ts'
import { answerWithinMs, type Collector, type Reading } from './reading.ts'

/** Names are made up by programs. */
const namesMax = 5_000
/** Programs tell once a minute, if nobody says otherwise; what comes no more is gone. */
const forgetAfterMs = 180_000

/**
 * Listens on loopback for what programs push over OTLP/HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp
 * @throws Error when the port is taken
 */
export async function otlpCollector(port: number): Promise<Collector> {
  const latest = new LatestPoints()
  const firstCame = Promise.withResolvers<void>()
  const server = await startOtlpServer({
    host: '127.0.0.1',
    port,
    signals: ['metrics'],
    take(_signal, request) {
      for (const point of otlpPoints(request)) latest.add(point)
      firstCame.resolve()
    },
  })
  const waiting = AbortSignal.timeout(answerWithinMs)
  let hasWaited = false
  return {
    async read() {
      // Of the first one that asks: so that a check has something to show.
      if (!hasWaited) await Promise.race([firstCame.promise, aborted(waiting)])
      hasWaited = true
      return latest.readings()
    },
    close: () => server.close(),
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The newest value of each counter. What only rises is told as what was added per second between two points. */
class LatestPoints {
  readonly #latest = new Map<string, { reading: Reading; point: OtlpPoint; cameAtMs: number }>()

  add(point: OtlpPoint): void {
    const before = this.#latest.get(point.name)
    if (before === undefined && this.#latest.size >= namesMax) return
    const { name, unit, means } = point
    this.#latest.set(name, {
      reading: {
        name,
        unit: means === 'level' ? unit : `${unit}/s`,
        kind: 'gauge',
        value: valueOf(point, before?.point) ?? before?.reading.value ?? 0,
        isUsual: true,
      },
      point,
      cameAtMs: performance.now(),
    })
  }

  readings(): Reading[] {
    const oldest = performance.now() - forgetAfterMs
    for (const [name, { cameAtMs }] of this.#latest) if (cameAtMs < oldest) this.#latest.delete(name)
    return [...this.#latest.values()].map(({ reading }) => reading)
  }
}

/** @returns undefined where a time in which something was added is not known */
function valueOf(point: OtlpPoint, before: OtlpPoint | undefined): number | undefined {
  if (point.means === 'level') return point.value
  if (point.means === 'added') return perSecond(point.value, point.startMs || before?.atMs || 0, point.atMs)
  if (before === undefined) return undefined
  const isAnew = point.value < before.value
  return perSecond(isAnew ? point.value : point.value - before.value, before.atMs, point.atMs)
}

function perSecond(added: number, fromMs: number, toMs: number): number | undefined {
  return fromMs > 0 && toMs > fromMs ? (added * 1000) / (toMs - fromMs) : undefined
}
