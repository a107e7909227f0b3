import type { LiveItem, LiveSection } from '../push.ts'
import { sectionWindow, type ItemWindow } from './item-window.ts'
import { sectionRows } from './section-rows.ts'

/** How the items of a section went, step by step. */
export interface SectionHistory {
  /** When each step ended. */
  at: readonly Date[]
  items: readonly ItemHistory[]
}

export interface ItemHistory {
  /** As the last step has it. */
  item: ItemWindow
  /** Of what does not depend on how long a step is, a value for each step; null where nothing is known. */
  measures: Readonly<Record<string, readonly (number | null)[]>>
}

/** A section of a process at a moment, as it was stored. */
export interface StoredMoment {
  session: string
  at: Date
  items: readonly LiveItem[]
}

/**
 * Cuts a time into equal steps, and tells of each what happened between the snapshots around it: where these are rarer than steps,
 * several steps tell the same. Levels are as the later one has them. Nothing is told of a process from before its first snapshot
 * and from after its last.
 * @param snapshots those of each process in order
 * @param options.percentiles which are told, where there are histograms; others are of no step
 * @param afterStep a step of many items takes some milliseconds: others may have their turn
 */
export async function sectionHistory(
  section: LiveSection,
  snapshots: readonly StoredMoment[],
  options: { from: Date; to: Date; steps: number; isApart: boolean; percentiles: readonly number[] },
  afterStep: () => Promise<void>,
): Promise<SectionHistory> {
  const { from, to, steps, isApart, percentiles } = options
  const processes = [...Map.groupBy(snapshots, ({ session }) => session).values()]
  const bounds = Array.from(
    { length: steps + 1 },
    (_, step) => from.getTime() + (step / steps) * (to.getTime() - from.getTime()),
  )
  const items = new Map<string, { item: ItemWindow; measures: Record<string, (number | null)[]> }>()
  const amounts = new Map<string, boolean>()
  for (const [step, end] of bounds.slice(1).entries()) {
    const moments = processes.flatMap((process) => around(process, bounds[step] ?? end, end) ?? [])
    // Each process by its own time: their snapshots are not of the same moments.
    const window = sectionWindow(section, moments, { isSinceStart: true, isApart })
    if (window === undefined) continue
    const told = { ...window, items: window.items.map(onlyOfTheTime) }
    for (const { item, measures } of sectionRows(section, told, percentiles)) {
      const key = keyOf(item, isApart)
      const known = items.get(key) ?? { item, measures: {} }
      known.item = item
      items.set(key, known)
      for (const [name, value] of Object.entries(measures)) {
        const isOfLength = amounts.get(name) ?? isAmount(name, measures)
        amounts.set(name, isOfLength)
        if (isOfLength) continue
        known.measures[name] ??= Array.from({ length: steps }, () => null)
        known.measures[name][step] = value
      }
    }
    // oxlint-disable-next-line no-await-in-loop -- that is what it is for
    await afterStep()
  }
  return { at: bounds.slice(1).map((end) => new Date(end)), items: [...items.values()] }
}

/** Items of one name and place are one, as in windows. */
function keyOf({ name, place, sessions, id }: ItemWindow, isApart: boolean): string {
  const { file = '', line = '', column = '' } = place ?? {}
  return [name, file, line, column, ...(isApart ? [...sessions, id] : [])].join('\n')
}

/** From the last snapshot before a step to the first one after it; from and to those within where there are no such. */
function around(process: readonly StoredMoment[], begin: number, end: number) {
  const before = process.findLast(({ at }) => at.getTime() <= begin) ?? process[0]
  const last = process.find(({ at }) => at.getTime() >= end) ?? process.at(-1)
  if (before === undefined || last === undefined) return undefined
  if (before.at >= last.at || before.at.getTime() >= end || last.at.getTime() <= begin) return undefined
  return { session: last.session, before, last, startedAt: before.at }
}

/** Percentiles that a program computed itself, since it began, are of no step. */
function onlyOfTheTime(item: ItemWindow): ItemWindow {
  const distributions: Record<string, ItemWindow['distributions'][string]> = {}
  for (const [name, told] of Object.entries(item.distributions))
    distributions[name] = told.histogram === undefined ? { ...told, percentiles: {}, max: undefined } : told
  return { ...item, distributions }
}

/** Whether it would be more in a longer time. What is counted has its rate beside it. */
function isAmount(measure: string, all: Readonly<Record<string, number>>): boolean {
  return (
    `${measure}_per_second` in all ||
    /(?:^|_)(?:sampled_calls|total_ns|total_bytes|cpu_ns|change|change_bytes|wall_percent)$/.test(measure)
  )
}
