import {
  type ReportItemType,
  rowMetricNames,
  type SeriesMetric,
  seriesMetricNames,
} from '@flamegate/loadtest/report'
import type { Choice } from '../components/select.tsx'
import { choicesOf, type Field, plain, type Shape, type Variant } from '../documents/field.ts'
import type { JsonObject } from '../documents/json.ts'
import { itemTypes } from './item-types.ts'
import { rowMetricLabels, seriesMetricLabels } from './metric-labels.ts'

const third = { size: 'third' } as const
const half = { size: 'half' } as const

const rowChoices: readonly Choice[] = rowMetricNames.map((id) => ({ id, label: rowMetricLabels[id] }))
const seriesChoices: readonly Choice[] = seriesMetricNames.map((id) => ({
  id,
  label: seriesMetricLabels[id],
}))

const scopeShape: Shape = {
  by: 'type',
  variants: {
    whole: { label: 'All requests', fields: [], start: {} },
    profile: {
      label: 'A user profile',
      fields: [{ kind: 'text', name: 'profile_id', label: 'Id of the profile' }],
      start: { profile_id: '' },
    },
    container: {
      label: 'Containers of a name',
      fields: [{ kind: 'text', name: 'name', label: 'Name of the containers' }],
      start: { name: '' },
    },
    action: {
      label: 'An action',
      fields: [{ kind: 'text', name: 'action_id', label: 'Id of the action' }],
      start: { action_id: '' },
    },
  },
}
const scope: Field = { kind: 'object', name: 'scope', label: 'Of', shape: scopeShape }
const whole = { scope: { type: 'whole' } }
const line = (metric: SeriesMetric, axis: 'left' | 'right' = 'left'): JsonObject => ({
  metric,
  axis,
  ...whole,
  run: null,
  name: '',
})

const metrics: Field = { kind: 'several', name: 'metrics', label: 'Metrics', choices: rowChoices }
const rows: Field = {
  kind: 'choice',
  name: 'rows',
  label: 'Rows',
  choices: [
    { id: 'all', label: 'Actions and containers' },
    { id: 'actions', label: 'Actions' },
    { id: 'containers', label: 'Containers' },
  ],
  ...half,
}
const count: Field = { kind: 'number', name: 'count', label: 'At most', ...third }

/** What each type has beside its title, run and time, and what a new one is. */
function contentOf(runs: readonly Choice[]): Record<ReportItemType, Pick<Variant, 'fields' | 'start'>> {
  return {
    summary: {
      fields: [metrics],
      start: { metrics: ['count', 'rate', 'mean', 'p95', 'p99', 'error_share'] },
    },
    chart: {
      fields: [
        { kind: 'choice', name: 'form', label: 'Form', choices: choicesOf(...chartForms), ...third },
        {
          kind: 'choice',
          name: 'apart',
          label: 'Each line once for each',
          choices: choicesOf('profile', 'action', 'agent'),
          isNullable: true,
          ...third,
        },
        {
          kind: 'choice',
          name: 'time',
          label: 'Times are',
          choices: [
            { id: 'response', label: 'Response times' },
            { id: 'service', label: 'Service times' },
          ],
          ...third,
        },
        {
          kind: 'list',
          name: 'lines',
          label: 'Lines',
          item: 'line',
          shape: plain(
            [
              { kind: 'choice', name: 'metric', label: 'Metric', choices: seriesChoices, ...third },
              { kind: 'choice', name: 'axis', label: 'Axis', choices: choicesOf('left', 'right'), ...third },
              {
                kind: 'choice',
                name: 'run',
                label: 'Another run',
                choices: runs,
                isNumber: true,
                isNullable: true,
                ...third,
              },
              { kind: 'text', name: 'name', label: 'Name', placeholder: 'the metric and what it is of' },
              scope,
            ],
            line('p95'),
          ),
        },
      ],
      start: { form: 'line', lines: [line('p95')], apart: null, time: 'response' },
    },
    table: {
      fields: [rows, { ...metrics, name: 'columns', label: 'Columns' }],
      start: { rows: 'all', columns: ['count', 'rate', 'mean', 'p50', 'p95', 'p99', 'max', 'failed'] },
    },
    top: {
      fields: [
        { kind: 'choice', name: 'metric', label: 'Metric', choices: rowChoices, ...third },
        {
          kind: 'choice',
          name: 'rows',
          label: 'Rows',
          choices: choicesOf('actions', 'containers'),
          ...third,
        },
        count,
      ],
      start: { metric: 'p95', rows: 'actions', count: 10 },
    },
    distribution: {
      fields: [
        {
          kind: 'choice',
          name: 'form',
          label: 'Form',
          choices: choicesOf('both', 'histogram', 'percentiles'),
          ...third,
        },
        {
          kind: 'several',
          name: 'runs',
          label: 'Side by side',
          choices: runs,
          isNumber: true,
          hint: 'None: the run of the item.',
        },
        scope,
      ],
      start: { form: 'both', runs: [], ...whole },
    },
    errors: { fields: [], start: {} },
    web_vitals: {
      fields: [{ ...count, label: 'Pages, at most' }, scope],
      start: { count: 10, ...whole },
    },
    phases: { fields: [count], start: { count: 15 } },
    thresholds: { fields: [], start: {} },
    generators: { fields: [], start: {} },
    monitors: {
      fields: [
        {
          kind: 'text',
          name: 'monitor_id',
          label: 'Id of the monitor',
          placeholder: 'all of the run',
          isNullable: true,
          ...half,
        },
        { kind: 'texts', name: 'counters', label: 'Counters', hint: 'One on each line; none: all of them.' },
      ],
      start: { monitor_id: null, counters: [] },
    },
    text: {
      fields: [{ kind: 'text', name: 'markdown', label: 'Text, as Markdown', lines: 8 }],
      start: { markdown: '' },
    },
    insights: { fields: [], start: {} },
    comparison: {
      fields: [rows, metrics],
      start: { metrics: ['rate', 'p50', 'p95', 'p99', 'error_share'], rows: 'all' },
    },
    trend: { fields: [metrics, scope], start: { metrics: ['p95', 'rate', 'error_share'], ...whole } },
  }
}

