import { appendFile } from 'node:fs/promises'
import type { Terminal } from '../terminal.ts'
import { writeOutput } from '../write-output.ts'
import type { CheckedRun } from './checked-run.ts'
import { checkFormats, type CheckFormat } from './formats.ts'
import { CommentRefused, commentOnPullRequest } from './pull-request-comment.ts'

/**
 * Prints a check or writes it to a file, and tells GitHub where it runs there: the report goes into the summary of the
 * job, and into the pull request when there is a GITHUB_TOKEN. What GitHub refuses is said and changes nothing else.
 * @throws UsageError when the file cannot be written
 */
export async function tellCheck(
  terminal: Terminal,
  checked: CheckedRun,
  {
    format,
    output,
    pullRequest,
  }: { format: CheckFormat; output: string | undefined; pullRequest: number | undefined },
): Promise<void> {
  const { env, cwd } = terminal
  const text = checkFormats[format](checked)
  if (output === undefined) {
    terminal.writeOut(text.trimEnd())
  } else {
    await writeOutput(cwd, output, text)
    terminal.writeOut(checkFormats.text(checked).trimEnd())
  }
  const { GITHUB_STEP_SUMMARY: summary } = env
  if (summary) {
    await appendFile(summary, checkFormats.markdown(checked)).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : 'why is not known'
      terminal.writeError(`The report is not in the summary of the job: ${reason}\n`)
    })
  }
  try {
    const url = await commentOnPullRequest(env, pullRequest, checked.answer)
    if (url !== undefined) terminal.writeError(`The report is in the pull request. ${url}\n`)
  } catch (error) {
    if (!(error instanceof CommentRefused)) throw error
    terminal.writeError(`The report is not in the pull request: ${error.message}\n`)
  }
}
