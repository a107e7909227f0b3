import type { CommandLine, Option } from '../arguments/command-line.ts'
import { UsageError } from '../usage-error.ts'

/** In how many processes is measured, and against which base. */
export interface RepeatPlan {
  repeat: number
  /** Where the base is, or is to be checked out from. */
  base: { folder: string } | { ref: string; setup: string | undefined } | undefined
}

/**
 * So many pairs tell 10 % nearly always on a machine that others share, and half as many do not: see
 * docs/decisions/0018-pairs-of-processes.md.
 */
const repeatOfPairs = 10
const repeatMax = 100

export const repeatOptions: readonly Option[] = [
  {
    name: 'repeat',
    value: '<number>',
    description: `Measure in so many processes, one after the other: results then know how much these differ. Default 1; ${repeatOfPairs} with a base.`,
  },
  {
    name: 'base-dir',
    value: '<folder>',
    description:
      'A checkout of the base, ready to be measured: the command runs there and here in turns, and two runs are uploaded, of which --check compares the pairs of processes.',
  },
  {
    name: 'base-ref',
    value: '<ref>',
    description:
      'The same with a temporary git worktree of the commit at which HEAD left this ref, such as origin/main.',
  },
  {
    name: 'setup',
    value: '<command>',
    description: 'With --base-ref: what the shell does there first, such as "npm ci".',
  },
]

/** @throws UsageError */
export function repeatPlan(line: CommandLine): RepeatPlan {
  const [folder, ref, setup] = [line.text('base-dir'), line.text('base-ref'), line.text('setup')]
  if (folder !== undefined && ref !== undefined) {
    throw new UsageError('Give --base-dir or --base-ref, but not both.')
  }
  if (setup !== undefined && ref === undefined) {
    throw new UsageError('--setup prepares the checkout of --base-ref, which is missing.')
  }
  const base = folder === undefined ? (ref === undefined ? undefined : { ref, setup }) : { folder }
  if (base !== undefined && line.text('base') !== undefined) {
    throw new UsageError(
      '--base names another run to judge against than the base that is measured: leave it out.',
    )
  }
  const repeat = Number(line.text('repeat') ?? (base === undefined ? 1 : repeatOfPairs))
  if (!Number.isInteger(repeat) || repeat < 1 || repeat > repeatMax) {
    throw new UsageError(`--repeat is a whole number from 1 to ${repeatMax}.`)
  }
  return { repeat, base }
}
