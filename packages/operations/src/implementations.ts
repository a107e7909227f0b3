import * as benchmarks from './benchmarks/index.ts'
import * as general from './general/index.ts'
import type { Implementation } from './implement.ts'
import * as mcpServers from './mcp-servers/index.ts'
import * as monitoring from './monitoring/index.ts'
import * as profiles from './profiles/index.ts'
import * as workspace from './workspace/index.ts'

/** The handler of every operation. A new one is one file and one line in its domain's index. */
export const implementations: readonly Implementation[] = [
  ...Object.values(benchmarks),
  ...Object.values(general),
  ...Object.values(mcpServers),
  ...Object.values(monitoring),
  ...Object.values(profiles),
  ...Object.values(workspace),
]
