import { diagnoseReport } from '@flamegate/mcp-profiling/judgement'
import type { Finding } from '@flamegate/mcp-profiling/judgement'
import { collectPerformanceData } from './collect-performance-data.ts'
import type { CollectOptions } from './collect-performance-data.ts'
import type { PerformanceData } from './performance-data.ts'
import { metricsOf } from './performance-metrics.ts'
import type { Monitored } from './performance-metrics.ts'
import { reportOf } from './performance-report.ts'

/** What runs short. */
export type BottleneckType = 'cpu' | 'memory' | 'io' | 'other'

/** What a rule saw. The rules and their thresholds are those of `mcp-profiler diagnose`. */
export interface Bottleneck {
  type: BottleneckType
  /** Such as `hot_function` or `memory_leak`. */
  rule: string
  /** One sentence. */
  title: string
  /** The operation or function that it is about; null of the whole. */
  subject: string | null
  /** What was measured, and against which threshold; `unit` is empty where the value has none. */
  evidence: { name: string; value: number | string; unit: string }[]
  confidence: 'high' | 'medium' | 'low'
  priority: 'high' | 'medium' | 'low'
  suggestion: string
}

export interface Recommendation {
  type: BottleneckType
  priority: 'high' | 'medium' | 'low'
  /** What was seen. */
  description: string
  /** What to do about it. */
  actions: string[]
}

/** All that can be said of one collection. */
export interface PerformanceDiagnosis {
  /** 0 to 100, of the program compared with itself; null when nothing was called. */
  performanceScore: number | null
  bottlenecks: Bottleneck[]
  /** Rules that could not be asked, and why. */
  notAsked: { rule: string; reason: string }[]
}

/** Finds out what slows a program, by rules over what was measured of it. */
export class BottleneckDetector {
  /** Watches the program while it is used: makes no load of its own. */
  collectData(mcp: Monitored, options: CollectOptions = {}): Promise<PerformanceData> {
    return collectPerformanceData(metricsOf(mcp), options)
  }

  /** The most urgent first; none when no rule saw anything. */
  detectBottlenecks(data: PerformanceData): Bottleneck[] {
    return this.diagnose(data).bottlenecks
  }

  diagnose(data: PerformanceData): PerformanceDiagnosis {
    const { performanceScore, findings, notAsked } = diagnoseReport(reportOf(data))
    return { performanceScore, bottlenecks: findings.map(bottleneckOf), notAsked }
  }

  /** One for each, in the same order. */
  generateSuggestions(bottlenecks: readonly Bottleneck[]): Recommendation[] {
    return bottlenecks.map(({ type, priority, title, subject, suggestion }) => ({
      type,
      priority,
      description: title,
      actions: subject === null ? [suggestion] : [suggestion, `Begin at ${subject}.`],
    }))
  }
}

/** A program's clients give their own arguments, of which the rule knows nothing. */
function bottleneckOf(finding: Finding): Bottleneck {
  return finding.rule === 'errors'
    ? { ...finding, suggestion: 'Read the message, and look which calls it comes with.' }
    : finding
}
