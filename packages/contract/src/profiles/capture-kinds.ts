/** What a capture is taken of: something that listens, a process, or a command that is run for it. */
export type CaptureTargetKind = 'url' | 'pid' | 'command'

/** What a capture measures. */
export const captureTypes = [
  'cpu',
  'heap',
  'heap_snapshot',
  'allocs',
  'goroutine',
  'mutex',
  'block',
  'threadcreate',
] as const
export type CaptureType = (typeof captureTypes)[number]

export const captureKindNames = [
  'pprof',
  'node',
  'inspect',
  'cprofile',
  'py_spy',
  'jfr',
  'perf',
  'callgrind',
] as const

/** With what a profile is captured on the side of those whose program it is. */
export type CaptureKind = (typeof captureKindNames)[number]

interface CaptureKindFacts {
  /** The program that it is for. */
  title: string
  targets: readonly CaptureTargetKind[]
  /** What it can measure; the first is the default. */
  types: readonly CaptureType[]
}

/** Each kind with what it can be aimed at and what it measures. */
export const captureKinds: Readonly<Record<CaptureKind, CaptureKindFacts>> = {
  pprof: {
    title: 'Go with net/http/pprof',
    targets: ['url'],
    types: ['cpu', 'heap', 'allocs', 'goroutine', 'mutex', 'block', 'threadcreate'],
  },
  node: { title: 'a command of Node.js', targets: ['command'], types: ['cpu', 'heap'] },
  inspect: {
    title: 'a running Node.js, by its inspector',
    targets: ['url'],
    types: ['cpu', 'heap', 'heap_snapshot'],
  },
  cprofile: { title: 'a Python script, with cProfile', targets: ['command'], types: ['cpu'] },
  py_spy: { title: 'a running Python, with py-spy', targets: ['pid', 'command'], types: ['cpu'] },
  jfr: { title: 'Java, with Flight Recorder', targets: ['pid', 'command'], types: ['cpu'] },
  perf: { title: 'any program on Linux, with perf', targets: ['pid', 'command'], types: ['cpu'] },
  callgrind: { title: 'any program, with valgrind', targets: ['command'], types: ['cpu'] },
}

/** The longest that a capture may take. */
export const longestCaptureSeconds = 3600
