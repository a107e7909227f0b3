import { durationShape } from '../virtual-users/action-fields.ts'
import { type Field, plain, type Shape } from '../documents/field.ts'
import { isObject, type JsonObject, textOf } from '../documents/json.ts'

const third = { size: 'third' } as const
const half = { size: 'half' } as const

const users: Field = { kind: 'number', name: 'users', label: 'Users', ...third }
const time = (name: string, label: string): Field => ({ kind: 'duration', name, label, ...third })
const rate = (name: string, label: string): Field => ({ kind: 'number', name, label, ...third })

const iterations: Field = {
  kind: 'number',
  name: 'iterations_per_user',
  label: 'Iterations of each user',
  placeholder: 'as many as there is time for',
  isNullable: true,
  ...half,
}
const open: readonly Field[] = [
  {
    kind: 'choice',
    name: 'arrivals',
    label: 'Arrivals',
    choices: [
      { id: 'constant', label: 'Evenly spaced' },
      { id: 'poisson', label: 'At random (Poisson)' },
    ],
    ...half,
  },
  { kind: 'number', name: 'users_max', label: 'Users at once, at most', ...half },
]
const openStart = { arrivals: 'constant', users_max: 1000 }

const points = (value: Field): Field => ({
  kind: 'list',
  name: 'points',
  label: 'Points',
  item: 'point',
  isCompact: true,
  shape: plain(
    [
      { kind: 'duration', name: 'at_ms', label: 'At', ...half },
      { ...value, ...half },
    ],
    {
      at_ms: 0,
      [value.name]: 0,
    },
  ),
})

/** Each type of load with its fields, and what a new one is. */
const loadShape: Shape = {
  by: 'type',
  variants: {
    ramp_up: {
      label: 'Ramp up and stay',
      fields: [users, time('ramp_up_ms', 'Ramp-up'), time('plateau_ms', 'Plateau'), iterations],
      start: { users: 10, ramp_up_ms: 30_000, plateau_ms: 270_000, iterations_per_user: null },
    },
    ramp_up_down: {
      label: 'Ramp up and down',
      fields: [
        users,
        time('ramp_up_ms', 'Ramp-up'),
        time('plateau_ms', 'Plateau'),
        time('ramp_down_ms', 'Ramp-down'),
        iterations,
      ],
      start: {
        users: 10,
        ramp_up_ms: 60_000,
        plateau_ms: 180_000,
        ramp_down_ms: 60_000,
        iterations_per_user: null,
      },
    },
    stairs: {
      label: 'Stairs',
      fields: [
        { ...users, label: 'Users on the highest step' },
        { kind: 'number', name: 'steps', label: 'Steps', ...third },
        time('step_ms', 'Time on a step'),
        time('rise_ms', 'Time between steps'),
        iterations,
      ],
      start: { users: 50, steps: 5, step_ms: 60_000, rise_ms: 5000, iterations_per_user: null },
    },
    custom: {
      label: 'Users over time',
      fields: [points({ kind: 'number', name: 'users', label: 'Users' }), iterations],
      start: {
        points: [
          { at_ms: 0, users: 0 },
          { at_ms: 60_000, users: 10 },
          { at_ms: 300_000, users: 10 },
        ],
        iterations_per_user: null,
      },
    },
    constant_rate: {
      label: 'Constant arrival rate',
      fields: [rate('rate_per_second', 'Iterations per second'), time('duration_ms', 'Duration'), ...open],
      start: { rate_per_second: 10, duration_ms: 300_000, ...openStart },
    },
    ramping_rate: {
      label: 'Arrival rate over time',
      fields: [points({ kind: 'number', name: 'rate_per_second', label: 'Iterations per second' }), ...open],
      start: {
        points: [
          { at_ms: 0, rate_per_second: 0 },
          { at_ms: 60_000, rate_per_second: 10 },
          { at_ms: 300_000, rate_per_second: 10 },
        ],
        ...openStart,
      },
    },
    spikes: {
      label: 'Spikes of arrivals',
      fields: [
        rate('base_rate_per_second', 'Between spikes, per second'),
        rate('spike_rate_per_second', 'In a spike, per second'),
        time('first_spike_ms', 'First spike at'),
        time('spike_ms', 'A spike lasts'),
        time('interval_ms', 'From one to the next'),
        time('duration_ms', 'Duration'),
        ...open,
      ],
      start: {
        base_rate_per_second: 5,
        spike_rate_per_second: 50,
        first_spike_ms: 60_000,
        spike_ms: 10_000,
        interval_ms: 60_000,
        duration_ms: 300_000,
        ...openStart,
      },
    },
  },
}

/** What a new user profile begins with, beside whose it is. */
export const newLoad = { type: 'ramp_up', ...loadShape.variants['ramp_up']?.start }

const bitsPerSecond = (name: string, label: string): Field => ({
  kind: 'number',
  name,
  label,
  placeholder: 'as fast as it goes',
  isNullable: true,
  ...third,
})

