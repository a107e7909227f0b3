/** Every operation, by its camelCase name. A new one is one file and one line in its domain's index. */
export * from './benchmarks/index.ts'
export * from './general/index.ts'
export * from './mcp-servers/index.ts'
export * from './monitoring/index.ts'
export * from './profiles/index.ts'
export * from './virtual-users/index.ts'
export * from './workspace/index.ts'
