import path from 'node:path'
import type { CommandBody } from '../../commands/command.ts'
import { UsageError } from '../../usage-error.ts'
import { askedTarget, operationOptions, storeOptions, targetOptions } from '../options.ts'
import { deliveryOf } from '../report/deliver.ts'
import { outputOptions, renderedComparison } from '../report/rendered-comparison.ts'
import { storeInTurns } from '../report/store-report.ts'
import { findTarget } from '../target/find-target.ts'
import { comparingInTurns, turnsOptions } from '../turns/compare-in-turns.ts'
import { readSettingsFile, withSettings } from '../turns/with-settings.ts'

export const abTest: CommandBody = {
  details:
    'A is the server as it is, B with the settings of the file: { "name", "env", "runtimeFlags", "args", "headers", "concurrent" }, of which some are enough. Measured as regression-test does it. Where the calls at a time differ, the throughput is compared and not the times of calls.',
  examples: ['mcp-profiler ab-test --mcp my-server --optimization-config config.json'],
  positionals: ['-- command…'],
  options: [
    { name: 'optimization-config', value: '<file>', description: 'The settings of B, as JSON.' },
    ...targetOptions,
    ...operationOptions,
    ...turnsOptions,
    ...outputOptions,
    ...storeOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const file = line.text('optimization-config')
    if (file === undefined)
      throw new UsageError('Say what B is: --optimization-config with a file of settings.')
    const settings = await readSettingsFile(file, terminal.cwd)
    const delivery = deliveryOf(line, terminal)
    const target = await findTarget(askedTarget(line), terminal)
    const b = withSettings(target, settings)
    const measured = await comparingInTurns(context, 'ab-test', (compare, { concurrent }) =>
      compare(
        [
          { target, label: 'as it is', concurrent },
          {
            target: b,
            label: settings.name ?? path.basename(file),
            concurrent: settings.concurrent ?? concurrent,
          },
        ],
        target.name,
      ),
    )
    await storeInTurns(measured, { line, terminal })
    const rendered = renderedComparison(measured.comparison)
    await delivery.write(rendered)
    delivery.print(rendered)
  },
}
