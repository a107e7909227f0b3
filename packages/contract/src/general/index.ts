export * from './describe-tool.ts'
export * from './download-file.ts'
export * from './find-tools.ts'
export * from './get-task-result.ts'
