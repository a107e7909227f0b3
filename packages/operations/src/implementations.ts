import * as administration from './administration/index.ts'
import * as benchRuns from './bench-runs/index.ts'
import * as benchmarks from './benchmarks/index.ts'
import * as design from './design/index.ts'
import * as general from './general/index.ts'
import type { Implementation } from './implement.ts'
import * as live from './live/index.ts'
import * as mcpServers from './mcp-servers/index.ts'
import * as monitoring from './monitoring/index.ts'
import * as monitors from './monitors/index.ts'
import * as profiles from './profiles/index.ts'
import * as projectFiles from './project-files/index.ts'
import * as reports from './reports/index.ts'
import * as scenarios from './scenarios/index.ts'
import * as sla from './sla/index.ts'
import * as targets from './targets/index.ts'
import * as validation from './validation/index.ts'
import * as virtualUsers from './virtual-users/index.ts'
import * as workspace from './workspace/index.ts'

/** The handler of every operation. A new one is one file and one line in its domain's index. */
export const implementations: readonly Implementation[] = [
  ...Object.values(administration),
  ...Object.values(benchRuns),
  ...Object.values(benchmarks),
  ...Object.values(design),
  ...Object.values(general),
  ...Object.values(live),
  ...Object.values(mcpServers),
  ...Object.values(monitoring),
  ...Object.values(monitors),
  ...Object.values(profiles),
  ...Object.values(projectFiles),
  ...Object.values(reports),
  ...Object.values(scenarios),
  ...Object.values(sla),
  ...Object.values(targets),
  ...Object.values(validation),
  ...Object.values(virtualUsers),
  ...Object.values(workspace),
]
