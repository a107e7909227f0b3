import { loadavg } from 'node:os'
import { buildOf, changeOf, compareWith, slowerBy } from './profiler.ts'
import type { Trial } from './page.ts'

/** Two builds of the sample server against each other, in turns. */
export async function turnsTrial(cwd: string, isSlower: boolean): Promise<Trial> {
  const beganAtMs = performance.now()
  const found = await compareWith(cwd, [
    'regression-check',
    '--baseline',
    buildOf(1).join(' '),
    '--current',
    buildOf(isSlower ? slowerBy : 1).join(' '),
    '--operations',
    'reckon',
    '--block-time',
    '500ms',
  ])
  return {
    isSlower,
    isAlarm: found.exitCode === 1,
    regressions: found.regressions,
    note: found.notes[0] ?? '',
    meanChangePercent: changeOf(found.operations[0]?.metrics ?? [], 'mean_ms'),
    cpuChangePercent: changeOf(found.overall, 'cpu_ms_per_call'),
    seconds: (performance.now() - beganAtMs) / 1000,
    load: loadavg()[0] ?? 0,
  }
}
