import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProjectFile } from './get-project-file.ts'

export const restoreProjectFile = implement(operations.restoreProjectFile)(async (input, context) => {
  const file = await getProjectFile(context, input.file_id)
  const isPlaced = await context.deps.stores.projectFiles.place(context.caller, file.id)
  if (!isPlaced) throw new Problem('file_not_found', 'The bytes of this file never came.')
  return { file_id: file.id, project_id: file.projectId, path: file.name }
})
