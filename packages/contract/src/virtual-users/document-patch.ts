import { z } from 'zod'
import type { ProblemCode } from '../problem.ts'
import { ifVersion } from './design-shapes.ts'

/** What operations that change a document by RFC 6902 have in common: those of virtual users, scenarios and bench reports. */

export const documentPatchFields = {
  patch: z.array(z.record(z.string(), z.unknown())).max(1000).default([]).describe('Operations.'),
  restore_version: z.int32().min(1).optional().describe('Go back to it first.'),
  label: z.string().min(1).max(80).optional().describe('Names the new version.'),
  dry_run: z.boolean().default(false).describe('Save nothing.'),
  if_version: ifVersion,
}

/** Besides that the document may not be there. */
export const documentPatchProblems = [
  'document_not_found',
  'invalid_input',
  'conflict',
  'version_mismatch',
  'insufficient_role',
] as const satisfies readonly ProblemCode[]

/** @param lines what changed, as markdown */
export function documentPatchText(
  document: { name: string; id: string; version: number },
  { change_count, dry_run }: { change_count: number; dry_run: boolean },
  lines: string,
): string {
  const heading = dry_run
    ? `Nothing was saved. ${change_count} changes there would be:`
    : `**${document.name}** (${document.id}) now has version ${document.version}, with ${change_count} changes:`
  return [heading, lines].join('\n\n')
}
