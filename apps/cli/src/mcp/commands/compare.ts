import { compareReports } from '@flamegate/mcp-profiling'
import type { CommandBody } from '../../commands/command.ts'
import { UsageError } from '../../usage-error.ts'
import { shareOf } from '../options.ts'
import { deliveryOf } from '../report/deliver.ts'
import { findReport } from '../report/report-files.ts'
import { comparisonOptions, renderedComparison } from '../report/rendered-comparison.ts'

export const compare: CommandBody = {
  details:
    'A report is a file, or the label (--label) or server version of one that was kept in .mcp-profiler, of which the latest is taken.',
  examples: ['mcp-profiler compare --baseline v1.0 --current v1.1 --mcp my-server'],
  positionals: [],
  options: [
    ...comparisonOptions,
    { name: 'mcp', value: '<name>', description: 'The server that the labels are of.' },
  ],
  async run({ line, terminal }) {
    const baseline = line.text('baseline')
    const current = line.text('current')
    if (baseline === undefined || current === undefined) {
      throw new UsageError('Say what is compared: --baseline and --current, each a file or a label.')
    }
    const threshold = shareOf(line, 'threshold')
    const delivery = deliveryOf(line, terminal)
    const mcp = line.text('mcp')
    const rendered = renderedComparison(
      compareReports(
        await findReport(terminal.cwd, baseline, mcp),
        await findReport(terminal.cwd, current, mcp),
        threshold === undefined ? {} : { thresholdPercent: 100 * threshold },
      ),
    )
    await delivery.write(rendered)
    delivery.print(rendered)
  },
}
