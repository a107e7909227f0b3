import {
  bucketSecondsFor,
  coveringSpans,
  hourSeconds,
  rolledSeconds,
  windowSeconds,
  windowsOf,
  type CoveringSpan,
  type Level,
  type LevelSpan,
  type Span,
} from '../levels.ts'
import { allOfThem, eachOfThem, isOfWindow, type SeriesKey } from '../seal.ts'
import type { SeriesKind } from '../table.ts'

/** What is asked of the series of a run. Seconds are counted from its beginning. */
export interface SeriesQuestion<Kind extends SeriesKind = SeriesKind> extends Span {
  kind: Kind
  /** Of users and requests: these profiles only. */
  profiles?: readonly number[]
  /** Of requests: these actions only, together. Without it, all that are no containers. */
  actions?: readonly number[]
  /** This agent only. Then spans and buckets are widened to 10 seconds, below which agents are not told apart. */
  agent?: number
  /** A group for each of them, in place of one for all. */
  apart?: 'profile' | 'action' | 'agent'
  /** So many buckets in a group at most; 1 gives a total. */
  pointsMax: number
  /** Which times are asked for. Those that are not are not read, and are empty. */
  times?: { service?: boolean; response?: boolean }
}

/** How a question is answered. */
export interface QuestionPlan extends Span {
  bucketSeconds: number
  spans: RowSpan[]
  /** Which chunks have the rows of the spans. */
  windows: ChunkWindow[]
}

/** Rows that are read of the same chunks. */
export interface RowSpan extends CoveringSpan {
  /** Whether these have rows of each action (`eachOfThem`). */
  isOfEach: boolean
}

/** Chunks of a level, by their first seconds. */
export interface ChunkWindow extends LevelSpan {
  /** Of requests: whether they have a row for each agent. */
  isApart: boolean
  isOfEach: boolean
}

/** Of more actions than that, what is asked is mostly read of what has each action of the run. */
const fewActions = 20

/** How far what was sealed of a run is rolled up. */
export interface RolledUp {
  /** Up to this second there are rows of 60 and 600 s; those of 60 s of each action may be further. */
  rolledTo: number
  /** Up to this second there are rows of an hour of each action, of which the last may be shorter. */
  hoursTo: number
}

export function planQuestion(question: SeriesQuestion, { rolledTo, hoursTo }: RolledUp): QuestionPlan {
  const finest = question.kind === 'requests' && agentsApart(question) ? 10 : 1
  const from = Math.max(0, Math.floor(question.from / finest) * finest)
  const to = Math.ceil(question.to / finest) * finest
  const width =
    question.pointsMax <= 1
      ? // One bucket from 0 on, whatever the span begins with.
        Math.max(hourSeconds, Math.ceil(to / hourSeconds) * hourSeconds)
      : bucketSecondsFor({ from, to }, question.pointsMax, finest)
  const rowSeconds = sumsProfiles(question) ? 1 : width
  const isOfActions = isByAction(question) && !agentsApart(question)
  const isOfEach = isOfMany(question)
  const endOf = (level: Level) => {
    if (level === hourSeconds) return isOfEach ? hoursTo : 0
    // By tens of seconds there is a row for each agent of an action: as much to read as its seconds.
    if (level === 10 && isOfActions) return 0
    if (isOfWindow({ ...chunkOf(question, isOfEach), level })) return Infinity
    // Of an action without agents, rows of 600 s are beside those of the others only.
    return level === 600 && isOfActions && !isOfEach ? 0 : rolledTo
  }
  const isApart = question.kind === 'requests' && agentsApart(question)
  const areSums = question.kind === 'requests'
  /** Minutes of some actions are read of the chunks of these, as soon as they have them. */
  const isOfEachAt = ({ level, to: end }: LevelSpan) =>
    isOfEach && (level >= 600 || (level === 60 && (question.actions === undefined || end > rolledTo)))
  const spans = coveringSpans({ from, to }, { bucketSeconds: rowSeconds, endOf, finest, areSums })
    .flatMap((span) => (span.level === 60 && isOfEach ? splitAt(span, rolledTo) : [span]))
    .map((span): RowSpan => ({ ...span, isOfEach: isOfEachAt(span) }))
  const windows = [true, false].flatMap((isOfEachRead) =>
    windowsOf(
      spans.filter((span) => span.isOfEach === isOfEachRead),
      (level) =>
        level === hourSeconds
          ? hourSeconds
          : isOfWindow({ ...chunkOf(question, isOfEachRead), level })
            ? windowSeconds
            : rolledSeconds,
    ).map((window): ChunkWindow => ({ ...window, isApart, isOfEach: isOfEachRead })),
  )
  return { from, to, bucketSeconds: width, spans, windows }
}

/** Of an action that it may be about, of each, or of all of them. */
function chunkOf(question: SeriesQuestion, isOfEach: boolean): Pick<SeriesKey, 'kind' | 'action'> {
  return { kind: question.kind, action: isOfEach ? eachOfThem : isByAction(question) ? 0 : allOfThem }
}

/** What is before a second, and what is from it on. */
function splitAt<Kind extends Span>(span: Kind, second: number): Kind[] {
  return second <= span.from || second >= span.to
    ? [span]
    : [
        { ...span, to: second },
        { ...span, from: second },
      ]
}

/** Whether it is answered of actions, and not of profiles or the run. */
export function isByAction({ kind, actions, apart }: SeriesQuestion): boolean {
  return kind === 'requests' && (actions !== undefined || apart === 'action')
}

/** The same of many actions, with all agents together. */
export function isOfMany(question: SeriesQuestion): boolean {
  return isByAction(question) && !agentsApart(question) && (question.actions?.length ?? Infinity) > fewActions
}

/** Whether it is answered of profiles, or actions of them, and not of the run. */
export function isByProfile(question: SeriesQuestion): boolean {
  const { kind, profiles, apart } = question
  return kind !== 'generator' && (isByAction(question) || profiles !== undefined || apart === 'profile')
}

/** The most users of some profiles at once are not the sum of the most of each: that is found second by second. */
function sumsProfiles({ kind, profiles, apart }: SeriesQuestion): boolean {
  return kind === 'users' && apart !== 'profile' && (profiles?.length ?? 0) > 1
}

export function agentsApart({ agent, apart }: SeriesQuestion): boolean {
  return agent !== undefined || apart === 'agent'
}
