import { ByteReader } from './bytes.ts'
import { decodeChunk, encodeChunk } from './chunk.ts'
import { hourSeconds, rolledSeconds, windowSeconds, type Level } from './levels.ts'
import { addRegrouped, asTheyAre, regroup } from './regroup.ts'
import { allAgents, SeriesTable, type SeriesKind } from './table.ts'
import { readActionInto, readTickLayout, type TickLayout } from './tick-bytes.ts'
import { profileCounters } from './tick.ts'

/** In place of a profile or an action: the sum of all of them. */
export const allOfThem = -1
/** In place of an action: each of them, with rows of its own, whose number stands in place of that of an agent. */
export const eachOfThem = -2

/**
 * Which series of a run. Of requests there is one for each action of each profile, one for each profile, and one for all; and
 * for what is asked of many actions, one of each profile that has them all beside each other.
 */
export interface SeriesKey {
  kind: SeriesKind
  /** `allOfThem` for the run as a whole, and for generators. */
  profile: number
  /** `allOfThem` for the profile as a whole, and for what is not about requests; `eachOfThem`. */
  action: number
}

export interface SeriesChunk extends SeriesKey {
  level: Level
  /** Of requests: whether it has a row for each agent, or for all of them. Of gauges one chunk has both. */
  isApart: boolean
  /** The first second of its window. */
  startSecond: number
  bytes: Uint8Array
}

/** A second of an agent, as it was sent. */
export interface LiveTick {
  agent: number
  second: number
  bytes: Uint8Array
}

/** The same with what it says of each profile (`totalsOfTick`), where that is known. */
export interface SealedTick extends LiveTick {
  totals?: Uint8Array | null
}

/** What is told of the run itself. */
export interface RunPlan {
  /** Actions that hold others: totals leave them out, because their time is that of what they hold. */
  containers: ReadonlySet<number>
}

/**
 * The chunks of one window. What has come before, and was sealed, is added to: a window is the same in whichever order and in
 * however many pieces its ticks come, up to the order of ticks of one agent in the same second.
 */
export function sealWindow(
  ticks: readonly SealedTick[],
  plan: RunPlan,
  before: readonly SeriesChunk[] = [],
): SeriesChunk[] {
  return [...sealedSeries(ticks, plan, before)].flat()
}

/** The same, the chunks of one series after those of the other: other things can be done in between. */
function* sealedSeries(
  ticks: readonly SealedTick[],
  plan: RunPlan,
  before: readonly SeriesChunk[],
): Generator<SeriesChunk[]> {
  const minutes: ActionMinutes = new Map()
  yield* sealedActions(ticks, before, minutes)
  yield* sealedMinutes([minutes], startOf(ticks), before)
  yield* sealedTotals(ticks, plan, before)
}

/** Of each profile a row for each of its actions, whose number stands in place of that of an agent. */
export type ActionMinutes = Map<number, SeriesTable>

/**
 * Of a window the chunks of actions one by one: several threads may each make those that nobody else makes.
 * @param minutes gets the minutes of these actions, for `sealedMinutes`
 * @param isMine asked of each of the actions, by rising numbers
 */
export function* sealedActions(
  ticks: readonly LiveTick[],
  before: readonly SeriesChunk[],
  minutes: ActionMinutes,
  isMine: (piece: number) => boolean = () => true,
): Generator<SeriesChunk[]> {
  const { raw } = scratch.requests
  const added = adding(before)
  for (const { key, table } of requestsOf(readTicks(ticks), (_, piece) => isMine(piece), raw)) {
    const { profile, action } = key
    const base = baseOf(table, scratch.requests)
    const ofProfile = minutes.get(profile) ?? new SeriesTable('requests')
    minutes.set(profile, ofProfile)
    addRegrouped(ofProfile, [base.seconds], { ...every(60), agentOf: () => action })
    yield piecesOf(key, base).map((piece) => sealed(key, piece, startOf(ticks), added(key, piece)))
  }
}

/** The chunks of the minutes of all actions beside each other, of whoever made chunks of some of them. */
export function* sealedMinutes(
  parts: readonly ActionMinutes[],
  startSecond: number,
  before: readonly SeriesChunk[],
): Generator<SeriesChunk[]> {
  const added = adding(before)
  for (const profile of new Set(parts.flatMap((part) => [...part.keys()]))) {
    const tables = parts.flatMap((part) => part.get(profile) ?? [])
    const [first] = tables
    const table = first !== undefined && tables.length === 1 ? first : regroup('requests', tables, asTheyAre)
    const key = { kind: 'requests', profile, action: eachOfThem } as const
    const piece = { level: 60, isApart: false, table } as const
    yield [sealed(key, piece, startSecond, added(key, piece))]
  }
}

