import { Problem, type operations, type OutputOf } from '@flamegate/contract'
import {
  isWhole,
  sectionRows,
  sectionWindow,
  sortedRows,
  viewOf,
  withPercentiles,
  type LiveSection,
  type SectionRow,
  type SectionWindow,
} from '@flamegate/live'
import type { CallContext } from '../implement.ts'
import type { LiveSession } from '../ports/index.ts'
import { headOnWire, rowOnWire, sectionOnWire, windowOnWire } from './on-wire.ts'
import { getLiveSource } from './reaching.ts'
import { timeOfQuestion, type LiveTime } from './time-of-question.ts'

/** What the tools that tell of a section ask for; some of them ask for less. */
export interface SectionQuestion extends LiveTime {
  live_app_id: string
  filter?: string | undefined
  sort?: string | undefined
  limit?: number | undefined
  percentiles?: readonly number[] | undefined
}

export const usualPercentiles = [50, 95, 99]

/** Rows of a section of a live app, sorted, filtered and bounded, with what is to be known of them. */
export async function answerSection(
  context: CallContext,
  section: LiveSection,
  question: SectionQuestion,
): Promise<OutputOf<typeof operations.functionsTiming>> {
  const source = await getLiveSource(context, question.live_app_id)
  const time = await timeOfQuestion(context, source, question)
  const { isApart = false, share, sort: usualSort } = viewOf(section)
  const window = sectionWindow(section, await time.moments(section), { ...time, isApart })
  const percentiles = question.percentiles ?? usualPercentiles
  const rows = window === undefined ? [] : rowsOf(section, window, percentiles, question.sort)
  const items = rows.filter(({ item }) => !isWhole(section, item))
  const process = rows.find(({ item }) => isWhole(section, item))
  const wanted = items.filter(({ item }) => fits(item.name, question.filter))
  const sorted =
    question.sort === undefined || question.sort === usualSort
      ? wanted
      : sortedBy(question.sort, items, wanted)
  const shown = (row: SectionRow) =>
    rowOnWire(window === undefined ? row : withPercentiles(section, window, row, percentiles))
  return {
    ...headOnWire(source),
    section: sectionOnWire(section, time.sessions),
    window: windowOnWire(window, time.isSinceStart),
    rows: sorted.slice(0, question.limit ?? 200).map(shown),
    process: process === undefined ? null : shown(process),
    total_count: wanted.length,
    whole: wholeOf(items, share),
    notes: [
      ...(window !== undefined && window.withoutBeginning > 0
        ? [
            `${window.withoutBeginning} of ${window.processes} processes began to push within this time and ran before: what they did before is in it too.`,
          ]
        : []),
      ...missingPercentiles(rows, percentiles),
      ...leftOut(section, time.sessions),
    ],
  }
}

/** Of all rows, percentiles are only worked out where these are what they are sorted by. */
function rowsOf(
  section: LiveSection,
  window: SectionWindow,
  percentiles: readonly number[],
  sort: string | undefined,
): SectionRow[] {
  const rows = sectionRows(section, window, [])
  const isKnown = sort === undefined || rows.some(({ measures }) => sort in measures)
  return isKnown ? rows : sectionRows(section, window, percentiles)
}

/** @throws Problem `invalid_input` when no row has it */
function sortedBy(measure: string, all: readonly SectionRow[], wanted: readonly SectionRow[]): SectionRow[] {
  const known = [...new Set(all.flatMap(({ measures }) => Object.keys(measures)))]
  if (all.length > 0 && !known.includes(measure)) {
    throw new Problem('invalid_input', `Nothing here is measured as ${measure}.`, {
      errors: [{ field: 'sort', message: `There are ${known.toSorted().join(', ')}.` }],
    })
  }
  return sortedRows(wanted, measure)
}

function fits(name: string, filter: string | undefined): boolean {
  return filter === undefined || name.toLowerCase().includes(filter.toLowerCase())
}

/** What shares are of; null where the program does not tell it. */
function wholeOf(
  rows: readonly SectionRow[],
  measure: string | undefined,
): { measure: string; value: number } | null {
  const values = rows.flatMap(({ measures }) => (measure === undefined ? [] : (measures[measure] ?? [])))
  if (measure === undefined || values.length === 0) return null
  return { measure, value: values.reduce((sum, value) => sum + value, 0) }
}

/** A program with very many items sends those that matter most. */
function leftOut(section: LiveSection, sessions: readonly LiveSession[]): string[] {
  const count = sessions.reduce((sum, { sections }) => sum + (sections[section]?.leftOut ?? 0), 0)
  return count === 0 ? [] : [`The program has ${count} more, which it does not send.`]
}

/** Percentiles that nobody can tell: a program without histograms knows only those that it computes. */
function missingPercentiles(rows: readonly SectionRow[], percentiles: readonly number[]): string[] {
  const distributions = rows.flatMap(({ item }) => Object.values(item.distributions))
  if (distributions.length === 0 || distributions.some(({ hasHistogram }) => hasHistogram)) return []
  const known = new Set(distributions.flatMap(({ percentiles: each }) => Object.keys(each)))
  const missing = percentiles.filter((percent) => !known.has(String(percent)))
  if (missing.length === 0) return []
  const has = known.size === 0 ? 'no percentiles' : `only ${[...known].map((each) => `p${each}`).join(', ')}`
  return [`The program tells ${has}; ${missing.map((each) => `p${each}`).join(', ')} cannot be told.`]
}
