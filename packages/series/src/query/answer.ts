import { decodeChunk } from '../chunk.ts'
import type { Span } from '../levels.ts'
import { regroup } from '../regroup.ts'
import {
  allOfThem,
  hasRowsOf,
  tablesOf,
  type LiveTick,
  type RunPlan,
  type SeriesChunk,
  type SeriesKey,
} from '../seal.ts'
import { allAgents, type SeriesKind, type SeriesTable } from '../table.ts'
import { bucketOf, type Buckets } from './buckets.ts'
import { agentsApart, type QuestionPlan, type SeriesQuestion } from './question.ts'

export interface SeriesGroup<Bucket> {
  /** `allOfThem`, unless they are told apart. */
  profile: number
  action: number
  /** `allAgents`, unless they are told apart. */
  agent: number
  /** All of the span, in order; also those in which nothing happened. */
  buckets: Bucket[]
}

export interface SeriesAnswer<Bucket> extends Span {
  bucketSeconds: number
  /** Those of which anything is known, by profile, action and agent. */
  groups: SeriesGroup<Bucket>[]
}

/** Rows of a series: of a chunk, of the seconds that its level is asked for; or of live ticks. */
interface Source extends Span {
  key: SeriesKey
  table: SeriesTable
  /** Whether there is a row of all agents besides those of each. */
  isWhole: boolean
}

/**
 * Answers of chunks and live ticks, which must have been read at one moment: what is sealed in between would be there twice
 * or not at all. There may be more of both than is asked for, but of chunks all that `plan.spans` names.
 */
export function answerQuestion<Kind extends SeriesKind>(
  question: SeriesQuestion<Kind>,
  plan: QuestionPlan,
  data: { chunks: readonly SeriesChunk[]; live: readonly LiveTick[]; run: RunPlan },
): SeriesAnswer<Buckets[Kind]> {
  const sources = [...storedSources(question, plan, data.chunks), ...liveSources(question, plan, data)]
  const byGroup = Map.groupBy(sources, ({ key }) => groupName(question, key))
  const { from, to, bucketSeconds } = plan
  const groups = [...byGroup.values()].flatMap((ofGroup) => bucketsOf(question, plan, ofGroup))
  groups.sort((a, b) => a.profile - b.profile || a.action - b.action || a.agent - b.agent)
  return { from, to, bucketSeconds, groups }
}

/** Whether the chunks of a series are what the question is answered of. */
export function isAskedFor(question: SeriesQuestion, { kind, profile, action }: SeriesKey): boolean {
  if (kind !== question.kind) return false
  const { profiles, actions, apart } = question
  if (kind === 'generator') return true
  const byAction = kind === 'requests' && (actions !== undefined || apart === 'action')
  const byProfile = byAction || profiles !== undefined || apart === 'profile'
  if (byProfile ? profile === allOfThem : profile !== allOfThem) return false
  if (byAction ? action === allOfThem : action !== allOfThem) return false
  return (profiles?.includes(profile) ?? true) && (!byAction || (actions?.includes(action) ?? true))
}

function storedSources(
  question: SeriesQuestion,
  { spans }: QuestionPlan,
  chunks: readonly SeriesChunk[],
): Source[] {
  const parts = { service: question.times?.service ?? true, late: question.times?.response ?? true }
  // The response time is the service time and what must be added to it.
  parts.service ||= parts.late
  return chunks.flatMap((chunk) => {
    if (!isAskedFor(question, chunk) || !hasRowsOf(chunk, agentsApart(question))) return []
    const ofLevel = spans.filter(({ level }) => level === chunk.level)
    if (ofLevel.length === 0) return []
    const table = decodeChunk(chunk.kind, chunk.bytes, parts)
    const isWhole = chunk.kind === 'requests' ? !chunk.isApart : chunk.level !== 1
    return ofLevel.map(({ from, to }) => ({ key: chunk, table, from, to, isWhole }))
  })
}

