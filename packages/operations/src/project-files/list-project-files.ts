import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'

const versionsMax = 2000

export const listProjectFiles = implement(operations.listProjectFiles)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const { projectFiles } = context.deps.stores
  const versions = await projectFiles.listVersions(context.caller, project.id, versionsMax)
  const byPath = Map.groupBy(versions, ({ name }) => name)
  return {
    project_id: project.id,
    files: [...byPath].map(([path, files]) => ({
      path,
      file_id: files.find(({ isCurrent }) => isCurrent)?.id ?? null,
      versions: files.map((file) => ({
        file_id: file.id,
        size_bytes: file.sizeBytes,
        sha256: file.sha256,
        created_at: file.createdAt.toISOString(),
      })),
    })),
    is_complete: versions.length < versionsMax,
  }
})
