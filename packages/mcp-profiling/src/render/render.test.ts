import { expect, test } from 'vitest'
import { capacitySearch } from '../capacity/capacity-search.ts'
import { compareReports } from '../compare/compare-reports.ts'
import { diagnoseReport } from '../diagnose/diagnose-report.ts'
import { madeOperation, madeReport } from '../testing/made-report.ts'
import { capacityHtml, capacityMarkdown, capacityText } from './render-capacity.ts'
import { comparisonHtml, comparisonMarkdown, comparisonText } from './render-comparison.ts'
import { reportHtml, reportMarkdown, reportText } from './render-report.ts'

const hostile = '</title><script>alert(1)</script>|`*_\u001b[31m\u202e'
const report = madeReport({
  operations: [
    madeOperation({ failures: [{ kind: 'is_error', code: null, count: 40, message: hostile }] }),
    madeOperation({ name: hostile }),
  ],
  notes: [hostile, 'drop_table was not called: it destroys'],
})

test('reportText() has the percentiles, findings, score and notes', () => {
  const text = reportText(report, diagnoseReport(report))
  expect(text.split('\n')[0]).toBe('load-test of notes (notes 1.0.0), 2026-11-22T10:00:00Z')
  expect(text).toMatch(/look_up +400 +40 +10 +10 +1[12]\.?\d* +1[12]\.?\d* +12 +12 +900 B +220\n/)
  expect(text).toContain(
    'HIGH  10 % of the calls of look_up ended in a result with isError. [errors, high confidence]',
  )
  expect(text).toMatch(/Score\n {2}80 of 100\n {2}−20: 5 % of calls failed\n/)
  expect(text).toContain('drop_table was not called')
  expect(text).not.toContain('\u001b')
})

test('reportMarkdown() and reportHtml() show what servers say as words', () => {
  const markdown = reportMarkdown(report, diagnoseReport(report))
  const html = reportHtml(report, diagnoseReport(report))
  expect(markdown).toContain('| operation | calls | failed |')
  for (const part of ['<script', '\u001b', '\u202e']) expect(markdown).not.toContain(part)
  // A row is a row, whatever is in its cells.
  for (const line of markdown.split('\n').filter((each) => each.startsWith('| ') && each.includes('script')))
    expect(line.replaceAll('\\|', '').split('|')).toHaveLength(13)
  expect(html).toContain('<polyline points="')
  expect(html).toContain("default-src 'none'")
  for (const part of ['<script', '\u001b', 'src=']) expect(html).not.toContain(part)
  expect(html).toContain('&lt;script&gt;')
})

test('reports of nothing are told as well', () => {
  const empty = madeReport({ operations: [], load: null, resources: [] })
  expect(reportText(empty, null)).toContain('tools/list')
  expect(reportHtml(empty, diagnoseReport(empty))).not.toContain('<svg')
})

test('comparisons are rendered with their intervals and verdicts', () => {
  const comparison = compareReports(
    madeReport(),
    madeReport({ operations: [madeOperation({ name: 'look_up', resultTokens: { mean: 900, max: 900 } })] }),
  )
  for (const rendered of [
    comparisonText(comparison),
    comparisonMarkdown(comparison),
    comparisonHtml(comparison),
  ]) {
    expect(rendered).toMatch(/mean.*ms.*10.*±0\.0 %/)
    expect(rendered).toContain('WORSE (not counted)')
  }
})

test('a capacity is rendered with what broke, the headroom and every trial', () => {
  const search = capacitySearch({ latencyMsMax: 100, targetRps: 20 })
  let step = search.next()
  while (!step.done) {
    const { rps } = step.value
    step = search.next({
      requestsPerSecond: rps,
      latencyMs: rps > 50 ? 200 : 20,
      errorRate: 0,
      cpuPercent: 50,
      generatorLimited: null,
    })
  }
  const text = capacityText(step.value)
  expect(text).toMatch(
    /^The capacity is 4\d\.?\d* calls per second\.\nAt 5\d\.?\d* per second: p95 was 200 ms, 100 ms is allowed\.\nThat is 1\d\d % more than the 20 per second/,
  )
  expect(text.match(/(step up|bisect|confirm|target) /g)?.length).toBe(step.value.trials.length)
  expect(capacityMarkdown(step.value)).toContain('# The capacity is')
  expect(capacityHtml(step.value)).toContain('<td>bisect</td>')
})