/** The chunks of profiles and of the run, and those of gauges. */
export function* sealedTotals(
  ticks: readonly SealedTick[],
  plan: RunPlan,
  before: readonly SeriesChunk[],
): Generator<SeriesChunk[]> {
  const added = adding(before)
  // They tell the same of gauges.
  const totals = readTicks(
    ticks.map(({ totals: known, ...tick }) => ({ ...tick, bytes: known ?? tick.bytes })),
  )
  const isWanted = ({ action }: SeriesKey) => !plan.containers.has(action)
  for (const { key, pieces } of totalPieces(requestsOf(totals, isWanted, scratch.requests.raw)))
    yield pieces.map((piece) => sealed(key, piece, startOf(ticks), added(key, piece)))
  for (const { key, table } of gaugesOf(totals))
    yield gaugePieces(added(key, { level: 1, isApart: false, table })).map((piece) =>
      sealed(key, piece, startOf(ticks), piece.table),
    )
}

/** Where the window of these ticks begins. */
function startOf([first]: readonly LiveTick[]): number {
  return Math.floor((first?.second ?? 0) / windowSeconds) * windowSeconds
}

/** What becomes of a table together with what was sealed of the same before. */
function adding(before: readonly SeriesChunk[]): (key: SeriesKey, piece: Piece) => SeriesTable {
  const known = new Map(before.map((chunk) => [pieceName(chunk, chunk), chunk]))
  return (key, piece) => {
    const old = known.get(pieceName(key, piece))
    return old === undefined
      ? piece.table
      : regroup(key.kind, [decodeChunk(old.kind, old.bytes), piece.table], asTheyAre)
  }
}

function sealed(
  key: SeriesKey,
  { level, isApart }: Piece,
  startSecond: number,
  table: SeriesTable,
): SeriesChunk {
  return { ...key, level, isApart, startSecond, bytes: encodeChunk(table) }
}

/** A table of a series that becomes one chunk. */
interface Piece {
  level: Level
  isApart: boolean
  table: SeriesTable
}

/**
 * Whether chunks of `rolledSeconds` are made of it: of an action by 10 s with agents apart, of gauges by 10 s; of each action, and of
 * totals with agents apart, by 60 s.
 */
export function isRolledUp({
  kind,
  action,
  level,
  isApart,
}: Omit<SeriesChunk, 'bytes' | 'startSecond'>): boolean {
  if (kind !== 'requests') return level === 10
  if (action >= 0) return level === 10 && isApart
  return level === 60 && isApart === (action === allOfThem)
}

/** Whether it is about `windowSeconds`, and made when these are sealed. */
export function isOfWindow({ kind, action, level }: Pick<SeriesChunk, 'kind' | 'action' | 'level'>): boolean {
  return level < 60 || (level === 60 && kind === 'requests' && action < 0)
}

/** The chunks of `rolledSeconds` of a series, of all its chunks in these that are `isRolledUp`. */
export function rollUp(key: SeriesKey, startSecond: number, chunks: readonly Uint8Array[]): SeriesChunk[] {
  const { kind, action } = key
  const tables = chunks.map((chunk) => decodeChunk(kind, chunk))
  const made = scratch[kind]
  const whole = (level: Level, table: SeriesTable, into: SeriesTable): Piece => ({
    level,
    isApart: false,
    table: regroup(kind, [table], toAll, into),
  })
  const pieces: Piece[] = []
  if (kind === 'requests' && action < 0) {
    const isApart = action === allOfThem
    const rolled = regroup(kind, tables, every(rolledSeconds), made.rolled)
    pieces.push({ level: 600, isApart, table: rolled })
    if (isApart) pieces.push(whole(600, rolled, made.wholeRolled))
  } else {
    const isApart = kind === 'requests'
    const minutes = regroup(kind, tables, every(60), made.minutes)
    pieces.push({ level: 60, isApart, table: minutes })
    if (isApart) pieces.push(whole(60, minutes, made.wholeMinutes))
    const rolled = regroup(kind, [minutes], every(rolledSeconds), made.rolled)
    pieces.push({ level: 600, isApart, table: rolled })
  }
  return pieces.map(({ level, isApart, table }) => ({
    ...key,
    level,
    isApart,
    startSecond,
    bytes: encodeChunk(table),
  }))
}

