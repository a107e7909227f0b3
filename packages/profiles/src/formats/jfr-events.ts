import type { SampleType } from '../profile.ts'

/** The sample types that there may be, in the order in which a profile has them. */
export const sampleTypes = [
  { type: 'samples', unit: 'count' },
  { type: 'cpu', unit: 'nanoseconds' },
  { type: 'wall_samples', unit: 'count' },
  { type: 'wall', unit: 'nanoseconds' },
  { type: 'native_samples', unit: 'count' },
  { type: 'alloc_objects', unit: 'count' },
  { type: 'alloc_space', unit: 'bytes' },
  { type: 'inuse_objects', unit: 'count' },
  { type: 'inuse_space', unit: 'bytes' },
  { type: 'malloc_objects', unit: 'count' },
  { type: 'malloc_space', unit: 'bytes' },
  { type: 'lock_count', unit: 'count' },
  { type: 'lock_delay', unit: 'nanoseconds' },
  { type: 'wait_count', unit: 'count' },
  { type: 'wait_delay', unit: 'nanoseconds' },
  { type: 'park_count', unit: 'count' },
  { type: 'park_delay', unit: 'nanoseconds' },
  { type: 'sleep_count', unit: 'count' },
  { type: 'sleep_delay', unit: 'nanoseconds' },
  { type: 'socket_count', unit: 'count' },
  { type: 'socket_delay', unit: 'nanoseconds' },
  { type: 'socket_bytes', unit: 'bytes' },
  { type: 'file_count', unit: 'count' },
  { type: 'file_delay', unit: 'nanoseconds' },
  { type: 'file_bytes', unit: 'bytes' },
  { type: 'gc_count', unit: 'count' },
  { type: 'gc_pause', unit: 'nanoseconds' },
] as const satisfies SampleType[]

export type JfrSampleType = (typeof sampleTypes)[number]['type']

/** What an event is in a profile. */
export interface JfrEventKind {
  /** Counts the events. */
  count: JfrSampleType
  /** Stands for the time between two samples, on a processor or on the wall clock: see `JfrSampling`. */
  isTimeSample?: boolean
  /** The field that tells for how many samples of a wall clock an event stands. */
  samplesField?: string
  /** They are of threads that slept; else the state tells. */
  isAsleep?: boolean
  /** What else is added up, and the field that has it. */
  amounts?: readonly (readonly [type: JfrSampleType, field: string])[]
  /** The field whose class becomes the label `class`. */
  classField?: string
  /** The events of another kind tell the same, and better: with them, these are left out. */
  unlessThere?: string
}

const allocation = { count: 'alloc_objects', classField: 'objectClass' } as const
const socket = { count: 'socket_count' } as const
const file = { count: 'file_count' } as const
const socketDelay = ['socket_delay', 'duration'] as const
const fileDelay = ['file_delay', 'duration'] as const

/** The events that are read, by the names of their classes. */
export const eventKinds: ReadonlyMap<string, JfrEventKind> = new Map<string, JfrEventKind>([
  ['jdk.ExecutionSample', { count: 'samples', isTimeSample: true, unlessThere: 'jdk.CPUTimeSample' }],
  ['jdk.CPUTimeSample', { count: 'samples', amounts: [['cpu', 'samplingPeriod']] }],
  ['profiler.WallClockSample', { count: 'wall_samples', isTimeSample: true, samplesField: 'samples' }],
  // Of the async-profiler in IntelliJ IDEA.
  [
    'profiler.WallClockSleeping',
    { count: 'wall_samples', isTimeSample: true, samplesField: 'samplesCount', isAsleep: true },
  ],
  ['jdk.NativeMethodSample', { count: 'native_samples' }],
  ['jdk.ObjectAllocationInNewTLAB', { ...allocation, amounts: [['alloc_space', 'tlabSize']] }],
  ['jdk.ObjectAllocationOutsideTLAB', { ...allocation, amounts: [['alloc_space', 'allocationSize']] }],
  [
    'jdk.ObjectAllocationSample',
    { ...allocation, amounts: [['alloc_space', 'weight']], unlessThere: 'jdk.ObjectAllocationInNewTLAB' },
  ],
  [
    'profiler.LiveObject',
    { count: 'inuse_objects', amounts: [['inuse_space', 'allocationSize']], classField: 'objectClass' },
  ],
  ['profiler.Malloc', { count: 'malloc_objects', amounts: [['malloc_space', 'size']] }],
  [
    'jdk.JavaMonitorEnter',
    { count: 'lock_count', amounts: [['lock_delay', 'duration']], classField: 'monitorClass' },
  ],
  [
    'jdk.JavaMonitorWait',
    { count: 'wait_count', amounts: [['wait_delay', 'duration']], classField: 'monitorClass' },
  ],
  [
    'jdk.ThreadPark',
    { count: 'park_count', amounts: [['park_delay', 'duration']], classField: 'parkedClass' },
  ],
  ['jdk.ThreadSleep', { count: 'sleep_count', amounts: [['sleep_delay', 'duration']] }],
  ['jdk.SocketRead', { ...socket, amounts: [socketDelay, ['socket_bytes', 'bytesRead']] }],
  ['jdk.SocketWrite', { ...socket, amounts: [socketDelay, ['socket_bytes', 'bytesWritten']] }],
  ['jdk.FileRead', { ...file, amounts: [fileDelay, ['file_bytes', 'bytesRead']] }],
  ['jdk.FileWrite', { ...file, amounts: [fileDelay, ['file_bytes', 'bytesWritten']] }],
  ['jdk.FileForce', { ...file, amounts: [fileDelay] }],
  ['jdk.GarbageCollection', { count: 'gc_count', amounts: [['gc_pause', 'sumOfPauses']] }],
  [
    'jdk.GCPhasePause',
    { count: 'gc_count', amounts: [['gc_pause', 'duration']], unlessThere: 'jdk.GarbageCollection' },
  ],
])

const nanosPerUnit: Readonly<Record<string, number>> = {
  NANOSECONDS: 1,
  MICROSECONDS: 1e3,
  MILLISECONDS: 1e6,
  SECONDS: 1e9,
}

/** Whole nanoseconds of a duration, as the JDK's own reader has them. */
export function durationNanos(value: number, unit: string, ticksPerNano: number): number {
  return Math.trunc(unit === 'TICKS' ? value / ticksPerNano : value * (nanosPerUnit[unit] ?? 1))
}

export function unitOf(type: JfrSampleType): string {
  return sampleTypes.find((sampleType) => sampleType.type === type)!.unit
}
