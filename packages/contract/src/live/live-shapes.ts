import { z } from 'zod'
import { liveSourceId, timestamp } from '../fields.ts'
import { idPrefixes } from '../id.ts'
import { cell, table, type CellValue } from '../markdown.ts'
import { formatBytes, formatDurationNs } from '../quantity.ts'
import { fitsMeasure } from './summary-columns.ts'

/** What questions about a live app have in common. Times are told in the unit that a name ends with. */

/** Fields of questions about what a program does. */
export const liveQuestion = {
  live_app_id: liveSourceId,
  last_seconds: z
    .number()
    .int()
    .min(1)
    .max(90 * 86_400)
    .optional()
    .describe('Only that long; else since the start.'),
  until: timestamp.optional().describe('Else now.'),
  session: z.string().min(1).max(64).optional().describe('Only this process; else all.'),
  filter: z.string().min(1).max(200).optional().describe('Part of the name.'),
  limit: z.number().int().min(1).max(200).default(20).describe('Rows at most.'),
}

/** With this name, because it says what there is to sort by. */
export function liveSort(usual: string) {
  return z
    .string()
    .regex(/^[a-z0-9_]{1,60}$/, 'Use the name of a measure, as rows have it.')
    .default(usual)
    .describe('A measure; most first.')
}

export const livePercentiles = z
  .array(z.number().min(0).max(100))
  .min(1)
  .max(10)
  .default([50, 95, 99])
  .describe('Which to tell.')

const measures = z
  .record(z.string(), z.number())
  .describe('By name, ending with the unit: total_ns, sent_per_second. What nobody knows is left out.')

export const liveRowShape = z.object({
  id: z.string().describe('Of the newest process that has it; its logs are found by it.'),
  name: z.string(),
  place: z.string().nullable().describe('file:line:column.'),
  kind: z.string().nullable(),
  state: z.string().nullable(),
  processes: z.number().int().describe('Whose numbers were added up.'),
  session: z.string().describe('The newest of these.'),
  share_percent: z.number().nullable().describe('Of all items of the section, by `whole`.'),
  percentiles_of: z
    .enum(['window', 'since_start', 'since_start_worst_process'])
    .nullable()
    .describe(
      'since_start: as the program tells them, of all that it did. Of several processes none is lower than those of the worst.',
    ),
  measures,
  texts: z.record(z.string(), z.string()),
})
export type LiveRowShape = z.output<typeof liveRowShape>

const liveStatus = z
  .enum(['on', 'off', 'failed', 'unknown'])
  .describe('off: the program does not measure it, or not yet. unknown: nothing was pushed.')

export const liveSectionShape = z.object({
  name: z.string(),
  status: liveStatus,
  reason: z.string().nullable().describe('Why it is off or failed.'),
  how_to_enable: z.string().nullable(),
})
export type LiveSectionShape = z.output<typeof liveSectionShape>

export const liveWindowShape = z.object({
  is_since_start: z.boolean().describe('Of all processes that still push, since each began.'),
  from: timestamp.nullable().describe('null: nothing was pushed.'),
  to: timestamp.nullable(),
  seconds: z.number(),
  processes: z.number().int(),
})
export type LiveWindowShape = z.output<typeof liveWindowShape>

/** What every answer says of the app, or of the recording of it. */
export const liveAppHead = {
  live_app_id: z.string().describe('As it was asked for.'),
  app: z.string().describe('Name of the app.'),
  recording: z.string().nullable().describe('Name of the recording; null: it is the app itself.'),
  last_push_at: timestamp.nullable().describe('Of a recording: its end.'),
  age_seconds: z.number().nullable().describe('Since the last push: how fresh all this is.'),
}

export const liveSectionAnswer = {
  ...liveAppHead,
  section: liveSectionShape,
  window: liveWindowShape,
  rows: z.array(liveRowShape),
  process: liveRowShape.nullable().describe('All of the process, beside its threads.'),
  total_count: z.number().int().describe('Rows there are, before the limit.'),
  whole: z
    .object({ measure: z.string(), value: z.number() })
    .nullable()
    .describe('What shares are of: the sum of all rows.'),
  notes: z.array(z.string()).describe('What to know before believing it.'),
}
const sectionAnswer = z.object(liveSectionAnswer)
export type LiveSectionAnswer = z.output<typeof sectionAnswer>

