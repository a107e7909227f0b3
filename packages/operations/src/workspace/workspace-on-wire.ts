import type { operations, OutputOf, Role } from '@flamegate/contract'
import type { Workspace } from '../ports/index.ts'
import { isoOrNull } from '../wire.ts'

type WorkspaceOnWire = OutputOf<typeof operations.createWorkspace>['workspace']

export function workspaceOnWire(workspace: Workspace & { role: Role }): WorkspaceOnWire {
  const { id, slug, name, plan, role, deletesAt } = workspace
  return { id, slug, name, plan, role, deletes_at: isoOrNull(deletesAt) }
}
