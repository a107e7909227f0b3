import type { operations, OutputOf } from '@flamegate/contract'
import type { DocumentChange } from '@flamegate/loadtest'
import type { DesignEntry } from '../ports/index.ts'
import { readSummary } from './summary.ts'

type VirtualUserOnWire = OutputOf<typeof operations.getVirtualUser>['virtual_user']
type ChangeOnWire = OutputOf<typeof operations.patchVirtualUser>['changes'][number]

export function virtualUserOnWire(entry: DesignEntry): VirtualUserOnWire {
  return {
    id: entry.id,
    project_id: entry.projectId,
    name: entry.name,
    ...readSummary(entry.summary),
    version: entry.version,
    source: entry.source,
    created_at: entry.createdAt.toISOString(),
    updated_at: entry.updatedAt.toISOString(),
  }
}

export function changeOnWire({ actionId, ...change }: DocumentChange): ChangeOnWire {
  return { ...change, action_id: actionId }
}
