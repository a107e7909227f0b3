import { isOpen, loadCurve } from '@flamegate/loadtest'
import type { EngineCommand, SharedEngineTask } from './engine-command.ts'

/**
 * k6 with an unchanged script ([options](https://grafana.com/docs/k6/latest/using-k6/k6-options/reference/)). The load of the profile
 * becomes stages, which count more than the options of the script. k6 itself takes the part of this agent, of stages and of a load
 * of its own.
 * @param script Where the script is
 */
export function k6Command(task: SharedEngineTask, script: string): EngineCommand {
  return {
    args: [
      'run',
      '--out',
      'json=-',
      '--quiet',
      '--no-color',
      '--no-summary',
      '--no-usage-report',
      // Its port would be taken by another one, and lets others on the machine stop it.
      '--address',
      '',
      ...stages(task),
      ...segment(task),
      script,
    ],
    env: task.profile.variables,
    files: {},
    results: 'stdout',
  }
}

function stages({ profile: { load }, engine }: SharedEngineTask): string[] {
  if (engine.type !== 'k6' || engine.has_own_load || isOpen(load)) return []
  const [first, ...rest] = loadCurve(load)
  let before = first?.atMs ?? 0
  return [
    '--vus',
    String(Math.ceil(first?.value ?? 0)),
    ...rest.flatMap(({ atMs, value }) => {
      const lastsMs = atMs - before
      before = atMs
      return ['--stage', `${lastsMs}ms:${Math.ceil(value)}`]
    }),
  ]
}

function segment({ share: { index, agents } }: SharedEngineTask): string[] {
  if (agents === 1) return []
  const edge = (at: number) => (at === 0 || at === agents ? String(at / agents) : `${at}/${agents}`)
  const edges = Array.from({ length: agents + 1 }, (_, at) => edge(at))
  return [
    '--execution-segment',
    `${edge(index)}:${edge(index + 1)}`,
    '--execution-segment-sequence',
    edges.join(','),
  ]
}
