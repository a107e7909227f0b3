import type { Diagnosis, Evidence, Finding } from '../diagnose/finding.ts'
import type { McpReport } from '../report.ts'
import { formatNumber } from './format.ts'
import { page } from './page.ts'
import { reportTables } from './report-tables.ts'
import {
  escapeHtml,
  markdownText,
  plainText,
  tableHtml,
  tableMarkdown,
  tableText,
  type Table,
} from './table.ts'
import { throughputChart } from './throughput-chart.ts'

interface RenderOptions {
  /** After the tables that every report has. */
  more?: readonly Table[]
  /** Rows of the functions with most time of their own. */
  topFunctions?: number | undefined
}

/** For terminals. */
export function reportText(
  report: McpReport,
  diagnosis: Diagnosis | null,
  options: RenderOptions = {},
): string {
  const findings = (diagnosis?.findings ?? []).map((finding) =>
    [
      `${finding.priority.toUpperCase()}  ${finding.title} [${finding.rule}, ${finding.confidence} confidence]`,
      `  ${evidenceWords(finding)}`,
      `  → ${finding.suggestion}`,
    ]
      .map(plainText)
      .join('\n'),
  )
  return [
    plainText(headline(report)),
    ...tablesOf(report, options).map(tableText),
    ...section('Findings', findings, '\n'),
    ...section(
      'Score',
      scoreLines(diagnosis).map((line) => `  ${plainText(line)}`),
    ),
    ...section(
      'Notes',
      notesOf(report).map((note) => `  ${plainText(note)}`),
    ),
  ].join('\n\n')
}

export function reportMarkdown(
  report: McpReport,
  diagnosis: Diagnosis | null,
  options: RenderOptions = {},
): string {
  const findings = (diagnosis?.findings ?? []).map((finding) =>
    [
      `- **${finding.priority}: ${markdownText(finding.title)}** (${markdownText(finding.rule)}, ${finding.confidence} confidence)`,
      `  ${markdownText(evidenceWords(finding))}.`,
      `  ${markdownText(finding.suggestion)}`,
    ].join('\n'),
  )
  return `${[
    `# ${markdownText(headline(report))}`,
    ...tablesOf(report, options).map(tableMarkdown),
    ...section('## Findings\n', findings),
    ...section('## Score\n', markdownList(scoreLines(diagnosis))),
    ...section('## Notes\n', markdownList(notesOf(report))),
  ].join('\n\n')}\n`
}

/** One file that shows everything, and runs nothing. */
export function reportHtml(
  report: McpReport,
  diagnosis: Diagnosis | null,
  options: RenderOptions = {},
): string {
  const findings = (diagnosis?.findings ?? []).map(
    (finding) =>
      `<div class="finding ${finding.priority}"><p><strong>${escapeHtml(finding.title)}</strong> (${escapeHtml(finding.rule)}, priority ${finding.priority}, ${finding.confidence} confidence)</p><p>${escapeHtml(evidenceWords(finding))}</p><p>${escapeHtml(finding.suggestion)}</p></div>`,
  )
  const body = [
    findings.length === 0 ? '' : `<h2>Findings</h2>${findings.join('\n')}`,
    ...tablesOf(report, options).map(tableHtml),
    throughputChart(report.load?.perSecond ?? []),
    htmlList('Score', scoreLines(diagnosis)),
    htmlList('Notes', notesOf(report)),
  ]
  return page(headline(report), body.filter((part) => part !== '').join('\n'))
}

function tablesOf(report: McpReport, { more = [], topFunctions }: RenderOptions): readonly Table[] {
  return [...reportTables(report, topFunctions), ...more]
}

function markdownList(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${markdownText(line)}`)
}

function htmlList(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  return `<h2>${title}</h2><ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`
}

function headline({ command, target, startedAt }: McpReport): string {
  const server = target.server ? ` (${target.server.name} ${target.server.version})` : ''
  const label = target.label === null ? '' : `, ${target.label}`
  return `${command} of ${target.name}${server}${label}, ${startedAt}`
}

function evidenceWords({ evidence }: Finding): string {
  return evidence.map(evidenceWord).join(', ')
}

function evidenceWord({ name, value, unit }: Evidence): string {
  return `${name} ${typeof value === 'number' ? formatNumber(value) : value}${unit === '' ? '' : ` ${unit}`}`
}

function scoreLines(diagnosis: Diagnosis | null): string[] {
  if (!diagnosis || diagnosis.performanceScore === null) return []
  return [
    `${diagnosis.performanceScore} of 100`,
    ...diagnosis.scoreParts.map(({ name, points }) => `−${points}: ${name}`),
  ]
}

function notesOf({ notes, load }: McpReport): string[] {
  return load?.generatorLimited
    ? [`What measured was itself too slow: ${load.generatorLimited}`, ...notes]
    : notes
}

function section(title: string, lines: readonly string[], between = ''): string[] {
  return lines.length === 0 ? [] : [`${title}\n${lines.join(`\n${between}`)}`]
}
