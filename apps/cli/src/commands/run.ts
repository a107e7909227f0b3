import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jsonOption } from '../arguments/command-line.ts'
import { checkOptions } from '../check/check-options.ts'
import { collectResults } from '../harness/collect-results.ts'
import { prepareCommand } from '../harness/prepare-command.ts'
import { runCommand } from '../harness/run-command.ts'
import { findRunOrigin } from '../origin/run-origin.ts'
import { uploadAll } from '../upload/upload-all.ts'
import { uploadOptions } from '../upload/upload-options.ts'
import { UsageError } from '../usage-error.ts'
import { judge } from './check.ts'
import type { Command, CommandContext } from './command.ts'

export const run: Command = {
  name: 'run',
  summary: 'Run a benchmark command, upload what it measured, and check it.',
  details:
    'The command comes after --. What it prints is passed on. Uploaded is what --results names, else the folder of CODSPEED_PROFILE_FOLDER, else what the harness wrote, else what the command printed. hyperfine, pytest-benchmark and Vitest are given the option that makes them write, unless it is there; Google Benchmark gets BENCHMARK_OUT. Exit codes: that of the command when it is not 0, and nothing is uploaded then; 1 when --check fails; else as everywhere.',
  positionals: ['-- command…'],
  options: [
    {
      name: 'results',
      value: '<file>',
      isRepeatable: true,
      description: 'File, folder or pattern that the command writes results to.',
    },
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
    // Before anything is measured: who may not upload learns it at once.
    context.client()
    const folder = await mkdtemp(join(tmpdir(), 'flamegate-run-'))
    try {
      return await measure(context, [program, ...args], folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function measure(
  context: CommandContext,
  command: readonly [string, ...string[]],
  folder: string,
): Promise<number> {
  const { line, terminal } = context
  const { cwd, env } = terminal
  const prepared = prepareCommand(command, { folder, cwd, env })
  const startedAtMs = Date.now()
  const ran = await runCommand(prepared.command, {
    cwd,
    env: { ...env, ...prepared.env },
    passOn: (bytes) => terminal.passOn(bytes),
  })
  if (ran.exitCode !== 0) {
    terminal.writeError(`The command ended with ${ran.exitCode}: nothing was uploaded.\n`)
    return ran.exitCode
  }
  const files = await collectResults({
    cwd,
    startedAtMs,
    asked: line.list('results') ?? [],
    expected: prepared.files,
    profileFolder: env['CODSPEED_PROFILE_FOLDER'] || undefined,
    stdout: ran.stdout,
  })
  const origin = await findRunOrigin({ env, cwd, commitHash: line.text('commit') })
  const made = await uploadAll(context, files, { origin, command: prepared.program })
  if (line.flag('check') !== true || made === undefined) return 0
  return judge(context, origin, { runId: made.run_id })
}
