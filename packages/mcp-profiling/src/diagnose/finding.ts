export type FindingRule =
  | 'hot_function'
  | 'event_loop_blocked'
  | 'processor_saturated'
  | 'memory_leak'
  | 'gc_pressure'
  | 'slow_operation'
  | 'bimodal_latency'
  | 'grows_with_input'
  | 'errors'
  | 'errors_under_concurrency'
  | 'large_tools_list'
  | 'large_result'
  | 'blocking_call'
  | 'waiting'
  | 'database_calls'
  | 'network_share'
  | 'concurrency_limit'

/** A number that a finding rests on. */
export interface Evidence {
  name: string
  value: number | string
  /** Empty where the value has none. */
  unit: string
}

export interface Finding {
  rule: FindingRule
  /** What runs short. */
  type: 'cpu' | 'memory' | 'io' | 'other'
  /** One sentence. */
  title: string
  /** The operation or function that it is about; null of the whole. */
  subject: string | null
  /** What was measured, and against which threshold. */
  evidence: Evidence[]
  confidence: 'high' | 'medium' | 'low'
  priority: 'high' | 'medium' | 'low'
  suggestion: string
}

/** What one rule says: findings, or why it could not be asked. */
export type RuleAnswer = Finding[] | { notAsked: string }

export interface Diagnosis {
  /** 0 to 100; null when there was too little to judge. */
  performanceScore: number | null
  /** What was taken off, and why. */
  scoreParts: { name: string; points: number }[]
  /** The most urgent first. */
  findings: Finding[]
  /** All that are about what was wanted. */
  rules: FindingRule[]
  /** Those that could not be asked, and why. */
  notAsked: { rule: FindingRule; reason: string }[]
}
