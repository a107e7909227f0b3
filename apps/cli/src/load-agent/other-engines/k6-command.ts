import { basename, dirname, join } from 'node:path'
import type { OpenLoad } from '@flamegate/loadtest'
import { isOpen, loadCurve, loadPeak } from '@flamegate/loadtest/scenario'
import type { EngineCommand, SharedEngineTask } from './engine-command.ts'

/**
 * k6 with an unchanged script ([options](https://grafana.com/docs/k6/latest/using-k6/k6-options/reference/)). The load of the profile
 * becomes stages, which count more than the options of the script; a rate, for which k6 has no option, a script beside it that has its
 * options but for their load. k6 itself takes the part of this agent, of any load.
 * @param script Where the script is
 */
export function k6Command(task: SharedEngineTask, script: string): EngineCommand {
  const { load } = task.profile
  const atRate =
    task.engine.type === 'k6' && !task.engine.has_own_load && isOpen(load)
      ? rateScript(load, script)
      : undefined
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
      '--system-tags',
      systemTags.join(','),
      ...stages(task),
      ...segment(task),
      atRate?.path ?? script,
    ],
    env: task.profile.variables,
    files: atRate === undefined ? {} : { [atRate.path]: atRate.text },
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

/** All that k6 has: whichever a script asks for is there, and which user and iteration a request was of. */
const systemTags = [
  'proto',
  'subproto',
  'status',
  'method',
  'url',
  'name',
  'group',
  'check',
  'error',
  'error_code',
  'tls_version',
  'scenario',
  'service',
  'expected_response',
  'vu',
  'iter',
  'ip',
  'ocsp_status',
]

/** k6 takes whole numbers of iterations. */
const rateUnitSeconds = 1000

/**
 * A script that is another one at a [rate](https://grafana.com/docs/k6/latest/using-k6/scenarios/executors/ramping-arrival-rate/). In the
 * same folder, from which that one opens its files; a CommonJS module, which gives what any kind of module exports.
 */
function rateScript(load: OpenLoad, script: string): { path: string; text: string } {
  const [first, ...rest] = loadCurve(load)
  const target = (rate: number) => Math.round(rate * rateUnitSeconds)
  let before = first?.atMs ?? 0
  const scenario = {
    executor: 'ramping-arrival-rate',
    timeUnit: `${rateUnitSeconds}s`,
    startRate: target(first?.value ?? 0),
    stages: rest.map(({ atMs, value }) => {
      const lastsMs = atMs - before
      before = atMs
      return { duration: `${lastsMs}ms`, target: target(value) }
    }),
    // As many as begin in a second; more are made where these are busy.
    preAllocatedVUs: Math.min(load.users_max, Math.max(1, Math.ceil(loadPeak(load)))),
    maxVUs: load.users_max,
  }
  return {
    path: join(dirname(script), '.flamegate-rate.js'),
    text: `const script = require(${JSON.stringify(`./${basename(script)}`)})
const load = { vus: undefined, duration: undefined, iterations: undefined, stages: undefined, scenarios: { default: ${JSON.stringify(scenario)} } }
module.exports = Object.assign({}, script, { options: Object.assign({}, script.options, load) })
`,
  }
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
