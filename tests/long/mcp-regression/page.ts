import { cpus } from 'node:os'

/** One comparison of two builds. */
export interface Trial {
  /** Whether the second one is slower, or the same build. */
  isSlower: boolean
  isAlarm: boolean
  /** What was told as worse. */
  regressions: readonly string[]
  note: string
  meanChangePercent: number | null
  cpuChangePercent: number | null
  seconds: number
  /** Processes that ran or waited to, in the mean of the last minute of it. */
  load: number
}

/** How many alarms there may be for the same build, and have to be for the slower one, of twenty. */
export function isGoodEnough(trials: readonly Trial[]): boolean {
  const { same, slower } = parted(trials)
  return alarmsOf(same) <= same.length / 20 && alarmsOf(slower) >= (19 / 20) * slower.length
}

export function sectionOf(title: string, trials: readonly Trial[]): string {
  const { same, slower } = parted(trials)
  return [
    `## ${title}`,
    '',
    `- The same build: ${alarmsOf(same)} of ${same.length} raised an alarm.`,
    `- 10 % slower: ${alarmsOf(slower)} of ${slower.length} were found.`,
    `- Time of one comparison: ${spreadOf(trials.map(({ seconds }) => seconds))} s. Load: ${spreadOf(trials.map(({ load }) => load))}.`,
    '',
    '| second build | found | change of the mean | of processor time | seconds | load | worse |',
    '| --- | --- | ---: | ---: | ---: | ---: | --- |',
    ...trials.map(
      (trial) =>
        `| ${trial.isSlower ? 'slower' : 'the same'} | ${trial.isAlarm ? 'worse' : 'not worse'} | ${percent(trial.meanChangePercent)} | ${percent(trial.cpuChangePercent)} | ${trial.seconds.toFixed(0)} | ${trial.load.toFixed(1)} | ${trial.regressions.join('; ')} |`,
    ),
  ].join('\n')
}

export function pageOf(sections: readonly string[]): string {
  const processors = cpus()
  return `# Regressions of MCP servers, found and not imagined

\`npm run long -- mcp-regression\` compares builds of a real sample server (\`apps/cli/src/mcp/testing/steady-server.ts\`, Node.js
${process.version}, over its standard streams) again and again: the same build with itself, and with one whose calls take 10 % longer. It fails
when more than one comparison in twenty of the same build raises an alarm, or fewer than nineteen in twenty of the slower one do.
Anything that is told as worse is an alarm, not the time of calls alone.

Seen on ${new Date().toISOString().slice(0, 10)}, on a machine with ${processors.length} cores (${processors[0]?.model ?? 'unknown'}). The load is that of the last minute: what
is above one, all of it together, was other work on the same cores.

${sections.join('\n\n')}
`
}

function parted(trials: readonly Trial[]) {
  return {
    same: trials.filter(({ isSlower }) => !isSlower),
    slower: trials.filter(({ isSlower }) => isSlower),
  }
}

function alarmsOf(trials: readonly Trial[]): number {
  return trials.filter(({ isAlarm }) => isAlarm).length
}

function percent(value: number | null): string {
  return value === null ? '–' : `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(1)} %`
}

/** Smallest, middle and largest. */
function spreadOf(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)
  return `${at(0)} to ${at(1)}, ${at(0.5)} in the middle`
}
