import { decodeChunk } from '../chunk.ts'
import { SlotMemory } from '../histogram-list.ts'
import { rolledSeconds, type Span } from '../levels.ts'
import { regroup } from '../regroup.ts'
import {
  allOfThem,
  eachOfThem,
  tablesOf,
  type LiveTick,
  type RunPlan,
  type SeriesChunk,
  type SeriesKey,
} from '../seal.ts'
import { allAgents, type SeriesKind, type SeriesTable } from '../table.ts'
import { bucketOf, type Buckets, type Row } from './buckets.ts'
import type { LiveSums } from './live-sums.ts'
import { agentsApart, isByAction, isByProfile, type QuestionPlan, type SeriesQuestion } from './question.ts'

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

/** What is stored of a run: of what is asked for at least. */
export interface SeriesData {
  chunks: readonly SeriesChunk[]
  live: readonly LiveTick[]
  /** In place of live ticks: of all that there are, and as `liveSummingOf` tells for the question. */
  liveSums?: LiveSums | undefined
  run: RunPlan
}

/** Rows of a series: of a chunk, of the seconds that its level is asked for; or of live ticks. */
interface Source extends Span {
  key: SeriesKey
  table: SeriesTable
  /** Whether there is a row of all agents besides those of each. */
  isWhole: boolean
  isTakenOff: boolean
}

/** What some of the data of a question add up to: a part of its answer. */
export interface PartialSums {
  /** The groups, by the numbers that the table has in place of those of agents. */
  places: Place[]
  /** A row for each bucket of a group, of which there may be others in other parts. */
  table: SeriesTable
}

/**
 * Answers of chunks and live ticks, which must have been read at one moment: what is sealed in between would be there twice
 * or not at all. There may be more of both than is asked for, but of chunks all that `plan` names.
 */
export function answerQuestion<Kind extends SeriesKind>(
  question: SeriesQuestion<Kind>,
  plan: QuestionPlan,
  data: SeriesData,
): SeriesAnswer<Buckets[Kind]> {
  return answerOfSums(question, plan, sumUp(question, plan, data))
}

/**
 * The parts of an answer: several threads may each do what nobody else does.
 * @param isMine asked of each piece of the chunks, by rising numbers; only of requests, which are sums
 */
export function sumUp(
  question: SeriesQuestion,
  plan: QuestionPlan,
  { chunks, ...told }: SeriesData,
  isMine: (piece: number) => boolean = () => true,
): PartialSums[] {
  const live = () => [...liveSources(question, plan, told), ...summedSources(question, told.liveSums)]
  const sealed = (some: Iterable<SeriesChunk>) => storedSources(question, plan, some)
  if (question.kind !== 'requests') return [partOf(question, plan, [...sealed(chunks), ...live()])]
  const parts = piecesOf(plan, chunks, isMine).map((some) => partOf(question, plan, sealed(some)))
  return [...parts, partOf(question, plan, live())]
}

/**
 * Chunks that are added up together. Those of the same ten minutes, if a bucket is no longer: they have its rows, and what is decoded of
 * them stays near. Else all that are taken.
 */
function* piecesOf(
  { bucketSeconds }: QuestionPlan,
  chunks: readonly SeriesChunk[],
  isMine: (piece: number) => boolean,
): Generator<Iterable<SeriesChunk>> {
  if (bucketSeconds > rolledSeconds) {
    yield chunks.values().filter((_, piece) => isMine(piece))
    return
  }
  const windows = Map.groupBy(chunks, ({ startSecond }) => Math.floor(startSecond / rolledSeconds))
  yield* windows.values().filter((_, piece) => isMine(piece))
}

/** The answer that the parts make together. */
export function answerOfSums<Kind extends SeriesKind>(
  question: SeriesQuestion<Kind>,
  plan: QuestionPlan,
  parts: readonly PartialSums[],
): SeriesAnswer<Buckets[Kind]> {
  const { from, to, bucketSeconds } = plan
  const groups = new Groups()
  const numbers = parts.map(({ places }) => places.map((place) => groups.numberOf(place)))
  const rows = joinedRows(question.kind, parts, numbers, groups.places.length)
  // Of what was taken off as a whole, nothing is known.
  if (plan.spans.some(({ isTakenOff }) => isTakenOff))
    for (const ofGroup of rows)
      for (const [second, { table, row }] of ofGroup) if (!table.isAnything(row)) ofGroup.delete(second)
  const known = rows
    .flatMap((ofGroup, number) => {
      const place = groups.places[number]
      return place === undefined || ofGroup.size === 0
        ? []
        : [{ ...place, buckets: filled(question, plan, ofGroup) }]
    })
    .toSorted((a, b) => a.profile - b.profile || a.action - b.action || a.agent - b.agent)
  return { from, to, bucketSeconds, groups: known }
}

