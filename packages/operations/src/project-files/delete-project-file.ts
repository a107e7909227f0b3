import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProjectFile } from './get-project-file.ts'

export const deleteProjectFile = implement(operations.deleteProjectFile)(async (input, context) => {
  const { projectFiles } = context.deps.stores
  const file = await getProjectFile(context, input.file_id)
  const current = await projectFiles.find(context.caller, file.projectId, file.name)
  if (current?.id !== file.id) {
    throw new Problem('file_not_found', `${file.name} does not mean this file any more.`, {
      hint: [operations.listProjectFiles, 'shows which it means'],
    })
  }
  await projectFiles.remove(context.caller, file, file.name)
  return { file_id: file.id, project_id: file.projectId, path: file.name, deleted: true as const }
})
