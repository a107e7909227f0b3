import type { operations, OutputOf } from '@flamegate/contract'
import type { LiveApp, LiveSession } from '../ports/index.ts'
import { isoOrNull } from '../wire.ts'

type AppOnWire = OutputOf<typeof operations.endLiveApp>['live_app']
type ProcessOnWire = OutputOf<typeof operations.listLiveApps>['live_apps'][number]['process']

export function liveAppOnWire(app: LiveApp): AppOnWire {
  return {
    id: app.id,
    project_id: app.projectId,
    name: app.name,
    state: app.endedAt !== null ? 'ended' : app.lastPushAt === null ? 'waiting' : 'live',
    created_at: app.createdAt.toISOString(),
    last_push_at: isoOrNull(app.lastPushAt),
    ended_at: isoOrNull(app.endedAt),
    size_bytes: app.sizeBytes,
  }
}

export function liveProcessOnWire({ session, program, sections }: LiveSession): ProcessOnWire {
  return {
    session,
    program: program?.name ?? null,
    source: program?.source ?? null,
    runtime: program?.runtime ?? null,
    version: program?.version ?? null,
    host: program?.host ?? null,
    sections_on: Object.entries(sections).flatMap(([name, { status }]) => (status === 'on' ? [name] : [])),
  }
}
