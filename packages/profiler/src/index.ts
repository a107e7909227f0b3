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
export { PerformanceMetrics } from './library/performance-metrics.ts'
export type {
  OperationReport,
  OperationTimer,
  PerformanceReport,
  ResourceUsage,
  ResponseTimes,
  TimerOutcome,
} from './library/performance-metrics.ts'
export { PerformanceMonitor } from './library/performance-monitor.ts'
export type {
  AlertThresholds,
  AlertType,
  Monitored,
  MonitoredMetric,
  MonitorOptions,
  MonitorReading,
  PerformanceAlert,
} from './library/performance-monitor.ts'
export { startProfiler } from './start-profiler.ts'
export type * from './profiler.ts'
