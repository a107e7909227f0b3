export type { AlertType, AlertWebhook, PerformanceAlert } from './library/alerts.ts'
export { BottleneckDetector } from './library/bottleneck-detector.ts'
export type {
  Bottleneck,
  BottleneckType,
  PerformanceDiagnosis,
  Recommendation,
} from './library/bottleneck-detector.ts'
export type { CollectOptions } from './library/collect-performance-data.ts'
export { CPUProfiler } from './library/cpu-profiler.ts'
export type { CPUProfile, CPUProfilerOptions, RunningCPUProfile } from './library/cpu-profiler.ts'
export type { HeapClass } from './library/heap-classes.ts'
export type { HotFunction } from './library/hot-functions.ts'
export { instrumentMcpServer } from './library/instrument-mcp-server.ts'
export type {
  McpInstrumentation,
  McpInstrumentOptions,
  McpServerLike,
} from './library/instrument-mcp-server.ts'
export { MemoryProfiler } from './library/memory-profiler.ts'
export type {
  LeakedObjects,
  MemoryComparison,
  MemorySnapshot,
  MemoryUsage,
} from './library/memory-profiler.ts'
export { OptimizationEngine } from './library/optimization-engine.ts'
export type {
  Improvement,
  MeasureOptions,
  OptimizationOutcome,
  OptimizationPlan,
  OptimizationResults,
  PerformanceAnalysis,
  Setting,
} from './library/optimization-engine.ts'
export type { CollectedOperation, PerformanceData } from './library/performance-data.ts'
export { PerformanceMetrics } from './library/performance-metrics.ts'
export type {
  Monitored,
  OperationReport,
  OperationStanding,
  OperationTimer,
  PerformanceReport,
  ResourceUsage,
  ResponseTimes,
  TimerOutcome,
} from './library/performance-metrics.ts'
export { PerformanceMonitor } from './library/performance-monitor.ts'
export type {
  AlertThresholds,
  MonitoredMetric,
  MonitorOptions,
  MonitorReading,
} from './library/performance-monitor.ts'
export { startProfiler } from './start-profiler.ts'
export type * from './profiler.ts'
