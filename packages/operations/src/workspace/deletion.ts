import { Problem } from '@flamegate/contract'
import type { Workspace } from '../ports/index.ts'

const graceDays = 14

/** When a workspace goes that is deleted now. */
export function afterGrace(now: Date): Date {
  return new Date(now.getTime() + graceDays * 86_400_000)
}

/**
 * Of one whose time is over, parts may have been removed.
 * @throws Problem `workspace_not_found`
 */
export function mustBeInTime({ name, deletesAt }: Workspace, now: Date): void {
  if (deletesAt === null || deletesAt > now) return
  throw new Problem(
    'workspace_not_found',
    `${name} is being removed since ${deletesAt.toISOString()}, and cannot be kept any more.`,
  )
}

/** @throws Problem `confirmation_mismatch` */
export function mustBeName(confirm: string, name: string): void {
  if (confirm === name) return
  throw new Problem(
    'confirmation_mismatch',
    `To delete this workspace, send its exact name as confirm: ${name}.`,
    { errors: [{ field: 'confirm', message: 'Not the name of the workspace.' }] },
  )
}