/**
 * The row of each bucket, by its second, of each group. Those of which several parts have some are added up; the others stay
 * where they are.
 * @param numbers of each part the groups of its places
 */
function joinedRows(
  kind: SeriesKind,
  parts: readonly PartialSums[],
  numbers: readonly (readonly number[])[],
  groupCount: number,
): Map<number, Row>[] {
  const rows = Array.from({ length: groupCount }, () => new Map<number, Row>())
  const several = rows.map(() => new Set<number>())
  const groupOf = (number: number, part: number) => numbers[part]?.[number] ?? 0
  for (const [part, { table }] of parts.entries())
    for (let row = 0; row < table.length; row++) {
      const group = groupOf(table.agents[row] ?? 0, part)
      const second = table.seconds[row] ?? 0
      if (rows[group]?.has(second) === true) several[group]?.add(second)
      rows[group]?.set(second, { table, row })
    }
  if (several.every(({ size }) => size === 0)) return rows
  const tables = parts.map(({ table }) => table)
  const table = regroup(kind, tables, {
    over: 'time',
    agentOf: groupOf,
    secondOf: (second, number, part) => (several[groupOf(number, part)]?.has(second) === true ? second : -1),
  })
  for (let row = 0; row < table.length; row++)
    rows[table.agents[row] ?? 0]?.set(table.seconds[row] ?? 0, { table, row })
  return rows
}

/** Whether the question is answered of a chunk, if it has the seconds. */
function isRead(question: SeriesQuestion, chunk: SeriesChunk): boolean {
  const { kind, profile, action } = chunk
  if (chunk.isApart !== (kind === 'requests' && agentsApart(question))) return false
  if (action !== eachOfThem) return isAskedFor(question, chunk)
  return kind === question.kind && (question.profiles?.includes(profile) ?? true)
}

/** Whether the question is about a series. */
function isAskedFor(question: SeriesQuestion, { kind, profile, action }: SeriesKey): boolean {
  if (kind !== question.kind) return false
  if (kind === 'generator') return true
  const { profiles, actions } = question
  if (isByProfile(question) === (profile === allOfThem)) return false
  if (isByAction(question) ? action < 0 : action !== allOfThem) return false
  return (
    (profiles?.includes(profile) ?? true) && (!isByAction(question) || (actions?.includes(action) ?? true))
  )
}

/** Until the answer is made, which nothing comes in between. */
const memory = new SlotMemory(8 * 2 ** 20)

function storedSources(
  question: SeriesQuestion,
  plan: QuestionPlan,
  chunks: Iterable<SeriesChunk>,
): Source[] {
  const parts = { service: question.times?.service ?? true, late: question.times?.response ?? true }
  // The response time is the service time and what must be added to it.
  parts.service ||= parts.late
  memory.clear()
  return Iterator.from(chunks)
    .flatMap((chunk) => {
      const isOfEach = chunk.action === eachOfThem
      const ofChunk = plan.spans.filter((span) => span.level === chunk.level && span.isOfEach === isOfEach)
      if (ofChunk.length === 0 || !isRead(question, chunk)) return []
      const isWanted = (second: number) => ofChunk.some(({ from, to }) => second >= from && second < to)
      const table = decodeChunk(chunk.kind, chunk.bytes, { ...parts, isWanted, memory })
      const isWhole = chunk.kind === 'requests' ? !chunk.isApart : chunk.level !== 1
      return ofChunk.map(({ from, to, isTakenOff }) => ({ key: chunk, table, from, to, isWhole, isTakenOff }))
    })
    .toArray()
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
    isTakenOff: false,
  }))
}

function summedSources(question: SeriesQuestion, sums: LiveSums | undefined): Source[] {
  const action = sums?.rowsOf === 'actions' ? eachOfThem : allOfThem
  return [...(sums?.tables ?? [])]
    .filter(([profile]) => question.profiles?.includes(profile) ?? true)
    .map(([profile, table]) => ({
      key: { kind: 'requests', profile, action },
      table,
      // All of them are asked for, of buckets that may begin before that.
      from: 0,
      to: Infinity,
      isWhole: sums?.rowsOf === 'all',
      isTakenOff: false,
    }))
}

