// How soon changes of a benchmark's history are found, and at how many false alarms, beside fixed percentages and a t test.
import { parseArgs } from 'node:util'
import { runExperiment } from './experiment.ts'
import { findingsOf } from './findings.ts'
import type { Row, Table } from './findings.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    // A tenth is enough to see that it works; what is published is the whole.
    share: { type: 'string', default: '1' },
  },
})
const share = Number(values.share)
const amounts = {
  quiet: Math.ceil(20 * share),
  changed: Math.ceil(20 * share),
  atGoal: Math.ceil(300 * share),
  seed: Number(values.seed),
}
const { tables, rows } = findingsOf(runExperiment(amounts))
if (values.json) for (const row of rows) console.log(JSON.stringify(rounded(row)))
else {
  for (const table of tables) printTable(table)
  printTable(goals(rows))
}

function goals(all: readonly Row[]): Table {
  return {
    title: 'Goals',
    columns: ['metric', 'peer', 'ours', 'theirs', 'goal', 'met'],
    rows: all.map(({ metric, peer, ours, theirs, goal, met }) => [
      metric,
      peer,
      ours.toFixed(3),
      theirs?.toFixed(3) ?? '',
      theirs !== null && goal === 1 ? 'not worse' : (goal ?? ''),
      met === null ? '' : met ? 'yes' : 'no',
    ]),
  }
}

function printTable({ title, columns, rows: lines }: Table): void {
  console.log(`${title}\n`)
  console.log(`| ${columns.join(' | ')} |`)
  console.log(`| ${columns.map((_, at) => (at === 0 ? '---' : '--:')).join(' | ')} |`)
  for (const line of lines) console.log(`| ${line.join(' | ')} |`)
  console.log('')
}

function rounded(row: Row): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(4)) : value,
    ]),
  )
}
