export * from './diagnose-mcp-connection.ts'
export * from './get-alert-thresholds.ts'
export * from './set-alert-thresholds.ts'
