/** Monitors of what is under load: what is collected, and what becomes of its values. Nothing here connects to anything. */
export { alarmsOf, type MonitorAlarm } from './alarms.ts'
export { counterMatcher } from './counter-name.ts'
export {
  byMinute,
  chunkSeconds,
  type CounterValues,
  decodeChunk,
  encodeChunk,
  mergeValues,
  type MonitorValues,
} from './counter-values.ts'
export {
  countersMax,
  monitor,
  type Monitor,
  type MonitorThreshold,
  type MonitorType,
  monitorTypes,
} from './monitor.ts'
