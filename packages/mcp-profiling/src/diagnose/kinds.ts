import type { FindingRule } from './finding.ts'

/** What may be wrong with a server, and which rules tell it. */
export const diagnosisKinds = {
  cpu: [
    'hot_function',
    'event_loop_blocked',
    'processor_saturated',
    'grows_with_input',
    'blocking_call',
    'database_calls',
    'gc_pressure',
  ],
  'memory-leak': ['memory_leak', 'gc_pressure'],
  'slow-response': [
    'slow_operation',
    'bimodal_latency',
    'grows_with_input',
    'blocking_call',
    'waiting',
    'network_share',
    'concurrency_limit',
    'large_tools_list',
    'large_result',
  ],
  errors: ['errors', 'errors_under_concurrency'],
} as const satisfies Record<string, readonly FindingRule[]>

export type DiagnosisKind = keyof typeof diagnosisKinds
