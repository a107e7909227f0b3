import type { Driver } from '../driver.ts'
import { claudeCodeDrivers } from './claude-code.ts'
import { codexDrivers } from './codex.ts'
import { geminiCli } from './gemini-cli.ts'
import { inspectorDrivers } from './inspector.ts'
import { mcpRemote } from './mcp-remote.ts'
import { mcporter } from './mcporter.ts'
import { opencode } from './opencode.ts'

/** Every client, in the order in which they are run and reported. */
export const drivers: readonly Driver[] = [
  ...claudeCodeDrivers,
  ...codexDrivers,
  geminiCli,
  opencode,
  mcpRemote,
  mcporter,
  ...inspectorDrivers,
]
