import { seenOn, table } from './page.ts'
import type { TrialOutcome } from './trial.ts'
import type { Truth } from './truth.ts'

interface FaultsOutcome {
  loadBefore: number
  clientCount: number
  tenantCount: number
  balancer: string
  skipped: readonly string[]
  outcomes: readonly TrialOutcome[]
  /** In the end, of everything that was acknowledged. */
  lost: readonly string[]
  truth: Truth
}

/** For a terminal. */
export function outcomeText(outcome: TrialOutcome): string {
  const { title, wrong, failures, lost } = outcome
  return [
    `${wrong.length === 0 ? 'RIGHT' : 'WRONG'}: ${title}`,
    `  ${measured(outcome)}`,
    ...wrong.map((words) => `  WRONG ${words}`),
    ...lost.map((words) => `  LOST ${words}`),
    ...failures.map((words) => `  failed: ${words.slice(0, 300)}`),
  ].join('\n')
}

/** What the page tells, and what is not as it must be. */
export function faultLines(all: FaultsOutcome): { lines: string[]; wrong: string[] } {
  const { outcomes, skipped, lost, truth } = all
  const wrong = outcomes.flatMap((outcome) => outcome.wrong.map((words) => `${outcome.title}: ${words}`))
  if (lost.length > 0)
    wrong.push(`In the end ${lost.length} acknowledged writes are not as they were acknowledged.`)
  if (truth.duplicates > 0) wrong.push(`${truth.duplicates} writes were done more than once.`)
  if (truth.openJobs > 0) wrong.push(`${truth.openJobs} jobs have not ended.`)
  if (truth.unjudged > 0) wrong.push(`${truth.unjudged} runs were not judged.`)
  if (truth.openLoadTests > 0) wrong.push(`${truth.openLoadTests} load tests have not ended.`)
  const acknowledged = outcomes.reduce((sum, each) => sum + each.acknowledged, 0)
  const lines = [
    seenOn(all.loadBefore),
    '',
    `${all.clientCount} clients of ${all.tenantCount} workspaces, behind ${all.balancer}, with access tokens that live for 30 seconds.`,
    '',
    ...table(
      ['fault', 'promise', 'measured', 'holds'],
      outcomes.map((outcome) => [
        outcome.title,
        outcome.promise,
        measured(outcome),
        outcome.wrong.length === 0 ? 'yes' : '**no**',
      ]),
    ),
    ...skipped.map((what) => `\nSkipped: ${what}.`),
    '',
    `In the end ${acknowledged} acknowledged writes were read back by their clients: ${lost.length} were not as they were acknowledged. ` +
      `In the database ${truth.duplicates} were there more than once, ${truth.openJobs} of their jobs had not ended, and ${truth.unjudged} of their runs were not judged. ` +
      `Of ${truth.unknown} writes whose answer never came ${truth.unknownDone} had been done, none of them twice. ${truth.openLoadTests} load tests had not ended.`,
    ...wrong.map((words) => `\n**Wrong:** ${words}`),
  ]
  return { lines, wrong }
}

function measured(outcome: TrialOutcome): string {
  const {
    failedCount,
    callCount,
    lastedSeconds,
    recoveredAfterSeconds,
    acknowledged,
    lost,
    loggedOut,
    sentToBrowser,
    loadTest,
  } = outcome
  const failed =
    failedCount === 0
      ? `all ${callCount} calls answered`
      : `${failedCount} of ${callCount} calls failed, the last one ${recoveredAfterSeconds.toFixed(1)} s after its end`
  const browser =
    sentToBrowser === 0 ? '' : ` (the SDK of ${sentToBrowser} would have opened a browser meanwhile)`
  return (
    `In ${lastedSeconds.toFixed(0)} s of it ${failed}; ${lost.length} of ${acknowledged} acknowledged writes lost; ` +
    `${loggedOut} clients logged out${browser}; the load test: ${loadTest}`
  )
}
