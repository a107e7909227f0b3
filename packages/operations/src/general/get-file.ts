import { operations, Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { FileRecord } from '../ports/index.ts'
import { reach, requireRole } from '../targets.ts'
import { pagePath } from './page-path.ts'

/** A file among those that the caller may read, and the path of the page it belongs to. */
export async function getFile(context: CallContext, id: string): Promise<{ file: FileRecord; page: string }> {
  const file = await context.deps.stores.files.find(context.caller, id)
  if (file === undefined) {
    throw new Problem('file_not_found', 'No such file in your workspaces.', {
      hint: [operations.listFiles, 'shows those of a project'],
    })
  }
  await reach(context, file.workspaceId, file.id)
  // What only owners may write, nobody else may read.
  if (file.purpose === 'export_workspace') requireRole(context.caller, file.workspaceId, 'owner')
  return { file, page: file.projectId === null ? '/' : pagePath('project', file.projectId) }
}
