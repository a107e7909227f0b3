import {
  howToEnable,
  type ItemWindow,
  type LiveSection,
  type SectionRow,
  type SectionWindow,
} from '@flamegate/live'
import type { operations, OutputOf } from '@flamegate/contract'
import type { LiveSession } from '../ports/index.ts'
import { isoOrNull } from '../wire.ts'
import type { LiveSource } from './reaching.ts'

/** What questions about live apps answer, in the words of the wire. */

type Answer = OutputOf<typeof operations.functionsTiming>

export function headOnWire({
  id,
  app,
  recording,
  lastPushAt,
}: LiveSource): Pick<Answer, 'live_app_id' | 'app' | 'recording' | 'last_push_at' | 'age_seconds'> {
  return {
    live_app_id: id,
    app,
    recording: recording?.name ?? null,
    last_push_at: isoOrNull(lastPushAt),
    age_seconds: lastPushAt === null ? null : Math.max(0, Date.now() - lastPushAt.getTime()) / 1000,
  }
}

export function windowOnWire(window: SectionWindow | undefined, isSinceStart: boolean): Answer['window'] {
  return {
    is_since_start: isSinceStart,
    from: isoOrNull(window?.from ?? null),
    to: isoOrNull(window?.to ?? null),
    seconds: window === undefined ? 0 : (window.to.getTime() - window.from.getTime()) / 1000,
    processes: window?.processes ?? 0,
  }
}

export function rowOnWire({
  item,
  measures,
  sharePercent,
  percentilesOf,
}: SectionRow): Answer['rows'][number] {
  return {
    id: item.id,
    name: item.name,
    place: placeOnWire(item),
    kind: item.kind ?? null,
    state: item.state ?? null,
    processes: item.sessions.length,
    session: item.sessions[0] ?? '',
    share_percent: sharePercent,
    percentiles_of: percentilesOf,
    measures,
    texts: item.texts,
  }
}

/** A section is on when any of the processes tells it; else it is what the newest of them says. */
export function sectionOnWire(section: LiveSection, sessions: readonly LiveSession[]): Answer['section'] {
  const told = sessions.flatMap(({ sections, program }) => {
    const state = sections[section]
    return state === undefined ? [] : [{ ...state, source: program?.source }]
  })
  const state = told.find(({ status }) => status === 'on') ?? told[0]
  const status = state?.status ?? 'unknown'
  const source = state?.source ?? sessions.find(({ program }) => program !== null)?.program?.source
  return {
    name: section,
    status,
    reason: status === 'on' ? null : (state?.reason ?? null),
    how_to_enable: status === 'on' || status === 'failed' ? null : howToEnable(section, source),
  }
}

export function placeOnWire({ place }: ItemWindow): string | null {
  if (place === undefined) return null
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(':')
}
