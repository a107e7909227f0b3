import { loadavg } from 'node:os'
import type { Trial } from './page.ts'
import { buildOf, changeOf, compareWith, profiler, slowerBy } from './profiler.ts'

/** Two sessions of the sample server, one after the other, and their files against each other. */
export async function sessionsTrial(cwd: string, isSlower: boolean): Promise<Trial> {
  const beganAtMs = performance.now()
  await session(cwd, 'baseline.json', 1)
  await session(cwd, 'current.json', isSlower ? slowerBy : 1)
  const found = await compareWith(cwd, [
    'regression-check',
    '--baseline',
    'baseline.json',
    '--current',
    'current.json',
    '--threshold',
    '10%',
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

async function session(cwd: string, file: string, work: number): Promise<void> {
  const command = ['test', '--reference', '--concurrent', '1', '--duration', '60s', '--operations', 'reckon']
  await profiler(cwd, [...command, '--no-keep', '--output', file, '--', ...buildOf(work)])
}