const ownLoad: Field = {
  kind: 'flag',
  name: 'has_own_load',
  label: 'The options of the script say how much load',
}

const scriptFiles: Field = {
  kind: 'texts',
  name: 'files',
  label: 'Other project files that it reads',
  hint: 'One on each line.',
}

const scriptPath: Field = {
  kind: 'text',
  name: 'path',
  label: 'Project file',
  placeholder: 'scripts/load.js',
  hint: 'A script is code: it can do on the machine of an agent what its user can, and sends where it wants. It runs only on agents of your own that were started with --allow-engine.',
}

/** The script of another engine that a profile runs; undefined: its virtual user. */
export function scriptOf({ engine }: JsonObject): { type: string; path: string } | undefined {
  const type = isObject(engine) ? textOf(engine['type']) : ''
  if (!isObject(engine) || type === '' || type === 'flamegate') return undefined
  return { type, path: textOf(engine['path']) }
}

/** What is seen of a profile at once. Who runs a script has no virtual user, and is asked for none. */
export function mainFields(
  profile: JsonObject,
  virtualUsers: readonly { id: string; name: string }[],
): readonly Field[] {
  const user: Field = {
    kind: 'choice',
    name: 'virtual_user_id',
    label: 'Virtual user',
    choices: virtualUsers.map(({ id, name }) => ({ id, label: name })),
    isNullable: true,
    ...third,
  }
  // One that was chosen before the engine was has to be taken away again.
  const hasUser = scriptOf(profile) === undefined || textOf(profile['virtual_user_id']) !== ''
  return [
    { kind: 'text', name: 'name', label: 'Name', ...third },
    ...(hasUser ? [user] : []),
    { kind: 'text', name: 'agent_group', label: 'Agent group', ...third },
    { kind: 'object', name: 'load', label: 'Load', shape: loadShape },
  ]
}

/** What is seldom changed. */
export const furtherFields: readonly Field[] = [
  { kind: 'duration', name: 'start_delay_ms', label: 'Starts after', ...third },
  { kind: 'number', name: 'think_time_factor', label: 'Think time factor', ...third },
  { kind: 'flag', name: 'keep_alive', label: 'Keep connections alive', ...third },
  {
    kind: 'choice',
    name: 'http_version',
    label: 'Protocol',
    choices: [
      { id: 'of_server', label: 'As the HTTP server says' },
      { id: 'http/1.1', label: 'HTTP/1.1' },
      { id: 'h2', label: 'HTTP/2' },
    ],
    ...half,
  },
  {
    kind: 'text',
    name: 'proxy_url',
    label: 'Proxy',
    placeholder: 'http://${user}:${password}@proxy.example.com:3128',
    hint: 'Its host has to be verified, as those of the servers.',
    isNullable: true,
    ...half,
  },
  { kind: 'object', name: 'pacing', label: 'Pacing', shape: durationShape, isNullable: true },
  {
    kind: 'object',
    name: 'network',
    label: 'Network of one user',
    shape: plain(
      [
        bitsPerSecond('download_bits_per_second', 'Download, bits per second'),
        bitsPerSecond('upload_bits_per_second', 'Upload, bits per second'),
        { kind: 'number', name: 'latency_ms', label: 'Added round trip (ms)', ...third },
      ],
      {},
    ),
  },
  {
    kind: 'object',
    name: 'engine',
    label: 'Engine',
    shape: {
      by: 'type',
      variants: {
        flamegate: { label: 'Flamegate', fields: [], start: {} },
        k6: {
          label: 'k6, unchanged script',
          fields: [scriptPath, ownLoad, scriptFiles],
          start: { path: '', files: [] },
        },
        jmeter: {
          label: 'JMeter, unchanged JMX',
          fields: [{ ...scriptPath, placeholder: 'plans/shop.jmx' }, scriptFiles],
          start: { path: '', files: [] },
        },
      },
    },
  },
]

/** Of the scenario as a whole. */
export const scenarioFields: readonly Field[] = [
  { kind: 'text', name: 'name', label: 'Name', ...half },
  {
    kind: 'choice',
    name: 'on_agent_lost',
    label: 'When an agent is lost',
    choices: [
      { id: 'redistribute', label: 'Others take its users' },
      { id: 'degrade', label: 'Go on with fewer, and say so' },
      { id: 'stop', label: 'End the run' },
    ],
    ...half,
  },
  {
    kind: 'several',
    name: 'result_files',
    label: 'Result files',
    hint: 'To be downloaded after the run. A trace shows everything: pictures of pages, what was typed, and what was sent, with cookies. None is kept of users with secrets.',
    choices: [
      { id: 'jtl', label: 'Every request, as JTL of JMeter (CSV)' },
      { id: 'parquet', label: 'Every request, as Parquet' },
      { id: 'page_traces', label: 'Playwright traces of a few page actions' },
    ],
  },
  { kind: 'text', name: 'description', label: 'Description', lines: 2 },
  { kind: 'texts', name: 'tags', label: 'Tags', hint: 'One on each line.' },
]