/** The chunk of an hour of each action, of all those of `rolledSeconds` that there are in it. */
export function rollUpHour(
  key: SeriesKey,
  startSecond: number,
  chunks: readonly Uint8Array[],
): SeriesChunk[] {
  const { kind } = key
  const tables = chunks.map((chunk) => decodeChunk(kind, chunk))
  const table = regroup(kind, tables, every(hourSeconds), scratch[kind].rolled)
  return [{ ...key, level: hourSeconds, isApart: false, startSecond, bytes: encodeChunk(table) }]
}

const toAll = { ...asTheyAre, agentOf: () => allAgents }

function every(seconds: number) {
  return {
    over: 'time',
    agentOf: (agent: number) => agent,
    secondOf: (second: number) => Math.floor(second / seconds) * seconds,
  } as const
}

function pieceName(
  { kind, profile, action }: SeriesKey,
  { level, isApart }: Pick<Piece, 'level' | 'isApart'>,
): string {
  return `${kind} ${profile} ${action} ${level} ${isApart}`
}

/** What a series of requests is made of: all agents second by second, and each agent by ten of them. */
interface Base {
  seconds: SeriesTable
  tens: SeriesTable
}

/** What is made of one series is used up before the next: to have new memory for each costs as much as to add it up. */
const scratch = {
  requests: scratchOf('requests'),
  users: scratchOf('users'),
  generator: scratchOf('generator'),
}

function scratchOf(kind: SeriesKind) {
  return {
    raw: new SeriesTable(kind),
    seconds: new SeriesTable(kind),
    tens: new SeriesTable(kind),
    wholeTens: new SeriesTable(kind),
    minutes: new SeriesTable(kind),
    wholeMinutes: new SeriesTable(kind),
    rolled: new SeriesTable(kind),
    wholeRolled: new SeriesTable(kind),
  }
}

/** What is sealed of profiles and of the run. */
function* totalPieces(totals: Iterable<RawSeries>): Generator<{ key: SeriesKey; pieces: Piece[] }> {
  const ofProfiles = new Map<number, Base[]>()
  // A profile's totals are under the number of its first action, which may be another one in each tick.
  for (const { key, table } of totals) {
    const parts = ofProfiles.get(key.profile) ?? []
    ofProfiles.set(key.profile, [...parts, baseOf(table)])
  }
  const profiles: Base[] = []
  for (const [profile, parts] of ofProfiles) {
    const base = together(parts)
    profiles.push(base)
    const key = { kind: 'requests', profile, action: allOfThem } as const
    yield { key, pieces: piecesOf(key, base) }
  }
  if (profiles.length === 0) return
  const whole = { kind: 'requests', profile: allOfThem, action: allOfThem } as const
  yield { key: whole, pieces: piecesOf(whole, together(profiles)) }
}

function baseOf(table: SeriesTable, into?: Base): Base {
  return {
    seconds: regroup('requests', [table], toAll, into?.seconds),
    tens: regroup('requests', [table], every(10), into?.tens),
  }
}

function together(bases: readonly Base[]): Base {
  const [first, ...others] = bases
  if (first !== undefined && others.length === 0) return first
  return {
    seconds: regroup(
      'requests',
      bases.map(({ seconds }) => seconds),
      asTheyAre,
    ),
    tens: regroup(
      'requests',
      bases.map(({ tens }) => tens),
      asTheyAre,
    ),
  }
}

/**
 * What is asked for without agents is not read with them. By tens of seconds the agents of one action are few bytes and quickly
 * added up; of totals they are many. So these have their minutes at once, too, which charts of a running test wait for.
 */
function piecesOf({ action }: SeriesKey, { seconds, tens }: Base): Piece[] {
  const pieces: Piece[] = [
    { level: 1, isApart: false, table: seconds },
    { level: 10, isApart: true, table: tens },
  ]
  if (action !== allOfThem) return pieces
  const made = scratch.requests
  const minutes = regroup('requests', [tens], every(60), made.minutes)
  return [
    ...pieces,
    { level: 10, isApart: false, table: regroup('requests', [tens], toAll, made.wholeTens) },
    { level: 60, isApart: true, table: minutes },
    { level: 60, isApart: false, table: regroup('requests', [minutes], toAll, made.wholeMinutes) },
  ]
}

/** Of gauges, agents are kept apart at all levels; all of them together are there from 10 s on. */
function gaugePieces(seconds: SeriesTable): Piece[] {
  const { kind } = seconds
  const whole = regroup(kind, [seconds], toAll)
  return [
    { level: 1, isApart: false, table: seconds },
    { level: 10, isApart: false, table: regroup(kind, [whole, seconds], every(10)) },
  ]
}

