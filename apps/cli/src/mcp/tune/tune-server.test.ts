import type { McpComparison, TunedSetting } from '@flamegate/mcp-profiling'
import { expect, test } from 'vitest'
import { newReport } from '../report/new-report.ts'
import type { StdioTarget } from '../target/mcp-target.ts'
import type { CompareInTurns } from '../turns/compare-in-turns.ts'
import { tuneServer } from './tune-server.ts'

const target: StdioTarget = {
  kind: 'stdio',
  name: 'mine',
  from: 'the command line',
  command: ['node'],
  env: {},
  cwd: '/',
}

const nothing = {
  processStartMs: null,
  oauthMs: null,
  initializeMs: null,
  toolsListMs: null,
  toolsListBytes: null,
  toolsListTokens: null,
  tools: null,
}
const server = {
  target,
  connection: nothing,
  session: { server: { name: 'mine', version: '1', protocolVersion: '' } },
}

function setting(variable: string): TunedSetting {
  return { setting: variable, variable, value: '1', isAdded: false }
}

function comparison([base, head]: readonly [string, string], isFaster: boolean): McpComparison {
  const side = { target: 'mine', startedAt: '2026-11-29T00:00:00.000Z', serverVersion: null }
  return {
    type: 'mcp_profiler_comparison',
    version: 1,
    base: { ...side, label: base },
    head: { ...side, label: head },
    thresholdPercent: 5,
    confidence: 0.98,
    isInterleaved: true,
    verdict: isFaster ? 'faster' : 'same',
    regressions: [],
    improvements: [],
    summary: '',
    environmentDifferences: [],
    overall: [],
    operations: [
      {
        method: 'tools/call',
        name: 'work',
        metrics: [
          {
            metric: 'mean_ms',
            base: 10,
            head: 8,
            changePercent: -20,
            lowPercent: -22,
            highPercent: -18,
            pValue: 1e-6,
            verdict: isFaster ? 'better' : 'same',
            isCounted: true,
            method: '',
          },
        ],
      },
    ],
    notes: [],
  }
}

/** Tunes with comparisons that come out as `isFaster` says of the labels of both sides. */
async function tuned(
  variables: readonly string[],
  isFaster: (base: string, head: string, attempt: number) => boolean,
) {
  const asked: string[] = []
  const compare: CompareInTurns = ([base, head]) => {
    const labels = [base.label ?? '', head.label ?? ''] as const
    const what = labels.join(' | ')
    const attempt = asked.filter((each) => each === what).length + 1
    asked.push(what)
    const report = newReport(server, { command: 'auto-tune', startedAt: new Date(0), label: head.label })
    return Promise.resolve({
      comparison: comparison(labels, isFaster(...labels, attempt)),
      reports: [report, report],
    })
  }
  const { tuning } = await tuneServer(target, variables.map(setting), {
    compare,
    env: {},
    concurrent: 1,
    thresholdPercent: 5,
    targetLatencyMs: null,
    interruption: new AbortController().signal,
  })
  return { asked, tuning }
}

test('what was better by chance is not proposed along with what is better', async () => {
  const { asked, tuning } = await tuned(
    ['REAL', 'LUCK', 'TRUE'],
    (base, head, attempt) => !head.endsWith('LUCK=1') || (base === 'as it is' && attempt === 1),
  )
  expect(tuning.tries.map(({ verdict }) => verdict)).toEqual(['better', 'better', 'better'])
  expect(tuning.proposal).toMatchObject({
    settings: ['REAL=1', 'TRUE=1'],
    env: { REAL: '1', TRUE: '1' },
    confirmation: { base: { label: 'as it is' }, head: { label: 'REAL=1, TRUE=1' } },
  })
  expect(tuning.notConfirmed).toEqual(['LUCK=1'])
  expect(asked.slice(3)).toEqual([
    'as it is | REAL=1',
    'REAL=1 | REAL=1, LUCK=1',
    'REAL=1 | REAL=1, TRUE=1',
    'as it is | REAL=1, TRUE=1',
  ])
})

test('of one setting that is better again no more is measured, and the numbers are those of it', async () => {
  const { asked, tuning } = await tuned(
    ['REAL', 'LUCK'],
    (_, head, attempt) => head === 'REAL=1' || (head === 'LUCK=1' && attempt === 1),
  )
  expect(asked).toHaveLength(4)
  expect(tuning.proposal).toMatchObject({ settings: ['REAL=1'], confirmation: { head: { label: 'REAL=1' } } })
  expect(tuning.notConfirmed).toEqual(['LUCK=1'])
})

test('two that are no better together than the server as it is: the first alone', async () => {
  const { tuning } = await tuned(['ONE', 'TWO'], (base, head) => base !== 'as it is' || !head.includes(','))
  expect(tuning.proposal?.settings).toEqual(['ONE=1'])
  expect(tuning.notConfirmed).toEqual(['ONE=1 with TWO=1'])
})

test('what is better once only is not proposed', async () => {
  const { tuning } = await tuned(['LUCK'], (_, __, attempt) => attempt === 1)
  expect(tuning).toMatchObject({ proposal: null, notConfirmed: ['LUCK=1'] })
  expect(tuning.summary).toMatch(/^Nothing that was tried is surely better\./)
})
