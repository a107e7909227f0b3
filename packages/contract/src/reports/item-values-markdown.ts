import { cell, table, type CellValue } from '../markdown.ts'
import { formatShare } from '../quantity.ts'
import type { InsightShape, ItemValuesShape } from './report-shapes.ts'

/** Buckets of a chart that are written out; the data has all of them. */
const bucketsTold = 30

/** The values of an item as compact markdown. */
export function itemValuesMarkdown(values: ItemValuesShape): string {
  switch (values.type) {
    case 'summary':
      return [
        table(
          ['Metric', right('Value')],
          values.numbers.map(({ name, value, unit }) => [name, quantity(value, unit)]),
          'Nothing was measured.',
        ),
        thresholdLines(values.thresholds),
      ].join('\n\n')
    case 'chart':
      return [
        table(
          ['Second', ...values.lines.map(({ name, unit }) => right(`${name} (${unit})`))],
          values.seconds
            .slice(0, bucketsTold)
            .map((second, index) => [second, ...values.lines.map((line) => line.values[index])]),
          'Nothing was measured.',
        ),
        ...(values.seconds.length > bucketsTold
          ? [
              `_The first ${bucketsTold} of ${values.seconds.length} buckets; a smaller points_max has all in fewer._`,
            ]
          : []),
        ...(values.actions_left_out > 0
          ? [`_${values.actions_left_out} actions with fewer requests are left out._`]
          : []),
        ...runsLeftOutLines(values),
      ].join('\n\n')
    case 'table':
      return rowLines(values.total === null ? values.rows : [...values.rows, values.total])
    case 'top':
      return table(
        ['Action', right(`${values.metric} (${values.unit})`)],
        values.entries.map(({ name, value }) => [name, rounded(value)]),
        'Nothing was measured.',
      )
    case 'distribution':
      return [
        ...values.runs.map(
          ({ run, count, percentiles }) =>
            `${run.name}, ${count} times: ${percentiles.map(({ percentile, ms }) => `p${Number(percentile.toFixed(6))} ${rounded(ms)} ms`).join(', ')}`,
        ),
        ...runsLeftOutLines(values),
      ].join('\n\n')
    case 'errors':
      return table(
        ['Action', 'Error', right('Count'), right('Share'), 'Samples'],
        values.errors.map(({ name, error_class, count, share, sample_ids }) => [
          name,
          error_class,
          count,
          formatShare(share),
          sample_ids.slice(0, 3).join(', '),
        ]),
        'No errors.',
      )
    case 'phases':
      return table(
        ['Action', ...phases.map((phase) => right(`${phase} (ms)`))],
        values.rows.map((row) => [row.name, ...phases.map((phase) => rounded(row[phase]))]),
        'Nothing was measured.',
      )
    case 'web_vitals':
      return [
        table(
          ['Vital', right('p75'), 'Rating', right('Good'), right('Needs improvement'), right('Poor')],
          values.vitals.map((each) => [
            each.name,
            quantity(each.p75, each.unit),
            each.rating?.replace('_', ' ') ?? null,
            each.good,
            each.needs_improvement,
            each.poor,
          ]),
          'No page was loaded.',
        ),
        table(
          ['Page', right('Loads'), ...values.vitals.map(({ vital }) => right(`${vital.toUpperCase()} p75`))],
          values.pages.map(({ page, page_loads, vitals }) => [
            page,
            page_loads,
            ...vitals.map(({ p75 }) => (p75 === null ? null : rounded(p75))),
          ]),
          'No page was loaded by a user with a browser.',
        ),
      ].join('\n\n')
    case 'thresholds':
      return [
        thresholdLines(values.thresholds) || 'The scenario has no thresholds.',
        ...values.bands.map(({ severity, name, of, words }) => `- ${severity}: ${name} of ${of}, ${words}`),
      ].join('\n')
    case 'generators':
      return [
        table(
          ['Agent', 'Group', 'State', 'Users', 'CPU', 'Send lag (ms)', 'Limited (s)'],
          values.generators.map((each) => [
            each.name,
            each.agent_group,
            each.state,
            each.users_max,
            each.cpu_share_max === null ? null : formatShare(each.cpu_share_max),
            each.send_lag_max_ms,
            each.limited_seconds,
          ]),
          'No agents.',
        ),
        values.events.map(({ at, words }) => `- ${at}: ${words}`).join('\n'),
      ].join('\n\n')
    case 'monitors':
      return [
        table(
          ['Counter', 'Unit', right('Last')],
          values.counters.map(({ monitor, counter, unit, values: points }) => [
            `${monitor}: ${counter}`,
            unit,
            points.findLast((value) => value !== null),
          ]),
          'No counters were collected.',
        ),
        ...values.alarms.map(({ severity, second, words }) => `- ${severity}, second ${second}: ${words}`),
      ].join('\n\n')
    case 'text':
      return values.markdown
    case 'insights':
      return insightLines(values.insights)
    case 'comparison':
      return table(
        ['Action', 'Metric', ...values.runs.map(({ name }) => right(cell(name, 40))), 'Change'],
        values.rows.flatMap(({ name, metrics }) =>
          metrics.map(({ metric, unit, values: numbers, changes }) => [
            name,
            metric,
            ...numbers.map((value) => quantity(value, unit)),
            changes.flatMap((change) => (change === null ? [] : changeWords(change))).join('; '),
          ]),
        ),
        'Nothing was measured.',
      )
    default:
      return values.lines
        .map(
          ({ metric, unit, points, changes }) =>
            `${metric}: ${points.map(({ value }) => quantity(value, unit)).join(', ')}${changes
              .map(
                ({ index, before, after, share, verdict }) =>
                  `\n- ${verdict} ${share === null ? `from ${quantity(before, unit)} to ${quantity(after, unit)}` : `by ${formatShare(share)}`}, since ${points[index]?.run.name ?? index} (${points[index]?.run.id ?? ''})`,
              )
              .join('')}`,
        )
        .join('\n\n')
  }
}

