import type { AnswerOf, operations } from '@flamegate/contract'
import { typedNumber } from '../documents/typed-number.ts'

export type Monitor = AnswerOf<typeof operations.listMonitors>['monitors'][number]

export const monitorTypes = [
  { id: 'linux', label: 'Linux', note: 'the machine that the agent is on' },
  { id: 'prometheus', label: 'Prometheus', note: 'an address in its text format, or OpenMetrics' },
  { id: 'postgres', label: 'PostgreSQL' },
  { id: 'mysql', label: 'MySQL or MariaDB' },
  { id: 'redis', label: 'Redis' },
  { id: 'nginx', label: 'nginx', note: 'the address of stub_status' },
  { id: 'jolokia', label: 'JVM', note: 'through Jolokia' },
  { id: 'otlp', label: 'OpenTelemetry', note: 'metrics that programs send to the agent over OTLP/HTTP' },
] as const
export type MonitorType = (typeof monitorTypes)[number]['id']

/** A field of a type that somebody types; all are text. */
export interface TypedField {
  name: 'target_url' | 'host' | 'port' | 'user' | 'database'
  label: string
  usual: string
  hint?: string
}

const web: readonly TypedField[] = [
  { name: 'target_url', label: 'Address', usual: '', hint: 'As the agent reaches it.' },
  { name: 'user', label: 'User', usual: '', hint: 'With one, the secret is its password; without, a token.' },
]
const server = (port: string, user: string): readonly TypedField[] => [
  { name: 'host', label: 'Host', usual: '127.0.0.1', hint: 'As the agent reaches it.' },
  { name: 'port', label: 'Port', usual: port },
  { name: 'user', label: 'User', usual: user },
]

/** What is asked for of each type. */
export const fieldsOf: Readonly<Record<MonitorType, readonly TypedField[]>> = {
  linux: [],
  prometheus: web,
  postgres: [...server('5432', ''), { name: 'database', label: 'Database', usual: 'postgres' }],
  mysql: server('3306', ''),
  redis: server('6379', ''),
  nginx: web,
  jolokia: web,
  otlp: [{ name: 'port', label: 'Port', usual: '4318', hint: 'The agent listens there, on loopback.' }],
}

export const hasSecret = (type: MonitorType): boolean => type !== 'linux' && type !== 'otlp'
export const hasTls = (type: MonitorType): boolean => fieldsOf[type].some(({ name }) => name === 'host')

const limits = ['above', 'below', 'between'] as const
type Limit = (typeof limits)[number]

/** A threshold as somebody writes it: numbers are text. */
export interface ThresholdDraft {
  /** Tells drafts apart. */
  key: number
  name: string
  counters: string
  severity: 'warning' | 'critical'
  limit: Limit
  value: string
  upper: string
  lasts: 'occurrences' | 'seconds'
  amount: string
}

let keys = 0

export function newThreshold(): ThresholdDraft {
  return {
    key: ++keys,
    name: '',
    counters: '',
    severity: 'warning',
    limit: 'above',
    value: '',
    upper: '',
    lasts: 'occurrences',
    amount: '1',
  }
}

/** Of a document by the schema monitor.json. */
export function thresholdDrafts({ thresholds }: Monitor['document']): ThresholdDraft[] {
  return listOf(thresholds).map((value) => {
    const threshold = new Map(Object.entries(typeof value === 'object' && value !== null ? value : {}))
    const limit = limits.find((each) => (threshold.get(each) ?? null) !== null) ?? 'above'
    const [low, high] = limit === 'between' ? listOf(threshold.get('between')) : [threshold.get(limit)]
    const seconds = threshold.get('seconds') ?? null
    return {
      key: ++keys,
      name: wordOf(threshold.get('name')),
      counters: listOf(threshold.get('counters')).map(wordOf).join(', '),
      severity: threshold.get('severity') === 'critical' ? 'critical' : 'warning',
      limit,
      value: wordOf(low),
      upper: wordOf(high),
      lasts: seconds === null ? 'occurrences' : 'seconds',
      amount: wordOf(seconds ?? threshold.get('occurrences') ?? 1),
    }
  })
}

/** As the schema has it; the server says what is wrong. */
export function thresholdOf(draft: ThresholdDraft): Record<string, unknown> {
  const { limit, value, upper, lasts, amount } = draft
  return {
    name: draft.name.trim(),
    counters: splitNames(draft.counters),
    severity: draft.severity,
    [limit]: limit === 'between' ? [typedNumber(value), typedNumber(upper)] : typedNumber(value),
    [lasts]: typedNumber(amount),
  }
}

/** Names that are written one per line; of thresholds between commas that are in no braces. */
export function splitNames(text: string): string[] {
  return text
    .split(/\n|,(?![^{]*\})/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Names, one per line. */
export function namesIn(list: unknown): string {
  return listOf(list).map(wordOf).join('\n')
}

export function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
