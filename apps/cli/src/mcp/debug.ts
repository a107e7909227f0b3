import { isDebugging } from '@flamegate/mcp-profiling/configuration'
import type { Terminal } from '../terminal.ts'

/** Tells each step on stderr, with the time since this process began, where MCP_PERFORMANCE_DEBUG asks for it. */
export function debugOn({ env, writeError }: Pick<Terminal, 'env' | 'writeError'>): (step: string) => void {
  if (!isDebugging(env)) return () => {}
  return (step) => writeError(`debug ${(performance.now() / 1000).toFixed(3)} s: ${step}\n`)
}