/** The series that count what is told of one action, or of one gauge. */
function seriesOf(key: SeriesKey, { containers }: RunPlan): SeriesKey[] {
  if (key.kind !== 'requests' || containers.has(key.action)) return [key]
  const ofProfile = { ...key, action: allOfThem }
  return [key, ofProfile, { ...ofProfile, profile: allOfThem }]
}

type Place = Omit<SeriesGroup<never>, 'buckets'>

/** Numbers of groups, as they are met. */
class Groups {
  readonly places: Place[] = []
  readonly #numbers = new Map<string, number>()

  numberOf(place: Place): number {
    const name = `${place.profile} ${place.action} ${place.agent}`
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.places.length)
    return this.places.push(place) - 1
  }
}

/** All rows at once, with the numbers of their groups in place of those of agents. */
function partOf(question: SeriesQuestion, plan: QuestionPlan, sources: readonly Source[]): PartialSums {
  const { kind } = question
  const groups = new Groups()
  const groupings = sources.map((source) => rowGrouping(question, source, groups))
  const bucketOfSecond = (second: number) => Math.floor(second / plan.bucketSeconds) * plan.bucketSeconds
  const agentOf = (agent: number, place: number) => groupings[place]?.groupOf(agent) ?? 0
  const taken = (map: (second: number) => number) => (second: number, agent: number, place: number) =>
    (groupings[place]?.isTaken(second, agent) ?? false) ? map(second) : -1
  const tables = sources.map(({ table }) => table)
  const over = 'time'
  const isOfResponse = onlyResponse(question)
  const timesOf = (place: number) => (sources[place]?.isTakenOff === true ? -1 : 1)
  const table =
    kind === 'requests'
      ? regroup(kind, tables, { over, agentOf, secondOf: taken(bucketOfSecond), timesOf, isOfResponse })
      : // First all agents and profiles of a second, and then the seconds, for the most users at once.
        regroup(
          kind,
          [regroup(kind, tables, { over: 'agents', agentOf, secondOf: taken((second) => second) })],
          { over, agentOf: (group) => group, secondOf: bucketOfSecond },
        )
  return { places: groups.places, table }
}

/** Which rows of a source are taken, and in which group each of its agents is; or each of its actions, if it has these. */
function rowGrouping(question: SeriesQuestion, source: Source, groups: Groups) {
  const { agent: wanted, apart, actions } = question
  const { key, from, to, isWhole } = source
  const profile = apart === 'profile' || apart === 'action' ? key.profile : allOfThem
  if (key.action === eachOfThem) {
    const isWanted = actions && new Set(actions)
    const groupOf = remembered((action) =>
      groups.numberOf({ profile, action: apart === 'action' ? action : allOfThem, agent: allAgents }),
    )
    const isTaken = (second: number, action: number) =>
      second >= from && second < to && (isWanted?.has(action) ?? true)
    return { groupOf, isTaken }
  }
  const action = apart === 'action' ? key.action : allOfThem
  const isApart = agentsApart(question)
  const groupOf = remembered((agent) =>
    groups.numberOf({ profile, action, agent: apart === 'agent' ? agent : (wanted ?? allAgents) }),
  )
  const isTaken = (second: number, agent: number) =>
    second >= from &&
    second < to &&
    (isApart
      ? agent !== allAgents && (wanted === undefined || agent === wanted)
      : (agent === allAgents) === isWhole)
  return { groupOf, isTaken }
}

/** The same, asked once for each number. */
function remembered(numberOf: (row: number) => number): (row: number) => number {
  const known: number[] = []
  // From 0 on: of agents, -1 stands for all.
  return (row) => (known[row + 1] ??= numberOf(row))
}

/** Buckets of the whole span. */
function filled<Kind extends SeriesKind>(
  { kind, times }: SeriesQuestion<Kind>,
  { from, to, bucketSeconds }: QuestionPlan,
  rows: ReadonlyMap<number, Row>,
): Buckets[Kind][] {
  const buckets: Buckets[Kind][] = []
  for (let start = Math.floor(from / bucketSeconds) * bucketSeconds; start < to; start += bucketSeconds) {
    const second = Math.max(start, from)
    const place = { second, seconds: Math.min(start + bucketSeconds, to) - second }
    buckets.push(bucketOf[kind](place, rows.get(start), times))
  }
  return buckets
}

function onlyResponse({ times }: SeriesQuestion): boolean {
  return times?.service === false && times.response !== false
}
