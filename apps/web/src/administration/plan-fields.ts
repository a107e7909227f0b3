import { formatBytes, type PlanLimits } from '@flamegate/contract'

/** One limit of a plan, as it is shown and typed. */
export interface PlanField {
  /** As the server names it when something is wrong with it. */
  name: string
  label: string
  /** In what it is typed. */
  unit: string
  /** How many of the stored units are one of those. */
  size: number
  read: (limits: PlanLimits) => number | null
  /** What there is instead of a number. */
  none: string
  inWords: (value: number) => string
}

const gib = 2 ** 30
const hourMs = 3_600_000
const plain = (value: number) => value.toLocaleString()
const inHours = (ms: number) => `${(ms / hourMs).toLocaleString(undefined, { maximumFractionDigits: 2 })} h`

type LimitKey = Exclude<keyof PlanLimits, 'retention_days' | 'features_off'>

function limit(
  key: LimitKey,
  label: string,
  look: Partial<Pick<PlanField, 'unit' | 'size' | 'inWords'>>,
): PlanField {
  return {
    name: `limits.${key}`,
    label,
    unit: '',
    size: 1,
    inWords: plain,
    ...look,
    read: (limits) => limits[key],
    none: 'no limit',
  }
}

function bytes(key: LimitKey, label: string): PlanField {
  return limit(key, label, { unit: 'GiB', size: gib, inWords: formatBytes })
}

function kept(key: keyof PlanLimits['retention_days'], label: string): PlanField {
  return {
    name: `limits.retention_days.${key}`,
    label,
    unit: 'days',
    size: 1,
    read: ({ retention_days: days }) => days[key],
    none: 'for ever',
    inWords: (days) => (days === 1 ? 'a day' : `${plain(days)} days`),
  }
}

/** What a workspace may use. */
export const limitFields: readonly PlanField[] = [
  limit('calls_per_minute', 'Calls a minute', {}),
  limit('uploads_per_day', 'Uploads a day', {}),
  limit('agent_hours_per_month', 'Agent hours a month', {}),
  bytes('storage_bytes', 'Storage'),
  bytes('result_bytes', 'Load test results'),
  bytes('result_file_bytes', 'Load test files'),
  bytes('live_app_bytes', 'Each live app'),
  bytes('live_recording_bytes', 'Live recordings'),
  bytes('mcp_report_bytes', 'Reports on MCP servers'),
  limit('load_users', 'Users of one run', {}),
  limit('load_browser_users', 'Browsers of one run', {}),
  limit('load_rate_per_second', 'Iterations a second of one run', {}),
  limit('load_duration_ms', 'Length of one run', { unit: 'hours', size: hourMs, inWords: inHours }),
]

/** How long what it stores is kept. */
export const keptFields: readonly PlanField[] = [
  kept('runs', 'Benchmark runs'),
  kept('profiles', 'Profiles'),
  kept('bench_results', 'Load tests'),
  kept('live_metrics', 'Live metrics'),
  kept('live_recordings', 'Live recordings'),
  kept('mcp_sessions', 'Sessions of MCP servers'),
  kept('audit', 'Audit log'),
]

export const planFields: readonly PlanField[] = [...limitFields, ...keptFields]

/** A limit as it is typed; empty where there is none. */
export function typedLimit({ read, size }: PlanField, limits: PlanLimits): string {
  const value = read(limits)
  return value === null ? '' : String(Number((value / size).toFixed(6)))
}

/** A limit as people read it. */
export function limitInWords({ read, none, inWords }: PlanField, limits: PlanLimits): string {
  const value = read(limits)
  return value === null ? none : inWords(value)
}

/**
 * The limits that were typed. What is no number stays as it is: the server says so at its field. What was not changed stays exactly what
 * it was, however it is rounded when shown.
 */
export function limitsOfTyped(before: PlanLimits, typed: (name: string) => string): PlanLimits {
  const valueOf = (field: PlanField) => {
    const text = typed(field.name).trim()
    if (text === typedLimit(field, before)) return field.read(before)
    const value = Number(text)
    return text === '' ? null : Number.isFinite(value) ? Math.round(value * field.size) : text
  }
  const valuesOf = (fields: readonly PlanField[]) =>
    Object.fromEntries(fields.map((field) => [field.name.split('.').at(-1), valueOf(field)]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server is the one judge of what was typed
  return {
    ...valuesOf(limitFields),
    retention_days: valuesOf(keptFields),
    features_off: before.features_off,
  } as PlanLimits
}
