import { Problem } from '@flamegate/contract'
import type { LiveMoment, LiveSection } from '@flamegate/live'
import type { CallContext } from '../implement.ts'
import type { LiveApp, LiveSession } from '../ports/index.ts'

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
 * hour ago tells what it did last. Without a length it is of all time.
 */
export async function timeOfQuestion(
  context: CallContext,
  app: LiveApp,
  { session, last_seconds: lastSeconds, until }: LiveTime,
): Promise<AskedTime> {
  const { live } = context.deps.stores
  const isSinceStart = lastSeconds === undefined
  const lengthMs = isSinceStart ? silentAfterMs : lastSeconds * 1000
  const latest = until === undefined ? (app.lastPushAt ?? new Date()) : new Date(until)
  const found = await live.sessions(context.caller, app.id, {
    from: new Date(latest.getTime() - Math.max(lengthMs, until === undefined ? newestWithinMs : 0)),
    to: until === undefined ? undefined : latest,
  })
  // By the clock of the programs, which is that of their snapshots.
  const to =
    until === undefined && found.length > 0
      ? new Date(Math.max(...found.map(({ lastAt }) => lastAt.getTime())))
      : latest
  const from = new Date(to.getTime() - lengthMs)
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
      const moments = await live.moments(context.caller, app.id, section, { from, to })
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

/** When its counters were zero, as far as it told. */
export function startedAt({ program, firstAt }: LiveSession): Date {
  const told = program?.started_at
  return told === undefined || told > firstAt.getTime() ? firstAt : new Date(told)
}
