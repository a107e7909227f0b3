import type { McpReport } from '../report.ts'
import { errors, errorsUnderConcurrency } from './error-rules.ts'
import type { Diagnosis, FindingRule, RuleAnswer } from './finding.ts'
import { diagnosisKinds, type DiagnosisKind } from './kinds.ts'
import {
  bimodalLatency,
  blockingCall,
  growsWithInput,
  networkShare,
  slowOperation,
  waiting,
} from './latency-rules.ts'
import { memoryLeak } from './memory-rules.ts'
import { concurrencyLimit, databaseCalls, largeResult, largeToolsList } from './other-rules.ts'
import { performanceScore } from './performance-score.ts'
import { eventLoopBlocked, gcPressure, hotFunction, processorSaturated } from './processor-rules.ts'

const rules: readonly [FindingRule, (report: McpReport) => RuleAnswer][] = [
  ['hot_function', hotFunction],
  ['event_loop_blocked', eventLoopBlocked],
  ['processor_saturated', processorSaturated],
  ['memory_leak', memoryLeak],
  ['gc_pressure', gcPressure],
  ['slow_operation', slowOperation],
  ['bimodal_latency', bimodalLatency],
  ['grows_with_input', growsWithInput],
  ['errors', errors],
  ['errors_under_concurrency', errorsUnderConcurrency],
  ['large_tools_list', largeToolsList],
  ['large_result', largeResult],
  ['blocking_call', blockingCall],
  ['waiting', waiting],
  ['database_calls', databaseCalls],
  ['network_share', networkShare],
  ['concurrency_limit', concurrencyLimit],
]

const urgency = { high: 0, medium: 1, low: 2 }

/**
 * What is wrong with a server, as far as one report tells: every rule is asked, and says what it saw, or why it could see nothing.
 * @param kinds asks only the rules that tell these; all when left out
 */
export function diagnoseReport(report: McpReport, kinds?: readonly DiagnosisKind[]): Diagnosis {
  const asked = kinds?.flatMap((kind): readonly FindingRule[] => diagnosisKinds[kind])
  const answers = rules
    .filter(([rule]) => asked === undefined || asked.includes(rule))
    .map(([rule, ask]) => ({ rule, answer: ask(report) }))
  const findings = answers
    .flatMap(({ answer }) => (Array.isArray(answer) ? answer : []))
    .toSorted(
      (a, b) => urgency[a.priority] - urgency[b.priority] || urgency[a.confidence] - urgency[b.confidence],
    )
  const notAsked = answers.flatMap(({ rule, answer }) =>
    Array.isArray(answer) ? [] : [{ rule, reason: answer.notAsked }],
  )
  return {
    ...performanceScore(report, findings),
    findings,
    rules: answers.map(({ rule }) => rule),
    notAsked,
  }
}
