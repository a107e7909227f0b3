import { stat } from 'node:fs/promises'
import path from 'node:path'
import { compareReports } from '@flamegate/mcp-profiling'
import type { CommandBody, CommandContext } from '../../commands/command.ts'
import { UsageError } from '../../usage-error.ts'
import { shareOf } from '../options.ts'
import { deliveryOf } from '../report/deliver.ts'
import { findReport } from '../report/report-files.ts'
import { renderedComparison } from '../report/rendered-comparison.ts'
import { regressionTest } from './regression-test.ts'

export const regressionCheck: CommandBody = {
  details:
    'Ends with 1 when something became worse by the threshold or more, and that is told from noise. What cannot be told is said, and is no failure.\n\nTwo reports are compared as they are; --threshold is 10% then when left out. Two builds, each a URL or a command in quotes, are measured in turns, as regression-test does, which tells much smaller changes from noise: --threshold is 5% then, and the options of targets, operations and blocks count.',
  examples: [
    'mcp-profiler regression-check --current report.json --baseline baseline.json --threshold 10%',
    'mcp-profiler regression-check --baseline "node old/server.js" --current "node new/server.js"',
  ],
  positionals: [],
  options: [
    { name: 'baseline', value: '<file|label|build>', description: 'The report, or the build, of before.' },
    { name: 'current', value: '<file|label|build>', description: 'The report, or the build, of now.' },
    ...regressionTest.options.filter(({ name }) => name !== 'baseline' && name !== 'current'),
  ],
  async run(context) {
    const { line, terminal } = context
    const [baseline, current] = [line.text('baseline'), line.text('current')]
    if (baseline === undefined || current === undefined) {
      throw new UsageError(
        'Say what is checked: --current and --baseline, each the file of a report, or both a build.',
      )
    }
    const areBuilds = [await isBuild(terminal.cwd, baseline), await isBuild(terminal.cwd, current)]
    if (areBuilds.every(Boolean)) return regressionTest.run(context)
    if (areBuilds.some(Boolean)) {
      throw new UsageError('One is a report and the other a build. Compare two reports, or two builds.')
    }
    return checkReports(context, baseline, current)
  },
}

async function checkReports(
  { line, terminal }: CommandContext,
  baseline: string,
  current: string,
): Promise<number> {
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
}

/** A URL, or a command, which has a blank; a file that is called so is a report all the same. */
async function isBuild(cwd: string, text: string): Promise<boolean> {
  if (!/\s|^https?:\/\//.test(text)) return false
  return stat(path.resolve(cwd, text)).then(
    () => false,
    () => true,
  )
}
