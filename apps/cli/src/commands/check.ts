import { checkInput, checkOptions, formatOf } from '../check/check-options.ts'
import { checkRun, withAllBenchmarks } from '../check/checked-run.ts'
import { tellCheck } from '../check/tell-check.ts'
import { findRunOrigin, type RunOrigin } from '../origin/run-origin.ts'
import { patientClient } from '../upload/patient-client.ts'
import type { CommandBody, CommandContext } from './command.ts'

const regressedExitCode = 1

export const check: CommandBody = {
  details:
    'Without a run, the newest of this branch and repository. In GitHub Actions the report also goes into the summary of the job, and into the pull request when GITHUB_TOKEN is set. Exit codes: 0 passed, 1 a regression, or what else --fail-on names, 2 anything else: refused, wrong usage, no connection.',
  positionals: ['run'],
  options: [
    { name: 'run', value: '<id>', description: 'Run to judge: its id, a branch, or latest.' },
    { name: 'repository', value: '<text>', description: 'owner/name, or the id of the project (prj_…).' },
    ...checkOptions,
  ],
  errorExitCode: 2,
  async run(context) {
    const { line, terminal } = context
    const given = line.text('run') ?? line.positionals[0]
    const origin = await findRunOrigin({ env: terminal.env, cwd: terminal.cwd })
    const repository =
      line.text('repository') ?? (terminal.env['FLAMEGATE_PROJECT'] || undefined) ?? origin.repository
    const runId = given ?? origin.branch ?? 'latest'
    // An id needs no place to be looked for.
    return judge(context, origin, runId.startsWith('run_') ? { runId } : { runId, repository })
  },
}

/** Judges a run and tells it. @returns the exit code */
export async function judge(
  { line, terminal, client }: CommandContext,
  { pullRequest }: RunOrigin,
  run: { runId: string; repository?: string | undefined; baseRunId?: string | undefined },
): Promise<number> {
  const format = formatOf(line)
  const input = checkInput(line, run)
  const patient = patientClient(client(), terminal)
  const answer = await checkRun(patient, input, (ms) => terminal.pause(ms))
  const checked =
    format === 'junit'
      ? await withAllBenchmarks(patient, answer, input)
      : { answer, benchmarks: answer.failures }
  await tellCheck(terminal, checked, { format, output: line.text('output'), pullRequest })
  return answer.passed ? 0 : regressedExitCode
}
