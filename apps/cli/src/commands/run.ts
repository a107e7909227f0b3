import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jsonOption } from '../arguments/command-line.ts'
import { checkOptions } from '../check/check-options.ts'
import { interruptible } from '../harness/interruption.ts'
import { measureRun, type MeasuredRun } from '../harness/measure-run.ts'
import { programOf } from '../harness/prepare-command.ts'
import { repeatOptions, repeatPlan, type RepeatPlan } from '../harness/repeat-options.ts'
import { findRunOrigin, type RunOrigin } from '../origin/run-origin.ts'
import { uploadAll } from '../upload/upload-all.ts'
import { uploadOptions } from '../upload/upload-options.ts'
import { uploadPair } from '../upload/upload-pair.ts'
import { UsageError } from '../usage-error.ts'
import { judge } from './check.ts'
import type { CommandBody, CommandContext } from './command.ts'

export const run: CommandBody = {
  details:
    'The command comes after --. What it prints is passed on. Uploaded is what --results names, else the folder of CODSPEED_PROFILE_FOLDER, else what the harness wrote, else what the command printed. hyperfine, pytest-benchmark and Vitest are given the option that makes them write, unless it is there; Google Benchmark gets BENCHMARK_OUT. Without a history to tell noise from change, measure base and head in turns: --base-ref or --base-dir. Exit codes: that of the command when it is not 0, and nothing is uploaded then; 1 when --check fails; else as everywhere.',
  positionals: ['-- command…'],
  options: [
    {
      name: 'results',
      value: '<file>',
      isRepeatable: true,
      description: 'File, folder or pattern that the command writes results to.',
    },
    ...repeatOptions,
    { name: 'check', description: 'Then judge the run, as flamegate check does.' },
    ...uploadOptions,
    ...checkOptions,
    { ...jsonOption, description: 'Print what was uploaded as JSON.' },
  ],
  async run(context) {
    const [program, ...args] = context.line.positionals
    if (program === undefined) {
      throw new UsageError('Write the command after --, such as flamegate run -- go test -bench . ./...')
    }
    const plan = repeatPlan(context.line)
    // Before anything is measured: who may not upload learns it at once.
    context.client()
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'flamegate-run-')))
    try {
      return await measureAndUpload(context, [program, ...args], plan, folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function measureAndUpload(
  context: CommandContext,
  command: readonly [string, ...string[]],
  plan: RepeatPlan,
  folder: string,
): Promise<number> {
  const { line, terminal } = context
  const measured = await interruptible((interruption) =>
    measureRun(
      { command, asked: line.list('results') ?? [], terminal, interruption, taken: new Map() },
      plan,
      { folder, baseCommit: line.text('base-commit') },
    ),
  )
  if ('exitCode' in measured) {
    terminal.writeError(`${measured.what} ended with ${measured.exitCode}: nothing was uploaded.\n`)
    return measured.exitCode
  }
  const origin = await findRunOrigin({
    env: terminal.env,
    cwd: terminal.cwd,
    commitHash: line.text('commit'),
  })
  const runs = await upload(context, measured, { origin, command: programOf(command) })
  if (line.flag('check') !== true || runs === undefined) return 0
  return judge(context, origin, runs)
}

/** @returns what there is to judge, if there were results */
async function upload(
  context: CommandContext,
  { head, base }: MeasuredRun,
  how: { origin: RunOrigin; command: string },
): Promise<{ runId: string; baseRunId?: string } | undefined> {
  if (base !== undefined) return uploadPair(context, { base, head }, how)
  const made = await uploadAll(context, head, how)
  return made && { runId: made.run_id }
}
