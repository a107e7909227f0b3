export { deleteProjectFile } from './delete-project-file.ts'
export { listProjectFiles } from './list-project-files.ts'
export { restoreProjectFile } from './restore-project-file.ts'
export { uploadProjectFile } from './upload-project-file.ts'