/** Insights as a list, each with what it rests on. */
export function insightLines(insights: readonly InsightShape[]): string {
  return insights
    .map(({ level, title, detail, evidence }) => {
      const numbers = evidence
        .slice(0, 6)
        .map(
          ({ name, value, unit, second }) =>
            `${name} ${quantity(value, unit)}${second === null ? '' : ` at second ${second}`}`,
        )
      return `- **${level}**: ${title} ${detail} (${numbers.join('; ')})`
    })
    .join('\n')
}

const phases = ['dns', 'connect', 'tls', 'wait', 'download'] as const

function thresholdLines(
  thresholds: readonly { text: string; state: string; value: number | null }[],
): string {
  return thresholds.map(({ text, state, value }) => `- ${state}: ${text} (${value ?? 'no data'})`).join('\n')
}

function runsLeftOutLines({ runs_left_out: count }: { runs_left_out: number }): string[] {
  if (count === 0) return []
  return [
    count === 1 ? '_A run that was deleted is left out._' : `_${count} runs that were deleted are left out._`,
  ]
}

function right(title: string): { title: string; right: true } {
  return { title, right: true }
}

function rowLines(rows: (ItemValuesShape & { type: 'table' })['rows']): string {
  return table(
    ['Action', ...['Count', '/s', 'Mean', 'p50', 'p95', 'p99', 'Max', 'Failed'].map(right)],
    rows.map((row): CellValue[] => [
      [...row.path, row.name].join(' / '),
      row.count,
      row.rate_per_second,
      row.mean_ms,
      row.p50_ms,
      row.p95_ms,
      row.p99_ms,
      row.max_ms,
      row.failed,
    ]),
    'Nothing was measured.',
  )
}

function changeWords({
  share,
  low,
  high,
  verdict,
}: {
  share: number | null
  low: number | null
  high: number | null
  verdict: string
}): string {
  if (share === null) return verdict
  const interval = low === null || high === null ? '' : ` [${formatShare(low)}, ${formatShare(high)}]`
  return `${verdict} ${formatShare(share)}${interval}`
}

function quantity(value: number | null, unit: string): string {
  if (value === null) return '–'
  return unit === 'share' ? formatShare(value) : `${rounded(value)} ${unit}`
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