function liveSources(
  question: SeriesQuestion,
  { from, to }: Span,
  { live, run }: { live: readonly LiveTick[]; run: RunPlan },
): Source[] {
  const inSpan = live.filter(({ second }) => second >= from && second < to)
  const { requests, gauges } = tablesOf(inSpan, (key) =>
    seriesOf(key, run).some((series) => isAskedFor(question, series)),
  )
  return [...(question.kind === 'requests' ? requests : []), ...gauges].map(({ key, table }) => ({
    key,
    table,
    from,
    to,
    isWhole: false,
  }))
}

/** The series that count what is told of one action, or of one gauge. */
function seriesOf(key: SeriesKey, { containers }: RunPlan): SeriesKey[] {
  if (key.kind !== 'requests' || containers.has(key.action)) return [key]
  const ofProfile = { ...key, action: allOfThem }
  return [key, ofProfile, { ...ofProfile, profile: allOfThem }]
}

function groupName({ apart }: SeriesQuestion, { profile, action }: SeriesKey): string {
  if (apart === 'profile') return String(profile)
  return apart === 'action' ? `${profile} ${action}` : ''
}

function bucketsOf<Kind extends SeriesKind>(
  question: SeriesQuestion<Kind>,
  plan: QuestionPlan,
  sources: readonly Source[],
): SeriesGroup<Buckets[Kind]>[] {
  const { kind, agent: wanted, apart } = question
  const isApart = agentsApart(question)
  const isTaken = (second: number, agent: number, { from, to, isWhole }: Source) =>
    second >= from &&
    second < to &&
    (isApart
      ? agent !== allAgents && (wanted === undefined || agent === wanted)
      : (agent === allAgents) === isWhole)
  const agentOf = (agent: number) => (apart === 'agent' ? agent : (wanted ?? allAgents))
  const bucketOfSecond = (second: number) => Math.floor(second / plan.bucketSeconds) * plan.bucketSeconds
  const taken = (map: (second: number) => number) => (second: number, agent: number, place: number) => {
    const source = sources[place]
    return source !== undefined && isTaken(second, agent, source) ? map(second) : -1
  }
  const tables = sources.map(({ table }) => table)
  const over = 'time'
  const table =
    kind === 'requests'
      ? regroup(kind, tables, { over, agentOf, secondOf: taken(bucketOfSecond) })
      : // First all agents and profiles of a second, and then the seconds, for the most users at once.
        regroup(
          kind,
          [regroup(kind, tables, { over: 'agents', agentOf, secondOf: taken((second) => second) })],
          { over, agentOf: (agent) => agent, secondOf: bucketOfSecond },
        )
  const [first] = sources
  if (first === undefined || table.length === 0) return []
  const { profile, action } = first.key
  const place = {
    profile: apart === 'profile' || apart === 'action' ? profile : allOfThem,
    action: apart === 'action' ? action : allOfThem,
  }
  const rowsOf = Map.groupBy(
    Array.from({ length: table.length }, (_, row) => row),
    (row) => table.agents[row] ?? 0,
  )
  return [...rowsOf].map(([agent, rows]) => ({ ...place, agent, buckets: filled(kind, plan, table, rows) }))
}

/** Buckets of the whole span. */
function filled<Kind extends SeriesKind>(
  kind: Kind,
  { from, to, bucketSeconds }: QuestionPlan,
  table: SeriesTable,
  rows: readonly number[],
): Buckets[Kind][] {
  const rowOf = new Map(rows.map((row) => [table.seconds[row] ?? 0, row]))
  const buckets: Buckets[Kind][] = []
  for (let start = Math.floor(from / bucketSeconds) * bucketSeconds; start < to; start += bucketSeconds) {
    const second = Math.max(start, from)
    const place = { second, seconds: Math.min(start + bucketSeconds, to) - second }
    buckets.push(bucketOf[kind](place, table, rowOf.get(start)))
  }
  return buckets
}
