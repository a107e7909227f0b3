import { tuningHtml, tuningMarkdown, tuningText } from '@flamegate/mcp-profiling'
import type { CommandBody } from '../../commands/command.ts'
import { UsageError } from '../../usage-error.ts'
import { askedTarget, latencyMsOf, operationOptions, storeOptions, targetOptions } from '../options.ts'
import { deliveryOf } from '../report/deliver.ts'
import { outputOptions } from '../report/rendered-comparison.ts'
import { jsonOf } from '../report/report-files.ts'
import { storeReport } from '../report/store-report.ts'
import { findTarget } from '../target/find-target.ts'
import { applySettings } from '../tune/apply-settings.ts'
import { candidatesOf } from '../tune/candidates.ts'
import { tuneServer } from '../tune/tune-server.ts'
import { comparingInTurns, turnsOptions } from '../turns/compare-in-turns.ts'

export const autoTune: CommandBody = {
  details:
    'Each setting is measured in turns against the server as it is, as regression-test does it. What is surely better, all tries taken together, and makes nothing worse, is measured once more, one beside those that were better again; only what is better twice is proposed. It tries what cannot change what the server does: garbage collector and thread pool of Node.js, Java and Go, the allocator, and variables that you list with --try. Source code is never changed, and nothing is written without --apply. With --target-latency it ends with 1 when the 95th percentile is above it in the end.',
  examples: [
    'mcp-profiler auto-tune --mcp my-server --target-latency 100ms --safe-mode',
    'mcp-profiler auto-tune --mcp my-server --try POOL_SIZE=5,10,20 --apply',
  ],
  positionals: ['-- command…'],
  options: [
    {
      name: 'target-latency',
      value: '<time>',
      description: 'What is wanted of the 95th percentile, such as 100ms.',
    },
    {
      name: 'try',
      value: '<NAME=a,b,c>',
      isRepeatable: true,
      description: 'A variable of the environment, and values to try; in place of those that it would try.',
    },
    { name: 'safe-mode', description: 'Only what cannot change behaviour, which is so without it, too.' },
    {
      name: 'apply',
      description: 'Write what is proposed to mcp-profiler.config.json, of which a copy is made before.',
    },
    ...targetOptions,
    ...operationOptions,
    ...turnsOptions,
    ...outputOptions,
    ...storeOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const targetLatencyMs = latencyMsOf(line, 'target-latency') ?? null
    if (line.flag('safe-mode') === false) throw new UsageError('There is no mode that is not safe.')
    const delivery = deliveryOf(line, terminal)
    const target = await findTarget(askedTarget(line), terminal)
    if (target.kind === 'http') {
      throw new UsageError(
        `${target.name} runs already, and cannot be started with other settings: give its command after --.`,
      )
    }
    const candidates = candidatesOf(target, line.list('try') ?? [])
    const { tuning, report } = await comparingInTurns(
      context,
      'auto-tune',
      (compare, { concurrent, thresholdPercent, interruption }) =>
        tuneServer(target, candidates, {
          compare,
          env: terminal.env,
          concurrent,
          thresholdPercent,
          targetLatencyMs,
          interruption,
        }),
    )
    if (report !== undefined) await storeReport(report, { line, terminal, result: { ...tuning } })
    const rendered = {
      text: () => tuningText(tuning),
      json: () => jsonOf(tuning),
      markdown: () => tuningMarkdown(tuning),
      html: () => tuningHtml(tuning),
    }
    await delivery.write(rendered)
    delivery.print(rendered)
    if (line.flag('apply') === true && tuning.proposal !== null) {
      terminal.writeError(`${await applySettings(terminal.cwd, target, tuning.proposal.env)}\n`)
    }
    return tuning.isTargetMet === false ? 1 : 0
  },
}
