import type { CommandBody } from '../../commands/command.ts'
import { UsageError } from '../../usage-error.ts'
import { operationOptions, storeOptions, targetOptions } from '../options.ts'
import { deliveryOf } from '../report/deliver.ts'
import { outputOptions, renderedComparison } from '../report/rendered-comparison.ts'
import { storeInTurns } from '../report/store-report.ts'
import { comparingInTurns, turnsOptions } from '../turns/compare-in-turns.ts'
import { versionTarget } from '../turns/version-target.ts'

export const regressionTest: CommandBody = {
  details:
    'Both are there at the same time, and are loaded in short slices that follow one another, so that what else runs on the machine falls on both alike. Commands are started anew for each pair of blocks. It ends as soon as it is sure, or tells that it is not, and how many blocks it would take. Ends with 1 when something became worse by the threshold or more.\n\nA version is a URL, a command in quotes, or the name of a server. With --mcp it is what takes the place of {version} in the command, arguments, environment or URL of that server in mcp-profiler.config.json, such as { "command": "npx", "args": ["-y", "my-server@{version}"] }.',
  examples: [
    'mcp-profiler regression-test --baseline v1.0 --current v1.1 --mcp my-server',
    'mcp-profiler regression-test --baseline "node old/server.js" --current "node new/server.js" --operations search',
    'mcp-profiler regression-test --baseline http://127.0.0.1:3000/mcp --current http://127.0.0.1:3001/mcp',
  ],
  positionals: [],
  options: [
    { name: 'baseline', value: '<version>', description: 'The version of before.' },
    { name: 'current', value: '<version>', description: 'The version of now.' },
    ...targetOptions,
    ...operationOptions,
    ...turnsOptions,
    ...outputOptions,
    ...storeOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const [baseline, current] = [line.text('baseline'), line.text('current')]
    if (baseline === undefined || current === undefined) {
      throw new UsageError(
        'Say what is compared: --baseline and --current, each a version, a URL or a command.',
      )
    }
    const delivery = deliveryOf(line, terminal)
    const targets = [
      await versionTarget(baseline, line, terminal),
      await versionTarget(current, line, terminal),
    ] as const
    const measured = await comparingInTurns(context, 'regression-test', (compare, { concurrent }) =>
      compare(
        [
          { target: targets[0], label: baseline, concurrent },
          { target: targets[1], label: current, concurrent },
        ],
        `${baseline} and ${current}`,
      ),
    )
    await storeInTurns(measured, { line, terminal })
    const rendered = renderedComparison(measured.comparison)
    await delivery.write(rendered)
    delivery.print(rendered)
    return measured.comparison.regressions.length > 0 ? 1 : 0
  },
}
