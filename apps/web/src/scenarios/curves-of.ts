import {
  type CurvePoint,
  delayed,
  isOpen,
  load as loadSchema,
  sumOfCurves,
} from '@flamegate/loadtest/scenario'
import { type JsonObject, objectsIn, textOf } from '../documents/json.ts'

/** The curve of one profile. */
export interface ProfileCurve {
  id: string
  name: string
  points: CurvePoint[]
}

export interface ScenarioCurves {
  /** Users of closed loads. */
  users: ProfileCurve[]
  /** Iterations of open loads that begin in a second. */
  rates: ProfileCurve[]
  /** When the last load ends. */
  durationMs: number
  /** Names of profiles whose load is none yet. */
  unreadable: string[]
}

/** What a scenario that is being written asks for; profiles that are off are left out. */
export function curvesOf(document: JsonObject): ScenarioCurves {
  const curves: ScenarioCurves = { users: [], rates: [], durationMs: 0, unreadable: [] }
  for (const profile of objectsIn(document['profiles'])) {
    if (profile['enabled'] === false) continue
    const name = textOf(profile['name'])
    const delayMs = Number(profile['start_delay_ms'] ?? 0)
    const read = loadSchema.safeParse(profile['load'])
    if (!read.success || !Number.isFinite(delayMs) || delayMs < 0) {
      curves.unreadable.push(name)
      continue
    }
    const points = delayed({ load: read.data, start_delay_ms: delayMs })
    curves[isOpen(read.data) ? 'rates' : 'users'].push({ id: textOf(profile['id']), name, points })
    curves.durationMs = Math.max(curves.durationMs, points.at(-1)?.atMs ?? 0)
  }
  return curves
}

/** What all of them ask for together. */
export function totalOf(curves: readonly ProfileCurve[]): CurvePoint[] {
  return sumOfCurves(curves.map(({ points }) => points))
}
