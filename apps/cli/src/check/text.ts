import { formatChangePercent } from '@flamegate/contract/quantity'
import type { CheckedRun } from './checked-run.ts'

const shownFailuresMax = 20

/** A check for a terminal or a log: whether it passed, what fails it and why, and where to look. */
export function renderText({ answer }: CheckedRun): string {
  const { base, head, failures, failure_count: failureCount } = answer
  if (answer.passed && answer.judged_count === 0) {
    return [
      base === null
        ? `Passed: there is no earlier run to judge ${head.id} against.`
        : `Passed: there was nothing to judge of ${head.id} against ${base.id}.`,
      ...answer.notes,
      answer.url,
      '',
    ].join('\n')
  }
  const against =
    base === null
      ? 'by thresholds alone, as there is no earlier run'
      : `against ${base.id} (${base.branch} at ${base.commit_hash.slice(0, 12)})`
  const counted = `${answer.judged_count} benchmarks of ${head.id} ${against}`
  const omitted = failureCount - Math.min(failures.length, shownFailuresMax)
  return [
    answer.passed ? `Passed: ${counted}.` : `Failed: ${failureCount} of ${counted}.`,
    ...failures.slice(0, shownFailuresMax).flatMap((failure) => {
      const change = failure.change_percent
      const by = change === null ? '' : ` by ${formatChangePercent(change)}`
      return [`  ${failure.verdict}${by}: ${failure.uri}`, `    ${failure.reason}`]
    }),
    ...(omitted > 0 ? [`  and ${omitted} more`] : []),
    ...(answer.acknowledged_count > 0
      ? [`${answer.acknowledged_count} regressions were acknowledged and do not count.`]
      : []),
    ...answer.notes,
    answer.url,
    '',
  ].join('\n')
}
