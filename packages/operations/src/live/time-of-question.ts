import { Problem } from '@flamegate/contract'
import type { LiveMoment, LiveSection } from '@flamegate/live'
import type { CallContext } from '../implement.ts'
import type { LiveSession } from '../ports/index.ts'
import type { LiveSource } from './reaching.ts'

/** Who was silent for so long does not push any more, for now. */
export const silentAfterMs = 60_000

/** Sessions older than that are not looked at for the newest push. */
const newestWithinMs = 86_400_000

/** Which time a question is about, and of which process. */
export interface LiveTime {
  session?: string | undefined
  last_seconds?: number | undefined
  until?: string | undefined
}

/** The time that was asked for, and what there is of it. */
export interface AskedTime {
  /** It is of all that the processes did that push at its end, each since it began. */
  isSinceStart: boolean
  from: Date
  to: Date
  /** Those that pushed in the time and were asked for, newest first. */
  sessions: readonly LiveSession[]
  moments: (section: LiveSection) => Promise<LiveMoment[]>
}

/**
 * So many seconds up to the end that was asked for, which is the last push where nothing is said: an app that went silent an
 * hour ago tells what it did last. Without a length it is of all time; of a recording it is never more than the recording.
 */
export async function timeOfQuestion(
  context: CallContext,
  { id, recording, lastPushAt, told }: LiveSource,
  { session, last_seconds: lastSeconds, until }: LiveTime,
): Promise<AskedTime> {
  const isSinceStart = lastSeconds === undefined && recording === undefined
  const lengthMs =
    lastSeconds !== undefined ? lastSeconds * 1000 : recording === undefined ? silentAfterMs : Infinity
  const latest = until === undefined ? (lastPushAt ?? new Date()) : new Date(until)
  const found = await told.sessions(
    context.caller,
    id,
    recording ?? {
      from: new Date(latest.getTime() - Math.max(lengthMs, until === undefined ? newestWithinMs : 0)),
      to: until === undefined ? undefined : latest,
    },
  )
  const end = until === undefined && recording === undefined ? lastPush(found, latest) : latest
  const [earliestMs, endMsMax] =
    recording === undefined ? [-Infinity, Infinity] : [recording.from.getTime(), recording.to.getTime()]
  const to = new Date(Math.min(Math.max(end.getTime(), earliestMs), endMsMax))
  const from = new Date(Math.max(to.getTime() - lengthMs, earliestMs))
  const pushing = found.filter(({ lastAt }) => lastAt >= from)
  const asked = session === undefined ? pushing : pushing.filter((each) => each.session === session)
  if (session !== undefined && asked.length === 0) {
    const known = pushing.slice(0, 10).map((each) => each.session)
    throw new Problem('invalid_input', 'That process pushed nothing in this time.', {
      errors: [{ field: 'session', message: `Those that did: ${known.join(', ') || 'none'}.` }],
    })
  }
  const starts = new Map(asked.map((each) => [each.session, startedAt(each)]))
  return {
    isSinceStart,
    from,
    to,
    sessions: asked,
    moments: async (section) => {
      const moments = await told.moments(context.caller, id, section, { from, to })
      return moments.flatMap(({ before, last }): LiveMoment[] => {
        const started = starts.get(last.session)
        // Of a process that told nothing of the section within the time there is nothing to say.
        if (started === undefined || (!isSinceStart && last.at <= (before?.at ?? from))) return []
        return [
          {
            session: last.session,
            before: isSinceStart ? undefined : before,
            last,
            startedAt: started < last.at ? started : last.at,
          },
        ]
      })
    },
  }
}

/** By the clock of the programs, which is that of their snapshots. */
function lastPush(sessions: readonly LiveSession[], otherwise: Date): Date {
  return sessions.length === 0
    ? otherwise
    : new Date(Math.max(...sessions.map(({ lastAt }) => lastAt.getTime())))
}

/** When its counters were zero, as far as it told. */
export function startedAt({ program, firstAt }: Pick<LiveSession, 'program' | 'firstAt'>): Date {
  const told = program?.started_at
  return told === undefined || told > firstAt.getTime() ? firstAt : new Date(told)
}
