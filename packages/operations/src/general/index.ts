export { describeTool } from './describe-tool.ts'
export { downloadFile } from './download-file.ts'
export { findTools } from './find-tools.ts'
export { getTaskResult } from './get-task-result.ts'
