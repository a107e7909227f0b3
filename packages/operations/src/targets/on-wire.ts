import type { operations, OutputOf } from '@flamegate/contract'
import type { Target } from '../ports/index.ts'
import { isoOrNull } from '../wire.ts'

export function targetOnWire(target: Target): OutputOf<typeof operations.listTargets>['targets'][number] {
  return {
    id: target.id,
    project_id: target.projectId,
    host: target.host,
    is_verified: target.method !== null,
    method: target.method,
    verified_at: isoOrNull(target.verifiedAt),
    checked_at: isoOrNull(target.checkedAt),
    failure: target.failure,
    created_at: target.createdAt.toISOString(),
  }
}