/** What ticks tell of each series that is wanted: rows in the order of agents and seconds. */
export function tablesOf(
  ticks: readonly LiveTick[],
  isWanted: (key: SeriesKey) => boolean = () => true,
): { requests: Iterable<RawSeries>; gauges: RawSeries[] } {
  const read = readTicks(ticks)
  return {
    requests: requestsOf(read, isWanted),
    gauges: gaugesOf(read).filter(({ key }) => isWanted(key)),
  }
}

/**
 * Where what ticks tell of each action of each profile is, one after the other by numbers that rise.
 * @param isBySecond in the order of seconds, in place of that of agents and then of seconds
 */
export function actionsOfTicks(
  ticks: readonly LiveTick[],
  isBySecond: boolean,
): { read: readonly ReadTick[]; actions: Iterable<SeriesRows> } {
  const read = readTicks(ticks, isBySecond)
  return { read, actions: seriesOfTicks(read) }
}

function readTicks(ticks: readonly LiveTick[], isBySecond = false): ReadTick[] {
  return ticks
    .toSorted((a, b) => (isBySecond ? a.second - b.second : a.agent - b.agent || a.second - b.second))
    .map((tick) => ({ ...readTickLayout(tick.bytes), ...tick, reader: new ByteReader(tick.bytes) }))
}

export interface RawSeries {
  key: SeriesKey
  table: SeriesTable
}

type ReadTick = TickLayout & LiveTick & { reader: ByteReader }

/**
 * One after the other, because all of them at once take several times as much memory as what becomes of them.
 * @param raw what holds each of them until the next is asked for; else each has memory of its own
 */
function* requestsOf(
  ticks: readonly ReadTick[],
  isWanted: (key: SeriesKey, piece: number) => boolean,
  raw?: SeriesTable,
): Generator<RawSeries> {
  let piece = 0
  for (const { key, rows, bytes } of seriesOfTicks(ticks)) {
    if (!isWanted(key, piece++)) continue
    const table = raw ?? new SeriesTable('requests')
    table.clear()
    // A slot takes a byte or more.
    table.reserve(rows.length / 2, bytes)
    for (let at = 0; at < rows.length; at += 2) {
      const from = ticks[rows[at] ?? 0]
      if (from !== undefined) readActionInto(table, from.reader, from.actions, rows[at + 1] ?? 0, from)
    }
    yield { key, table }
  }
}

/** Where what is told of one action of a profile is. */
interface SeriesRows {
  key: SeriesKey
  /** The number of the tick, and the place there, of each time. */
  rows: number[]
  bytes: number
}

function seriesOfTicks(ticks: readonly ReadTick[]): Iterable<SeriesRows> {
  const found = new Map<number, SeriesRows>()
  for (const [number, { actions }] of ticks.entries())
    for (let place = 0; place < actions.length; place++) {
      const profile = actions.profiles[place] ?? 0
      const action = actions.actions[place] ?? 0
      const id = profile * 2 ** 16 + action
      let series = found.get(id)
      if (series === undefined)
        found.set(id, (series = { key: { kind: 'requests', profile, action }, rows: [], bytes: 0 }))
      series.rows.push(number, place)
      series.bytes += (actions.ends[place] ?? 0) - (actions.starts[place] ?? 0)
    }
  return found.values()
}

/** Users there are of each profile and of all, because the most users of all at once are not the sum of the most of each. */
function gaugesOf(ticks: readonly ReadTick[]): RawSeries[] {
  const generator = new SeriesTable('generator')
  const users = new Map<number, SeriesTable>([[allOfThem, new SeriesTable('users')]])
  for (const { agent, second, generator: gauges, profiles } of ticks) {
    const row = generator.add(agent, second)
    generator.columns.set([...gauges, ...gauges, 1], row)
    const sums = new Float64Array(profileCounters.length)
    for (const counters of profiles)
      for (const [place, value] of counters.entries()) sums[place] = (sums[place] ?? 0) + value
    for (const [profile, counters] of [[allOfThem, sums] as const, ...profiles.entries()]) {
      const table = users.get(profile) ?? new SeriesTable('users')
      users.set(profile, table)
      const place = table.add(agent, second)
      table.columns.set([counters[0] ?? 0, ...counters], place)
    }
  }
  return [
    { key: { kind: 'generator', profile: allOfThem, action: allOfThem }, table: generator },
    ...[...users].map(([profile, table]) => ({
      key: { kind: 'users', profile, action: allOfThem } as const,
      table,
    })),
  ]
}
