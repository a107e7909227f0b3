import { compareReports } from '@flamegate/mcp-profiling'
import type { Command } from '../../commands/command.ts'
import { UsageError } from '../../usage-error.ts'
import { shareOf } from '../options.ts'
import { deliveryOf } from '../report/deliver.ts'
import { findReport } from '../report/report-files.ts'
import { comparisonOptions, renderedComparison } from '../report/rendered-comparison.ts'

export const regressionCheck: Command = {
  name: 'regression-check',
  summary: 'Fail when one report is slower than another: for CI.',
  details:
    'Ends with 1 when something became worse by the threshold or more, and that is told from noise. What cannot be told is said, and is no failure.',
  examples: ['mcp-profiler regression-check --current report.json --baseline baseline.json --threshold 10%'],
  positionals: [],
  options: comparisonOptions,
  async run({ line, terminal }) {
    const baseline = line.text('baseline')
    const current = line.text('current')
    if (baseline === undefined || current === undefined) {
      throw new UsageError('Say what is checked: --current and --baseline, each the file of a report.')
    }
    const threshold = shareOf(line, 'threshold') ?? 0.1
    const delivery = deliveryOf(line, terminal)
    const comparison = compareReports(
      await findReport(terminal.cwd, baseline, undefined),
      await findReport(terminal.cwd, current, undefined),
      { thresholdPercent: 100 * threshold },
    )
    const rendered = renderedComparison(comparison)
    await delivery.write(rendered)
    delivery.print(rendered)
    return comparison.regressions.length > 0 ? 1 : 0
  },
}
