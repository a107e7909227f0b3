import { operations, Problem } from '@flamegate/contract'
import { getFile } from '../general/get-file.ts'
import type { CallContext } from '../implement.ts'
import type { FileRecord } from '../ports/index.ts'

/** A file that is or was under a path of its project. */
export async function getProjectFile(
  context: CallContext,
  id: string,
): Promise<FileRecord & { projectId: string }> {
  const { file } = await getFile(context, id)
  const { projectId } = file
  if (file.purpose !== 'store_project_file' || projectId === null) {
    throw new Problem('file_not_found', 'This is no project file.', {
      hint: [operations.listProjectFiles, 'shows the ones there are'],
    })
  }
  return { ...file, projectId }
}
