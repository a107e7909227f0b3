import { operations } from '@flamegate/contract'
import { liveSections } from '@flamegate/live'
import { implement } from '../implement.ts'
import { headOnWire, sectionOnWire } from './on-wire.ts'
import { getLiveSource } from './reaching.ts'
import { silentAfterMs, startedAt } from './time-of-question.ts'

const processesMax = 20

export const profilerStatus = implement(operations.profilerStatus)(async (input, context) => {
  const source = await getLiveSource(context, input.live_app_id)
  const sessions = await source.told.sessions(context.caller, source.id, {})
  return {
    ...headOnWire(source),
    project_id: source.projectId,
    processes: sessions.slice(0, processesMax).map((session) => {
      const { program, firstAt, lastAt } = session
      return {
        session: session.session,
        is_pushing: source.recording === undefined && Date.now() - lastAt.getTime() < silentAfterMs,
        name: program?.name ?? null,
        source: program?.source ?? null,
        era: program?.era ?? null,
        runtime: program?.runtime ?? program?.language ?? null,
        version: program?.version ?? null,
        host: program?.host ?? null,
        pid: program?.pid ?? null,
        uptime_seconds: Math.max(0, lastAt.getTime() - startedAt(session).getTime()) / 1000,
        first_push_at: firstAt.toISOString(),
        last_push_at: lastAt.toISOString(),
        sections: liveSections.map((section) => sectionOnWire(section, [session])),
      }
    }),
    process_count: sessions.length,
  }
})
