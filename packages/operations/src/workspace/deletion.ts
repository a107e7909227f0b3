import { Problem } from '@flamegate/contract'

const graceDays = 14

/** When a workspace goes that is deleted now. */
export function afterGrace(now: Date): Date {
  return new Date(now.getTime() + graceDays * 86_400_000)
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
