import { judgeTurns, turnsLooks, type McpReport, type TurnsJudgement } from '@flamegate/mcp-profiling'
import type { CommandLine, Option } from '../../arguments/command-line.ts'
import type { CommandContext } from '../../commands/command.ts'
import type { MeasuredInTurns } from '../report/store-report.ts'
import { concurrentMax, countOf, durationMsOf, latencyMsOf, shareOf } from '../options.ts'
import { inTurns } from './in-turns.ts'
import { measureTurns } from './measure-turns.ts'
import type { Side } from './side.ts'

/** How two servers are measured in turns. */
export const turnsOptions: readonly Option[] = [
  {
    name: 'threshold',
    value: '<share>',
    description: 'Changes smaller than this do not count; 5% when left out.',
  },
  { name: 'concurrent', value: '<n>', description: 'Calls at a time; 1 when left out.' },
  {
    name: 'blocks',
    value: '<n>',
    description: 'Pairs of blocks at most, from 10; 40 when left out. It ends sooner when it is sure.',
  },
  {
    name: 'block-time',
    value: '<time>',
    description: 'Of each block, such as 500ms; 1s when left out. Longer where a server is slow to start.',
  },
  {
    name: 'duration',
    value: '<time>',
    description: 'No pair begins after it, such as 5m; when left out, only --blocks is the end.',
  },
]

/** What of it the command line says. */
interface TurnsSettings {
  thresholdPercent: number
  concurrent: number
  pairsMax: number
  blockMs: number
  durationMs: number
}

const pairsMost = 10_000

/** @throws UsageError */
function turnsSettingsOf(line: CommandLine): TurnsSettings {
  return {
    thresholdPercent: 100 * (shareOf(line, 'threshold') ?? 0.05),
    concurrent: countOf(line, 'concurrent', concurrentMax) ?? 1,
    pairsMax: countOf(line, 'blocks', pairsMost, turnsLooks.first) ?? 40,
    blockMs: latencyMsOf(line, 'block-time') ?? 1000,
    durationMs: line.text('duration') === undefined ? Infinity : durationMsOf(line, 'duration', ''),
  }
}

/** Compares two servers by measuring them in turns: until it is sure, or there are as many pairs as may be. */
export type CompareInTurns = (
  sides: readonly [Omit<Side, 'asked'>, Omit<Side, 'asked'>],
  what: string,
) => Promise<MeasuredInTurns>

/**
 * Hands `use` what compares two servers as the command line has it.
 * @throws UsageError, CouldNotMeasure
 */
export function comparingInTurns<T>(
  context: CommandContext,
  command: string,
  use: (
    compare: CompareInTurns,
    settings: Pick<TurnsSettings, 'concurrent' | 'thresholdPercent'> & { interruption: AbortSignal },
  ) => Promise<T>,
): Promise<T> {
  return inTurns(context, command, async ({ asked, options, requireAllowed, progress: progressOf }) => {
    const settings = turnsSettingsOf(context.line)
    const { thresholdPercent, concurrent, pairsMax, blockMs, durationMs } = settings
    const judge = ([base, head]: readonly [McpReport, McpReport], isLast: boolean) =>
      judgeTurns(base, head, { thresholdPercent, isLast })
    const compare: CompareInTurns = async ([base, head], what) => {
      for (const { target } of [base, head]) await requireAllowed(target)
      const endAtMs = performance.now() + durationMs
      const progress = progressOf(what)
      let judged: TurnsJudgement | undefined
      try {
        const sides = [
          { ...base, asked },
          { ...head, asked },
        ] as const
        const reports = await measureTurns(sides, {
          ...options,
          blockMs,
          onProgress: (pair) => progress.say(`pair ${pair} of up to ${pairsMax}`),
          isEnough(pairs, soFar) {
            const isLast = pairs >= pairsMax || performance.now() >= endAtMs
            if (isLast || isLook(pairs)) judged = judge(soFar(), isLast)
            return isLast || judged?.isDecided === true
          },
        })
        return { comparison: (judged ?? judge(reports, true)).comparison, reports }
      } finally {
        progress.end()
      }
    }
    return use(compare, { concurrent, thresholdPercent, interruption: options.interruption })
  })
}

function isLook(pairs: number): boolean {
  return pairs >= turnsLooks.first && (pairs - turnsLooks.first) % turnsLooks.every === 0
}
