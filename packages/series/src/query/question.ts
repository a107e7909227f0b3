import { bucketSecondsFor, coveringSpans, type LevelSpan, type Span } from '../levels.ts'
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
  spans: LevelSpan[]
}

/** @param rolledTo up to which second there are rows of 600 s */
export function planQuestion(question: SeriesQuestion, rolledTo: number): QuestionPlan {
  const finest = question.kind === 'requests' && agentsApart(question) ? 10 : 1
  const from = Math.max(0, Math.floor(question.from / finest) * finest)
  const to = Math.ceil(question.to / finest) * finest
  const width =
    question.pointsMax <= 1
      ? // One bucket from 0 on, whatever the span begins with.
        Math.max(600, Math.ceil(to / 600) * 600)
      : bucketSecondsFor({ from, to }, question.pointsMax, finest)
  const rowSeconds = sumsProfiles(question) ? 1 : width
  return {
    from,
    to,
    bucketSeconds: width,
    spans: coveringSpans({ from, to }, { bucketSeconds: rowSeconds, rolledTo, finest }),
  }
}

/** The most users of some profiles at once are not the sum of the most of each: that is found second by second. */
function sumsProfiles({ kind, profiles, apart }: SeriesQuestion): boolean {
  return kind === 'users' && apart !== 'profile' && (profiles?.length ?? 0) > 1
}

export function agentsApart({ agent, apart }: SeriesQuestion): boolean {
  return agent !== undefined || apart === 'agent'
}
