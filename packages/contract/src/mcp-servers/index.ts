export * from './diagnose-mcp-connection.ts'
