import { Gauge, type Registry } from 'prom-client'

export interface Reading {
  labels?: Readonly<Record<string, string>>
  value: number
}

export interface PolledGauge {
  name: string
  help: string
  labelNames?: readonly string[]
  read: () => readonly Reading[] | Promise<readonly Reading[]>
}

/** Whoever scrapes waits no longer than ten seconds by default, for all of them together. */
const readWithinMs = 3_000

/**
 * A gauge that is read when somebody scrapes. What cannot be read is not there: a scrape must not fail because the
 * database does, and an old number would look like news.
 */
export function addPolledGauge(registry: Registry, gauge: PolledGauge): void {
  const { name, help, labelNames = [], read } = gauge
  const polled = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [],
    async collect() {
      const readings = await inTime(read).catch(() => [])
      this.reset()
      for (const { labels = {}, value } of readings) this.set(labels, value)
    },
  })
  registry.registerMetric(polled)
}

/** Several gauges of one question, which is asked anew when the last answer is older than that. */
export function remembered<T>(ask: () => Promise<T>, forMs: number): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined
  return () => {
    if (last === undefined || performance.now() - last.at >= forMs) {
      last = { at: performance.now(), answer: ask() }
    }
    return last.answer
  }
}

async function inTime<T>(work: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('It took too long.')), readWithinMs)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