export const liveEntryShape = z.object({
  at: timestamp,
  name: z.string().describe('Of the item.'),
  session: z.string(),
  measures,
  kind: z.string().nullable().describe('Such as sent, received; the state of a future; a status.'),
  thread: z.string().nullable(),
  text: z.string().nullable().describe('The message, the result or the value, as the program logged it.'),
})
export type LiveEntryShape = z.output<typeof liveEntryShape>

export const liveLogAnswer = {
  ...liveAppHead,
  section: liveSectionShape,
  item: liveRowShape
    .nullable()
    .describe('Since the start; null: entries of all items, or it is not told any more.'),
  entries: z.array(liveEntryShape).describe('Newest first.'),
  lost: z.number().int().describe('Entries near these that the program could not keep until it could push.'),
}
const logAnswer = z.object(liveLogAnswer)
export type LiveLogAnswer = z.output<typeof logAnswer>

/** Path of the page of a live app, or of a recording of one. */
export function liveAppLink(id: string): string {
  return id.startsWith(`${idPrefixes.liveRecording}_`) ? `/live-recordings/${id}` : `/live-apps/${id}`
}

export const exampleHead = {
  live_app_id: 'app_01',
  app: 'shop',
  recording: null,
  last_push_at: '2026-11-22T10:00:00.000Z',
  age_seconds: 0.8,
}

export const exampleWindow: LiveWindowShape = {
  is_since_start: false,
  from: '2026-11-22T09:59:00.000Z',
  to: '2026-11-22T10:00:00.000Z',
  seconds: 60,
  processes: 1,
}

export const exampleRow: LiveRowShape = {
  id: '1',
  name: 'shop::pay',
  place: 'src/pay.rs:12:1',
  kind: null,
  state: null,
  processes: 1,
  session: '01jd-shop-1',
  share_percent: null,
  percentiles_of: null,
  measures: {},
  texts: {},
}

/** A measure as people read it, by the unit that its name ends with. */
export function formatMeasure(name: string, value: number | undefined): string | undefined {
  if (value === undefined) return undefined
  const amount = name.replace(/_per_second$/, '')
  const text = amount.endsWith('_ns')
    ? formatDurationNs(value)
    : amount.endsWith('bytes')
      ? formatBytes(value)
      : amount.includes('_percent')
        ? `${value.toFixed(1)} %`
        : Number(value.toPrecision(4)).toLocaleString('en-US', { maximumFractionDigits: 6 })
  return amount === name ? text : `${text}/s`
}

/** The title of a measure: its unit is in each cell. */
export function measureTitle(name: string): string {
  return name
    .replace(/^cpu_ns/, 'cpu_time_ns')
    .replace(/^(cpu|rss)_/, (word) => word.toUpperCase())
    .replace(/_per_second$/, '/s')
    .replace(/_(ns|bytes|percent)(?=\/s$|_max$|$)/, '')
    .replaceAll('_', ' ')
}

/** Rows as a table: columns that any row has of those wanted, where `p*_ns` is all percentiles; all of them when none is named. */
export function liveTable(
  rows: readonly LiveRowShape[],
  wanted: readonly string[] | 'all',
  whenEmpty: string,
): string {
  const told = [...new Set(rows.flatMap(({ measures: each }) => Object.keys(each)))]
  const columns =
    wanted === 'all'
      ? told.filter((name) => !name.endsWith('_per_second'))
      : wanted.flatMap((pattern) => told.filter((name) => fitsMeasure(name, pattern)))
  const optional = (title: string, of: (row: LiveRowShape) => CellValue) =>
    rows.some((row) => (of(row) ?? '') !== '') ? [{ title, of }] : []
  const words = [
    ...optional('Kind', ({ kind }) => kind),
    ...optional('State', ({ state }) => state),
    ...optional('Last value', ({ texts }) => texts['last_value']),
    ...optional('Route', ({ texts }) => texts['route']),
    ...optional('Processes', ({ processes }) => (processes > 1 ? processes : null)),
  ]
  const hasShare = rows.some(({ share_percent: share }) => share !== null)
  return table(
    [
      'Name',
      ...words.map(({ title }) => title),
      ...(hasShare ? [{ title: 'Share', right: true } as const] : []),
      ...columns.map((name) => ({ title: measureTitle(name), right: true }) as const),
      'Id',
    ],
    rows.map((row) => [
      row.place === null ? row.name : `${cell(row.name, 110)} (${row.place})`,
      ...words.map(({ of }) => of(row)),
      ...(hasShare ? [row.share_percent === null ? null : `${row.share_percent.toFixed(1)} %`] : []),
      ...columns.map((name) => formatMeasure(name, row.measures[name])),
      row.id,
    ]),
    whenEmpty,
  )
}

