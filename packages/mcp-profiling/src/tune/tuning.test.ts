import { expect, test } from 'vitest'
import { compareReports } from '../compare/compare-reports.ts'
import type { McpComparison } from '../compare/comparison.ts'
import { simulatedSessions } from '../testing/simulated-sessions.ts'
import { safeSettings, settingsEnv, settingTitle, type TunedSetting } from './safe-settings.ts'
import { readServerSettings } from './server-settings.ts'
import { judgeTries, keptSettings, slowestP95Ms, type TuningTry } from './tuning.ts'

const quiet = { call: 0.1, block: 0.01, kept: 0.5, drift: 0, disturbed: 0, secondMode: 0, session: 0 }

function compared(factor: number, seed: number): McpComparison {
  const { base, head } = simulatedSessions(quiet, {
    blocks: 20,
    callsPerBlock: 60,
    factor,
    seed,
    isInterleaved: true,
  })
  return compareReports(base, head, { isInterleaved: true })
}

function setting(variable: string, value: string): TunedSetting {
  return { setting: variable, variable, value, isAdded: false }
}

function tried(
  variable: string,
  value: string,
  factor: number,
  changes: Partial<McpComparison> = {},
): TuningTry {
  const comparison = { ...compared(factor, value.length + variable.length), ...changes }
  return { setting: setting(variable, value), comparison, failure: null }
}

test('kept is the best value of each setting that is surely better and makes nothing worse', () => {
  const tries = [
    tried('POOL', '5', 0.9),
    tried('POOL', '10', 0.7),
    tried('CACHE', '1', 0.8),
    tried('CACHE', '22', 1),
    tried('SLOW', '1', 1.4),
    tried('BIG', '1', 0.5, { regressions: ['the server: rss_bytes +90 %'] }),
    { setting: setting('ODD', '1'), comparison: null, failure: 'It ended.' },
  ]
  const judged = judgeTries(tries)
  expect(judged.map(({ verdict }) => verdict)).toEqual([
    'better',
    'better',
    'better',
    'same',
    'worse',
    'trade_off',
    'failed',
  ])
  expect(judged.at(-1)?.remarks).toEqual(['It ended.'])
  expect(keptSettings(tries, judged).map(settingTitle)).toEqual(['POOL=10', 'CACHE=1'])
})

test('one lucky try among many is none', () => {
  const lucky = compared(1, 5)
  const [operation] = lucky.operations
  const metrics = (operation?.metrics ?? []).map((metric) =>
    metric.metric === 'mean_ms'
      ? { ...metric, verdict: 'better' as const, pValue: 0.01 }
      : { ...metric, pValue: 0.9 },
  )
  const comparison: McpComparison = {
    ...lucky,
    verdict: 'faster',
    operations: operation ? [{ ...operation, metrics }] : [],
  }
  const alone = { setting: setting('A', '1'), comparison, failure: null }
  const others = Array.from({ length: 9 }, (_, at) => tried('B', 'x'.repeat(at + 1), 1))
  expect(judgeTries([alone])[0]?.verdict).toBe('better')
  expect(judgeTries([alone, ...others])[0]?.verdict).toBe('cannot_tell')
})

test('flags are added to what a variable has, and values take its place', () => {
  const [flag] = safeSettings('node', 4)
  expect(flag).toMatchObject({ variable: 'NODE_OPTIONS', value: '--max-semi-space-size=32', isAdded: true })
  const settings = [...(flag ? [flag] : []), setting('UV_THREADPOOL_SIZE', '8')]
  expect(settingsEnv(settings, { NODE_OPTIONS: '--enable-source-maps', UV_THREADPOOL_SIZE: '4' })).toEqual({
    NODE_OPTIONS: '--enable-source-maps --max-semi-space-size=32',
    UV_THREADPOOL_SIZE: '8',
  })
  expect(safeSettings('go', 1).map(settingTitle)).toEqual(['GOGC=200', 'GOGC=400'])
  expect(safeSettings('java', 4).every(({ isAdded }) => isAdded)).toBe(true)
})

test('slowestP95Ms() is that of the slowest operation', () => {
  const comparison = compared(2, 1)
  const [before, after] = [slowestP95Ms(comparison, 'base'), slowestP95Ms(comparison, 'head')]
  expect((after ?? 0) / (before ?? 1)).toBeCloseTo(2, 0)
  expect(slowestP95Ms({ ...comparison, operations: [] }, 'base')).toBeNull()
})

test('readServerSettings() tells what is wrong', () => {
  expect(readServerSettings({ env: { A: '1' }, concurrent: 2 })).toMatchObject({
    outcome: 'read',
    settings: { env: { A: '1' }, args: [], concurrent: 2 },
  })
  expect(readServerSettings({ concurrent: 0 })).toMatchObject({
    faults: [expect.stringMatching(/^concurrent: /)],
  })
  expect(readServerSettings({ flags: [] })).toMatchObject({
    faults: ['flags is no setting. There are: name, env, runtimeFlags, args, headers, concurrent.'],
  })
  expect(readServerSettings({ name: 'x' })).toMatchObject({
    faults: [expect.stringMatching(/^It changes nothing/)],
  })
})
