/** From where on rules speak. They are in docs/mcp-profiler.md with the reasons. */
export const thresholds = {
  /** Self time of one function, as a share of all samples. */
  hotFunctionShare: 0.2,
  /** A function that is hot because calls are many, and costs each of them less than this, is none to look at. */
  hotFunctionMsPerCall: 1,
  /** Delay of the event loop at the 99th percentile. */
  eventLoopP99Ms: 50,
  eventLoopMaxMs: 200,
  /** Of the delay of what measured at the same time: that much may be the machine's. */
  eventLoopTimes: 3,
  /** Of one processor for what runs one thread, and of all processors for what runs more. */
  saturatedShare: 0.9,
  /** Below this share of it the processor is not the limit. */
  idleShare: 0.7,
  /** Samples after garbage collections, or of the resident memory. */
  leakSamplesMin: 6,
  leakHeapSamplesMin: 3,
  /** Of resident memory, from the first sample that counts to the last. */
  leakResidentMsMin: 15_000,
  /** Growth over the measurement: bytes, and share of what was there at first. */
  leakBytesMin: 4 * 2 ** 20,
  leakShareMin: 0.1,
  /** By operation: rounds, and what all but the first keep; each of these about as much for a call as the others. */
  leakRoundsMin: 3,
  leakOperationBytesMin: 2 ** 20,
  leakSteadyShare: 0.4,
  /** Of so many of these one may be otherwise. */
  leakRoundsForOneOff: 4,
  /** As much of it is still there after the last collection. */
  leakStayedShare: 0.5,
  /** That there is no trend. */
  leakPMax: 0.05,
  gcShare: 0.1,
  gcPauseMs: 100,
  /** A median so many times that of the other operations, and so long. */
  slowTimes: 5,
  slowMs: 100,
  /** The 95th percentile, whatever others take. */
  longMs: 1000,
  /** Calls that make a distribution. */
  callsMin: 50,
  /** The upper mode is so many times as long as the lower, and so much longer. */
  modesTimes: 3,
  modesMs: 5,
  /** The exponent of time over size of input, and how much longer the largest takes than the smallest. */
  growthExponent: 1.5,
  /** Between the two largest sizes. */
  growthExponentOfLargest: 1.25,
  growthMs: 20,
  errorShare: 0.01,
  /** Errors with several calls at once against those of one alone, and how probable chance is. */
  errorTimes: 3,
  errorPMax: 0.01,
  /** Fewer calls of an operation that were under way at the same time tell nothing. */
  overlappedMin: 20,
  /** Of an answer, or a list of tools, that a model has to read. */
  resultTokens: 10_000,
  toolsListTokens: 10_000,
  /** Time of one operation while another one runs, against its own alone. */
  blockedTimes: 5,
  blockedMs: 20,
  /** Calls for each of those at once make a rate; and so many times as many at once as at a knee have to be no faster. */
  sweepCallsMin: 3,
  beyondKneeMin: 3.9,
  /** Below this share of one processor a server with long answers waits for something else. */
  waitingCpuPercent: 30,
  waitingMs: 100,
  /** What lies between client and server, as a share of the latency, and in ms. */
  networkShare: 0.5,
  networkMs: 20,
} as const