const chartForms = ['line', 'area', 'stacked', 'bar', 'scatter']

/** The fields of an item of a type; of a type that is not known here, only its title. */
export function itemFields(type: string, runs: readonly Choice[]): readonly Field[] {
  const title: Field = { kind: 'text', name: 'title', label: 'Title', placeholder: 'the usual one' }
  const known = knownType(type)
  if (known === undefined || known === 'text') return [title, ...contentOf(runs).text.fields]
  if (known === 'trend') return [title, ...contentOf(runs).trend.fields]
  const place: readonly Field[] = [
    { kind: 'choice', name: 'run', label: 'Run', choices: runs, isNumber: true, ...third },
    { kind: 'number', name: 'from_second', label: 'From second', ...third },
    {
      kind: 'number',
      name: 'to_second',
      label: 'To second',
      placeholder: 'its end',
      isNullable: true,
      ...third,
    },
  ]
  return [title, ...(known === 'comparison' ? [] : place), ...contentOf(runs)[known].fields]
}

/** A new item of a type, with an id that none of the others has. */
export function newItem(type: ReportItemType, ids: ReadonlySet<unknown>): JsonObject {
  let number = 1
  while (ids.has(`${type}-${number}`)) number++
  const id = ids.has(type) ? `${type}-${number}` : type
  return { id, type, title: '', run: 0, from_second: 0, to_second: null, ...contentOf([])[type].start }
}

function knownType(type: string): ReportItemType | undefined {
  const known: readonly string[] = Object.keys(itemTypes)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the names of the object
  return known.includes(type) ? (type as ReportItemType) : undefined
}

/** The types that can be added, as choices. */
export const itemTypeChoices: readonly Choice[] = Object.entries(itemTypes).map(([id, { label, note }]) => ({
  id,
  label,
  note,
}))

/** Of the report as a whole. */
export const reportFields: readonly Field[] = [
  { kind: 'text', name: 'name', label: 'Name', ...half },
  { kind: 'number', name: 'apdex_target_ms', label: 'Satisfying response time (ms), for Apdex', ...half },
  { kind: 'text', name: 'description', label: 'Description', lines: 2 },
]

/** Which runs a trend is over. */
export function trendField(scenarios: readonly Choice[]): Field {
  return {
    kind: 'object',
    name: 'trend',
    label: 'Trend over',
    isNullable: true,
    shape: plain(
      [
        {
          kind: 'choice',
          name: 'scenario_id',
          label: 'Runs of the scenario',
          choices: scenarios,
          isNullable: true,
          ...half,
        },
        { kind: 'number', name: 'count_max', label: 'The newest, at most', ...half },
        {
          kind: 'object',
          name: 'name',
          label: 'Name of the run',
          isNullable: true,
          shape: plain(
            [
              {
                kind: 'choice',
                name: 'match',
                label: 'How',
                choices: choicesOf('contains', 'equals', 'starts_with', 'ends_with'),
                ...third,
              },
              { kind: 'text', name: 'text', label: 'Text', ...third },
            ],
            { match: 'contains', text: '' },
          ),
        },
        { kind: 'texts', name: 'tags', label: 'Tags', hint: 'One on each line; runs that have all of them.' },
        {
          kind: 'text',
          name: 'created_after',
          label: 'Started after',
          placeholder: '2026-11-01T00:00:00Z',
          isNullable: true,
          ...half,
        },
        {
          kind: 'text',
          name: 'created_before',
          label: 'Started before',
          placeholder: '2026-12-01T00:00:00Z',
          isNullable: true,
          ...half,
        },
      ],
      {
        scenario_id: null,
        name: null,
        tags: [],
        created_after: null,
        created_before: null,
        count_max: 25,
      },
    ),
  }
}