/** One line on the app and how fresh the answer is. */
export function headLine({
  app,
  live_app_id: id,
  recording,
  age_seconds: age,
}: Pick<LiveSectionAnswer, 'app' | 'live_app_id' | 'recording' | 'age_seconds'>): string {
  if (recording !== null) {
    return `Recording **${cell(recording)}** (${id}) of ${cell(app)}, which ended ${spanText(age ?? 0)} ago.`
  }
  return `**${cell(app)}** (${id}): ${age === null ? 'nothing was pushed yet' : `last push ${spanText(age)} ago`}.`
}

/** `12 s`, `45 min`, `3.5 h`: how long something was, as people say it. */
export function spanText(seconds: number): string {
  if (seconds < 120) return `${Number(seconds.toPrecision(2))} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} days`
}

/** What time an answer is of. */
export function windowLine({
  is_since_start: isSinceStart,
  seconds,
  from,
  to,
  processes,
}: LiveWindowShape): string {
  if (from === null || to === null) return 'Nothing was told in this time.'
  const of = `${processes} process${processes === 1 ? '' : 'es'}`
  return isSinceStart
    ? `Of ${of}, since the start (${spanText(seconds)}); last_seconds narrows it.`
    : `Of ${of}, ${spanText(seconds)} from ${from} to ${to}.`
}

/** Why a section has nothing to say; empty when it is on. */
export function statusLine({ name, status, reason, how_to_enable: how }: LiveSectionShape): string {
  if (status === 'on') return ''
  const what =
    status === 'off' ? 'is not enabled' : status === 'failed' ? 'could not be read' : 'was never told'
  return `${name} ${what}${reason === null ? '' : ` (${cell(reason, 300)})`}.${how === null ? '' : ` ${how}`}`
}

/** An answer about a section as markdown. */
export function sectionMarkdown(answer: LiveSectionAnswer, columns: readonly string[] | 'all'): string {
  const { rows, process, total_count: count, section, notes, window } = answer
  const percentilesOf = new Set(rows.flatMap(({ percentiles_of: of }) => (of === null ? [] : [of])))
  return [
    `${headLine(answer)} ${windowLine(window)}`,
    statusLine(section),
    liveTable(rows, columns, section.status === 'on' ? 'No rows.' : ''),
    process === null ? '' : `All of the process:\n\n${liveTable([process], 'all', '')}`,
    rows.length < count ? `${rows.length} of ${count} rows; limit and filter choose others.` : '',
    !window.is_since_start &&
    (percentilesOf.has('since_start') || percentilesOf.has('since_start_worst_process'))
      ? 'Percentiles are since the start: the program tells no others.'
      : '',
    percentilesOf.has('since_start_worst_process')
      ? 'Percentiles of several processes are those of the worst one.'
      : '',
    ...notes,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Log entries as markdown. */
export function logMarkdown(answer: LiveLogAnswer): string {
  const { entries, item, lost, section } = answer
  const names = [...new Set(entries.flatMap(({ measures: each }) => Object.keys(each)))]
  const hasNames = new Set(entries.map(({ name }) => name)).size > 1
  const optional = (title: string, of: (entry: LiveEntryShape) => CellValue) =>
    entries.some((entry) => of(entry) !== null) ? [{ title, of }] : []
  const words = [
    ...optional('Kind', ({ kind }) => kind),
    ...optional('Thread', ({ thread }) => thread),
    ...optional('Text', ({ text }) => text),
  ]
  return [
    headLine(answer),
    statusLine(section),
    item === null ? '' : `Since the start:\n\n${liveTable([item], 'all', '')}`,
    table(
      [
        'At',
        ...(hasNames ? ['Name'] : []),
        ...names.map((name) => ({ title: measureTitle(name), right: true }) as const),
        ...words.map(({ title }) => title),
      ],
      entries.map((entry) => [
        entry.at,
        ...(hasNames ? [entry.name] : []),
        ...names.map((name) => formatMeasure(name, entry.measures[name])),
        ...words.map(({ of }) => of(entry)),
      ]),
      'No entries.',
    ),
    lost === 0 ? '' : `${lost} entries were lost before they could be pushed.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
