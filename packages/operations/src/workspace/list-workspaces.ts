import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { workspaceOnWire } from './workspace-on-wire.ts'

export const listWorkspaces = implement(operations.listWorkspaces)(async (_input, { caller, deps }) => ({
  workspaces: (await deps.stores.workspaces.list(caller)).map(workspaceOnWire),
}))
