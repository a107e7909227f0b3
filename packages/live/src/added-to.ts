import { fingerprint } from './fingerprint.ts'
import { liveLimits, type LiveSection } from './limits.ts'
import type { Call } from './otlp/span-calls.ts'
import { plainText } from './plain-text.ts'
import type { LiveDistribution, LiveItem, LiveLog, ReceivedLivePush } from './push.ts'
import { histogramSum } from './questions/histogram.ts'
import type { Reading } from './reading.ts'
import { slotOf } from './slots.ts'

/** How a session stood: its items, section by section. */
export type ItemsBefore = ReadonlyMap<LiveSection, { items: readonly LiveItem[] }>

/**
 * How a session stands after what came: for who tells what happened since, and not how it stands. Only sections that something came
 * to are told, each with all its items.
 * @param nowMs nothing is later, whatever the clock of the program says
 */
export function addedTo(
  before: ItemsBefore,
  { calls, readings }: { calls: readonly Call[]; readings: readonly Reading[] },
  nowMs: number,
): Pick<ReceivedLivePush, 'sections' | 'logs'> {
  const logs: LiveLog[] = []
  const sections: ReceivedLivePush['sections'] = {}
  for (const [section, ofSection] of Map.groupBy(calls, (call) => call.section)) {
    const items = new SectionItems(before.get(section)?.items)
    for (const [name, ofItem] of Map.groupBy(ofSection, (call) => nameOf(call.name))) {
      const item = items.change(name, (was) => afterCalls(was, ofItem))
      if (item !== undefined) logs.push(logOf(section, item, ofItem))
    }
    sections[section] = items.told()
  }
  if (readings.length > 0) {
    const items = new SectionItems(before.get('gauges')?.items)
    for (const [name, ofItem] of Map.groupBy(readings, (reading) => nameOf(reading.name))) {
      const values: { at: number; value: number }[] = []
      const item = items.change(name, (was) =>
        ofItem.reduce((sum, next) => afterReading(sum, next, values), was),
      )
      if (item === undefined || values.length === 0) continue
      const sorted = values.toSorted((a, b) => a.at - b.at)
      logs.push({
        section: 'gauges',
        item: item.id,
        at: sorted.map(({ at }) => at),
        value: sorted.map(({ value }) => value),
      })
    }
    sections['gauges'] = items.told()
  }
  return { sections, logs: logs.map((log) => ({ ...log, at: log.at.map((at) => Math.min(at, nowMs)) })) }
}

/** The items of a section while some of them change. Those that are there stay, so that what counts on never begins anew. */
class SectionItems {
  readonly #items: Map<string, LiveItem>
  #leftOut = 0

  constructor(before: readonly LiveItem[] = []) {
    this.#items = new Map(before.map((item) => [item.id, item]))
  }

  /** @returns the item as it is then; undefined when there is no room for one more */
  change(name: string, after: (was: LiveItem) => LiveItem): LiveItem | undefined {
    const id = idOf(name)
    const was = this.#items.get(id)
    if (was === undefined && this.#items.size >= liveLimits.itemsMax) {
      this.#leftOut++
      return undefined
    }
    const item = after(was ?? { id, name })
    this.#items.set(id, item)
    return item
  }

