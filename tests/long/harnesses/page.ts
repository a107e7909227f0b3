import { cpus } from 'node:os'
import { processes } from './measured-project.ts'

/** What came of one harness. */
export interface HarnessResult {
  name: string
  version: string
  tries: number
  /** Alarms where nothing was changed. */
  alarms: number
  /** Of as many slowdowns. */
  found: number
  /** The change that the alarms told, in percent, the median. */
  changePercent: number | undefined
  /** Of both sides, all processes. */
  secondsPerMeasurement: number
}

/** docs/benchmarks/harnesses.md */
export function harnessesPage(
  results: readonly HarnessResult[],
  { skipped, loadAtStart }: { skipped: readonly string[]; loadAtStart: number },
): string {
  return `# Real harnesses, measured

Whether a slowdown is found, and nothing else: one benchmark, measured by real tools through \`flamegate run --check\` on
a platform of its own, without a history. Base and head are measured in turns (\`--base-dir\`), ${processes} short processes of each, and
compared pair by pair. Each try does that twice: with the same program, in a folder and a build of its own, which must pass,
and with one whose work is 10 % more, which must fail. Everything is as it is by default: a change counts from 5 %, with
95 % confidence. \`npm run long -- harnesses\` runs it again; it fails for a harness with more than one alarm in twenty
tries, or fewer than nineteen slowdowns found.

Seen on ${new Date().toISOString().slice(0, 10)}, on a machine with ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) whose load was
${loadAtStart.toFixed(1)} at the start.

${table(results)}
${skipped.length === 0 ? '' : `\nNot installed there: ${skipped.join(', ')}.\n`}
Vitest warms up and measures for 400 ms each in a process. With 100 and 200 ms, five of twenty were missed and +18 % was
told: V8 throws its first compiled form of that loop away after some 150 ms, for one of a fifth of its speed, and a process
then tells how much of its time fell on either side. A warm-up that is shorter than the compiler's own one cannot be made up
for by statistics.
`
}

export function table(results: readonly HarnessResult[]): string {
  return [
    '| harness | version | alarms without a change | slowdowns found | change told, median | seconds per measurement |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...results.map((each) => {
      const change = each.changePercent === undefined ? '' : `+${each.changePercent.toFixed(1)} %`
      return `| ${each.name} | ${each.version} | ${each.alarms} of ${each.tries} | ${each.found} of ${each.tries} | ${change} | ${each.secondsPerMeasurement.toFixed(1)} |`
    }),
  ].join('\n')
}
