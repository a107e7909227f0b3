import { randomUUID } from 'node:crypto'
import {
  addedTo,
  prometheusReadings,
  type ExpositionSample,
  type ItemsBefore,
  type LivePart,
  type LiveProgram,
} from '@flamegate/live'

/** Two answers of one process may differ by so much in when it began. */
const startToleranceSeconds = 2

/** What tells in which language a program is: client libraries for Prometheus say so themselves. */
const languages: Readonly<Record<string, string>> = {
  go_info: 'go',
  python_info: 'python',
  nodejs_version_info: 'nodejs',
  jvm_info: 'java',
  jvm_runtime_info: 'java',
}

/** One run of what is scraped: its counters count on from one scrape to the next. */
export class ScrapedRun {
  readonly session = `prometheus-${randomUUID()}`
  #samples: readonly ExpositionSample[] = []
  #items: ItemsBefore = new Map()

  /** Whether the samples are of another run: it began at another time, or where that is not said, most counters fell. */
  isOver(samples: readonly ExpositionSample[]): boolean {
    const [before, now] = [startSeconds(this.#samples), startSeconds(samples)]
    if (before !== undefined && now !== undefined) return Math.abs(now - before) > startToleranceSeconds
    const was = countersOf(this.#samples)
    const known = [...countersOf(samples)].filter(([name]) => was.has(name))
    return known.filter(([name, value]) => value < (was.get(name) ?? 0)).length > known.length / 2
  }

  /** How it stands: a series that is not told any more is gone. */
  take(samples: readonly ExpositionSample[], atMs: number): LivePart {
    this.#samples = samples
    const readings = prometheusReadings(samples, atMs)
    const told = new Set(readings.map(({ name }) => name))
    const items = this.#items.get('gauges')?.items.filter(({ name }) => told.has(name)) ?? []
    const part = addedTo(new Map([['gauges', { items }]]), { calls: [], readings }, atMs)
    const gauges = part.sections.gauges ?? { status: 'on' as const, items: [] }
    this.#items = new Map([['gauges', gauges]])
    return { at: atMs, sections: { gauges }, logs: part.logs }
  }
}

/** @param target its address, which is all that is known of most */
export function scrapedProgram(target: URL, samples: readonly ExpositionSample[]): LiveProgram {
  const info = samples.find(({ name }) => Object.hasOwn(languages, name))
  const language = info && languages[info.name]
  const version = info?.labels.find(([name]) => name === 'version')?.[1]
  const startedAt = startSeconds(samples)
  return {
    name: target.host,
    source: 'prometheus',
    ...(language === undefined ? {} : { language }),
    ...(version === undefined ? {} : { runtime: version.slice(0, 500) }),
    ...(startedAt === undefined ? {} : { started_at: startedAt * 1000 }),
  }
}

/** https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics */
function startSeconds(samples: readonly ExpositionSample[]): number | undefined {
  return samples.find(({ name, labels }) => name === 'process_start_time_seconds' && labels.length === 0)
    ?.value
}

function countersOf(samples: readonly ExpositionSample[]): Map<string, number> {
  const counters = samples.filter(({ name, type }) => type === 'counter' && !name.endsWith('_created'))
  return new Map(counters.map(({ name, labels, value }) => [JSON.stringify([name, labels]), value]))
}