  told(): NonNullable<ReceivedLivePush['sections'][LiveSection]> {
    return {
      status: 'on',
      items: [...this.#items.values()],
      ...(this.#leftOut === 0 ? {} : { left_out: this.#leftOut }),
    }
  }
}

const idMax = 200

function nameOf(name: string): string {
  return plainText(name, liveLimits.nameMax) || 'unnamed'
}

/** The name, so that it can be asked for by it; one that is too long ends in what tells it from others. */
function idOf(name: string): string {
  return name.length <= idMax ? name : `${plainText(name, idMax - 17)} ${fingerprint(name)}`
}

function afterCalls(was: LiveItem, calls: readonly Call[]): LiveItem {
  const counters = { ...was.counters }
  for (const call of calls)
    for (const [name, count] of Object.entries(call.counters)) counters[name] = (counters[name] ?? 0) + count
  const [{ kind, place, query } = {}] = calls
  return {
    ...was,
    ...(kind === undefined ? {} : { kind: plainText(kind, liveLimits.nameMax) }),
    ...(place === undefined ? {} : { place: { ...place, file: plainText(place.file, 1000) } }),
    ...(query === undefined ? {} : { texts: { query: plainText(query, liveLimits.textMax) } }),
    ...(Object.keys(counters).length === 0 ? {} : { counters }),
    distributions: {
      duration: distributionSum(was.distributions?.['duration'], distributionOf(calls)),
    },
  }
}

function distributionOf(calls: readonly Call[]): LiveDistribution {
  const counts = new Map<number, number>()
  let total = 0
  let max = 0
  for (const { durationNs } of calls) {
    const slot = slotOf(durationNs)
    counts.set(slot, (counts.get(slot) ?? 0) + 1)
    total += durationNs
    max = Math.max(max, durationNs)
  }
  const sorted = [...counts].toSorted(([a], [b]) => a - b)
  return {
    count: calls.length,
    total,
    max,
    histogram: { slots: sorted.map(([slot]) => slot), counts: sorted.map(([, count]) => count) },
  }
}

function distributionSum(was: LiveDistribution | undefined, added: LiveDistribution): LiveDistribution {
  if (was === undefined) return added
  const maxima = [was.max, added.max].filter((max) => max !== undefined)
  const histogram = was.histogram && added.histogram && histogramSum(was.histogram, added.histogram)
  return {
    count: was.count + added.count,
    total: was.total + added.total,
    ...(maxima.length === 0 ? {} : { max: Math.max(...maxima) }),
    ...(histogram === undefined
      ? {}
      : { histogram: { slots: [...histogram.slots], counts: [...histogram.counts] } }),
  }
}

function logOf(section: LiveSection, { id }: LiveItem, calls: readonly Call[]): LiveLog {
  const sorted = calls.toSorted((a, b) => a.endedAtMs - b.endedAtMs)
  return {
    section,
    item: id,
    at: sorted.map(({ endedAtMs }) => endedAtMs),
    value: sorted.map(({ durationNs }) => durationNs),
    kind: sorted.map(({ ending }) => ending),
    text: sorted.map(({ text }) => plainText(text, liveLimits.textMax)),
  }
}

/** @param values gets the level, where it is another than before */
function afterReading(was: LiveItem, reading: Reading, values: { at: number; value: number }[]): LiveItem {
  const { kind, unit, isDelta, atMs } = reading
  const counters = { ...was.counters, ...sums(reading.counters, isDelta ? was.counters : undefined) }
  const levels = { ...was.levels, ...sums(reading.levels, isDelta ? was.levels : undefined) }
  const { value } = levels
  if (value !== undefined && value !== was.levels?.['value']) {
    values.push({ at: atMs, value })
    counters['logged'] = (counters['logged'] ?? 0) + 1
  }
  const distributions = Object.fromEntries(
    Object.entries(reading.distributions ?? {}).map(([name, told]) => [
      name,
      isDelta ? distributionSum(was.distributions?.[name], told) : told,
    ]),
  )
  return {
    id: was.id,
    name: was.name,
    kind,
    ...(Object.keys(counters).length === 0 ? {} : { counters }),
    ...(Object.keys(levels).length === 0 ? {} : { levels }),
    ...(Object.keys(distributions).length === 0 ? {} : { distributions }),
    ...(unit === '' ? {} : { texts: { unit: plainText(unit, liveLimits.textMax) } }),
  }
}

function sums(
  told: Readonly<Record<string, number>> = {},
  was: Readonly<Record<string, number>> = {},
): Record<string, number> {
  return Object.fromEntries(Object.entries(told).map(([name, value]) => [name, value + (was[name] ?? 0)]))
}
