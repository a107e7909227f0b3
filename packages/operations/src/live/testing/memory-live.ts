import type { LiveSection, ReceivedLivePush } from '@flamegate/live'
import type {
  LiveApp,
  LiveRecording,
  LiveRecordingStore,
  LiveSession,
  LiveSnapshot,
  LiveSpan,
  LiveStore,
} from '../../ports/index.ts'

/** Live apps in memory, of these pushes, for what reads them. */
export function memoryLive(
  apps: Readonly<Record<string, readonly ReceivedLivePush[]>>,
): Pick<LiveStore, 'find' | 'sessions' | 'moments' | 'history' | 'logs'> {
  const pushesOf = (appId: string) => apps[appId] ?? []
  return {
    find: (_caller, id) => Promise.resolve(id in apps ? appOf(id, pushesOf(id)) : undefined),
    sessions: (_caller, appId, span) =>
      Promise.resolve(
        sessionsOf(pushesOf(appId))
          .filter(({ firstAt, lastAt }) => overlaps(span, firstAt, lastAt))
          .toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime()),
      ),
    moments: (_caller, appId, section, span) =>
      Promise.resolve(
        sessionsOf(pushesOf(appId))
          .filter(({ firstAt, lastAt }) => overlaps(span, firstAt, lastAt))
          .flatMap(({ session }) => {
            const told = snapshotsOf(pushesOf(appId), section).filter((each) => each.session === session)
            const last = told.findLast(({ at }) => span.to === undefined || at <= span.to)
            const before = told.findLast(({ at }) => span.from !== undefined && at <= span.from)
            return last === undefined ? [] : [{ before, last }]
          }),
      ),
    history: (_caller, appId, section, span) =>
      Promise.resolve(snapshotsOf(pushesOf(appId), section).filter(({ at }) => overlaps(span, at, at))),
    logs: (_caller, appId, section, { session, item }) =>
      Promise.resolve(
        pushesOf(appId)
          .filter((push) => session === undefined || push.session === session)
          .flatMap((push) => push.logs.map((log) => ({ ...log, session: push.session })))
          .filter((log) => log.section === section && (item === undefined || log.item === item))
          .toReversed(),
      ),
  }
}

/** A time of the program of some pushes. */
export interface MadeRecording {
  pushes: readonly ReceivedLivePush[]
  from: Date
  to: Date
}

/** Live recordings in memory, for what reads them. */
export function memoryRecordings(
  recordings: Readonly<Record<string, MadeRecording>>,
): Pick<LiveRecordingStore, 'find' | 'sessions' | 'moments' | 'history'> {
  const told = Object.entries(recordings).map(([id, recording]) => [id, pushesIn(recording)])
  const { sessions, moments, history } = memoryLive(Object.fromEntries(told))
  return {
    find: (_caller, id) => {
      const made = recordings[id]
      return Promise.resolve(made && recordingOf(id, made))
    },
    sessions,
    moments,
    history,
  }
}

/** Of each process those in the time, and the last one before. */
function pushesIn({ pushes, from, to }: MadeRecording): ReceivedLivePush[] {
  return [...Map.groupBy(pushes, ({ session }) => session).values()].flatMap((own) => {
    const before = own.findLast(({ at }) => at <= from.getTime())
    return own.filter((push) => push.at <= to.getTime() && (push === before || push.at > from.getTime()))
  })
}

function recordingOf(id: string, { from, to }: MadeRecording): LiveRecording {
  return {
    id,
    workspaceId: 'ws_1',
    projectId: 'prj_1',
    liveAppId: 'app_1',
    app: 'shop',
    name: `Recording ${id}`,
    note: null,
    from,
    to,
    processes: 1,
    sections: ['functions_timing'],
    sizeBytes: 1,
    createdBy: 'usr_1',
    createdAt: to,
  }
}

function appOf(id: string, pushes: readonly ReceivedLivePush[]): LiveApp {
  const ends = pushes.map(({ at }) => at)
  return {
    id,
    workspaceId: 'ws_1',
    projectId: 'prj_1',
    name: 'shop',
    createdAt: new Date(0),
    lastPushAt: ends.length === 0 ? null : new Date(Math.max(...ends)),
    endedAt: null,
    sizeBytes: 0,
  }
}

function sessionsOf(pushes: readonly ReceivedLivePush[]): LiveSession[] {
  return [...Map.groupBy(pushes, ({ session }) => session)].map(([session, own]) => ({
    session,
    program: own[0]?.program ?? null,
    firstAt: new Date(own[0]?.at ?? 0),
    lastAt: new Date(own.at(-1)?.at ?? 0),
    sections: Object.fromEntries(
      Object.entries(own.at(-1)?.sections ?? {}).map(([name, { status, reason }]) => [
        name,
        { status, reason },
      ]),
    ),
  }))
}

function snapshotsOf(pushes: readonly ReceivedLivePush[], section: LiveSection): LiveSnapshot[] {
  return pushes.flatMap(({ session, at, sections }) => {
    const told = sections[section]
    return told?.status === 'on' ? [{ session, at: new Date(at), items: told.items }] : []
  })
}

function overlaps({ from, to }: LiveSpan, first: Date, last: Date): boolean {
  return (from === undefined || last >= from) && (to === undefined || first <= to)
}
