import { z } from 'zod'

/**
 * What one measurement of an MCP server found: what `mcp-profiler` writes to a file, compares, prints and uploads. One
 * format for every command; what a command did not measure is null or empty, never left out.
 */

const count = z.int().min(0)
const milliseconds = z.number().min(0)

/** HdrHistogram slots of whole microseconds, as in @flamegate/series: rising slots, and how often each was. */
const histogram = z.object({ slots: z.array(count), counts: z.array(count) })

/**
 * Why an operation failed: `json_rpc` an error answer of the protocol, `is_error` a tool that says it failed,
 * `timeout` no answer in time, `http` an HTTP status that is no answer, `transport` a broken connection or an answer that
 * is none of JSON-RPC, `ended` the process of the server ended.
 */
export const mcpErrorKinds = ['json_rpc', 'is_error', 'timeout', 'http', 'transport', 'ended'] as const

const failure = z.object({
  kind: z.enum(mcpErrorKinds),
  /** JSON-RPC code or HTTP status; null where there is none. */
  code: z.int().nullable(),
  count,
  /** Of the first one, cut at 300 characters. */
  message: z.string(),
})

/** What was asked of the server again and again: a method, and for `tools/call` the tool. */
const operation = z.object({
  method: z.string(),
  /** Tool, resource URI or prompt; null of methods that have none. */
  name: z.string().nullable(),
  /** All calls, failed ones too. */
  calls: count,
  failures: z.array(failure),
  /** Calls that came to an answer, right or wrong: from sending to the whole answer; of the open model from the intended start. */
  latency: histogram,
  /** From sending, whatever the model; equal to `latency` in the closed one. */
  serviceTime: histogram,
  /** Until the first event of an answer that is a stream; empty where none was. */
  firstEvent: histogram,
  /** That the server itself reported (Server-Timing, or `_meta`); empty where it does not. */
  serverTime: histogram,
  requestBytes: z.object({ mean: z.number(), max: count }),
  resultBytes: z.object({ mean: z.number(), max: count }),
  /** Estimated tokens of the result for a model; null where nothing was answered. */
  resultTokens: z.object({ mean: z.number(), max: count }).nullable(),
  /** Mean service time in ms of each block, in the order of time: what comparisons are made of. Null where no call ended well. */
  blockMeansMs: z.array(z.number().nullable()),
  /**
   * Service time by the size of the request, where calls of several sizes were made on purpose; smallest first. A quarter of the
   * calls took no longer than `lowerQuartileMs`, which what else runs on the machine moves least. Where the system tells how long
   * the server had to wait for a processor, that is not in it.
   */
  bySize: z.array(z.object({ requestBytes: count, calls: count, lowerQuartileMs: milliseconds })).optional(),
  /** Rounds in which nothing else was called, one call after the other, where that was tried: what they used of the server. */
  byItself: z
    .array(
      z.object({
        calls: count,
        /** Of the processors; null where the processes were not seen. */
        cpuMs: milliseconds.nullable(),
        /** Waited for a processor that had other work. */
        queuedMs: milliseconds.optional(),
        /** More of the heap is in use than before, each after a garbage collection; null where that was not seen. */
        keptBytes: z.number().nullable(),
      }),
    )
    .optional(),
})

const resourceSample = z.object({
  /** Since the load began; negative before it. */
  atMs: z.number(),
  /** Of one processor: 100 is one that is busy all the time. */
  cpuPercent: z.number().min(0),
  /**
   * Of one processor too: they, or what measures them, were ready to run while the processors had other work. Left out where the
   * system does not tell.
   */
  queuedPercent: z.number().min(0).optional(),
  rssBytes: count,
  /** Since the process began; null where the system does not tell. */
  readBytes: count.nullable(),
  writeBytes: count.nullable(),
  processes: count,
  threads: count.nullable(),
  openFiles: count.nullable(),
})

const inside = z.object({
  runtime: z.enum(['node', 'python', 'java', 'go', 'rust', 'other']),
  /** Node: `heapUsedBytes` at each sample of the heap, after a garbage collection where `isAfterGc`. */
  heap: z.array(z.object({ atMs: z.number(), heapUsedBytes: count, isAfterGc: z.boolean() })),
  /** Null where garbage collection was not watched. */
  gc: z
    .object({
      count,
      totalMs: milliseconds,
      maxMs: milliseconds,
      /** Of the time that was measured, 0 to 1. */
      share: z.number(),
      byKind: z.record(z.string(), z.object({ count, totalMs: milliseconds })),
      /** The longest ones, at most 100. */
      events: z.array(z.object({ atMs: z.number(), durationMs: milliseconds, kind: z.string() })),
    })
    .nullable(),
  /**
   * Null where it was not watched. `control` is that of what measured, at the same time: for so much the machine is to blame, when it
   * has other work.
   */
  eventLoopDelay: z
    .object({
      meanMs: milliseconds,
      p99Ms: milliseconds,
      maxMs: milliseconds,
      control: z.object({ p99Ms: milliseconds, maxMs: milliseconds }).optional(),
    })
    .nullable(),
  /** The functions with most self time in a CPU profile, at most 50. */
  hotFunctions: z.array(
    z.object({
      name: z.string(),
      /** `file:line`; empty where unknown. */
      place: z.string(),
      selfShare: z.number(),
      totalShare: z.number(),
      selfMs: milliseconds,
    }),
  ),
  /** Stacks in which the program was for a large part of the time, largest first; outermost functions first. */
  hotPaths: z.array(z.object({ functions: z.array(z.string()), share: z.number() })).optional(),
  /** Classes or places of which more and more is kept, largest growth first, at most 50. */
  growth: z.array(z.object({ name: z.string(), place: z.string(), bytes: z.number(), count: z.number() })),
  /** Classes in each heap snapshot, in the order of time: those that grew most, or the largest; at most 50. */
  classes: z
    .array(
      z.object({
        name: z.string(),
        objects: z.array(count),
        shallowBytes: z.array(count),
        /** That would be freed with all of them. */
        retainedBytes: z.array(count),
      }),
    )
    .optional(),
  /** The functions that allocated most by themselves, given back or not, by samples; at most 50. */
  allocations: z
    .array(z.object({ name: z.string(), place: z.string(), bytes: z.number(), share: z.number() }))
    .optional(),
  /** Marks and measures that the program made with perf_hooks; of marks the times are 0. */
  measures: z
    .array(z.object({ name: z.string(), count, totalMs: milliseconds, maxMs: milliseconds }))
    .optional(),
})

/** One call, in the order of what happens. Moments count from when it should have begun. */
const tracedCall = z.object({
  /** Title of the operation. */
  operation: z.string(),
  /** Since the load began. */
  atMs: z.number(),
  /** Until it was sent: for other calls, or for a connection. */
  waitMs: milliseconds,
  /** From there until the system had taken all of it. */
  sendMs: milliseconds.nullable(),
  /** From there until the first byte of the answer. */
  firstByteMs: milliseconds.nullable(),
  /** From there until its end. */
  receiveMs: milliseconds.nullable(),
  /** All of it. */
  totalMs: milliseconds,
  /** That the server itself reported. */
  serverMs: milliseconds.nullable(),
  requestBytes: count,
  resultBytes: count,
  /** Kind and code; null of a call that ended well. */
  failure: z.string().nullable(),
})

export const mcpReport = z.object({
  type: z.literal('mcp_profiler_report'),
  version: z.literal(1),
  /** `profile`, `load-test` …: the command that measured. */
  command: z.string(),
  /** UTC, ISO 8601. */
  startedAt: z.iso.datetime(),
  durationMs: milliseconds,
  target: z.object({
    /** As `--mcp` named it, or made of the command or URL. */
    name: z.string(),
    transport: z.enum(['stdio', 'streamable_http', 'sse']),
    /** Without its environment; null of a URL. */
    command: z.array(z.string()).nullable(),
    /** Without credentials; null of a command. */
    url: z.string().nullable(),
    /** What it says of itself; null when it did not come to that. */
    server: z.object({ name: z.string(), version: z.string(), protocolVersion: z.string() }).nullable(),
    /** Given by `--label`: a version or a commit, for `compare`. */
    label: z.string().nullable(),
  }),
  machine: z.object({
    os: z.string(),
    arch: z.string(),
    cpuModel: z.string(),
    cpuCount: count,
    memoryBytes: count,
    runtime: z.string(),
  }),
  /** How long it takes to be there at all, each once and in order; null where it does not apply. */
  connection: z.object({
    processStartMs: milliseconds.nullable(),
    oauthMs: milliseconds.nullable(),
    initializeMs: milliseconds.nullable(),
    toolsListMs: milliseconds.nullable(),
    toolsListBytes: count.nullable(),
    toolsListTokens: count.nullable(),
    tools: count.nullable(),
  }),
  /** Null of a command that makes no load. */
  load: z
    .object({
      model: z.enum(['closed', 'open']),
      concurrent: count,
      /** Asked for, per second; null in the closed model. */
      targetRps: z.number().nullable(),
      rampUpMs: milliseconds,
      durationMs: milliseconds,
      /** Calls that began. */
      started: count,
      /** That came to an answer, right or wrong. */
      ended: count,
      requestsPerSecond: z.number(),
      /** Of the best whole second. */
      peakRequestsPerSecond: z.number(),
      /** Answers that ended in each whole second. */
      perSecond: z.array(count),
      errorRate: z.number(),
      /** What measured was itself too slow: its numbers are not the server's. */
      generatorLimited: z.string().nullable(),
      /** What others than the server and what measures used of all processors together, 0 to 1; left out where it is not known. */
      othersCpuShare: z.number().min(0).max(1).optional(),
    })
    .nullable(),
  operations: z.array(operation),
  /** The same operations with other numbers of concurrent calls: where the throughput stops growing. */
  sweep: z.array(
    z.object({
      concurrent: count,
      targetRps: z.number().nullable(),
      requestsPerSecond: z.number(),
      p50Ms: z.number().nullable(),
      p95Ms: z.number().nullable(),
      p99Ms: z.number().nullable(),
      errorRate: z.number(),
      cpuPercent: z.number().nullable(),
      /** As that of the samples. */
      queuedPercent: z.number().optional(),
      /** By title of the operation, where it was kept. */
      operations: z
        .array(z.object({ operation: z.string(), calls: count, failures: z.array(failure) }))
        .optional(),
    }),
  ),
  /**
   * Service time of one operation without and while another one ran all the time, where that was tried: half of the calls took no
   * longer than `aloneMs`, three quarters no less than `togetherMs`, so that a few slow ones tell nothing.
   */
  interference: z
    .array(
      z.object({
        /** Titles of the operations. */
        operation: z.string(),
        during: z.string(),
        calls: count,
        aloneMs: milliseconds,
        togetherMs: milliseconds,
      }),
    )
    .optional(),
  /**
   * Each operation by itself, where that was tried: several calls at the same moment, and then as many one after the other, in
   * turns.
   */
  bursts: z
    .array(
      z.object({
        /** Title of the operation. */
        operation: z.string(),
        /** Calls that were sent at the same moment. */
        concurrent: count,
        alone: z.object({ calls: count, failures: z.array(failure) }),
        /** `overlapped` are those that were under way while another one was, as seen from here. */
        together: z.object({ calls: count, overlapped: count, failures: z.array(failure) }),
      }),
    )
    .optional(),
  /** The whole server in each of the blocks, where two servers were measured in turns. */
  turns: z
    .array(
      z.object({
        durationMs: milliseconds,
        /** That came to an answer. */
        ended: count,
        /** Of the processes of the target; null where they are not known. */
        cpuMs: milliseconds.nullable(),
        rssBytes: count.nullable(),
      }),
    )
    .optional(),
  /** Single calls, where they were traced; the slowest first. */
  trace: z.array(tracedCall).optional(),
  /** A server of known work that was measured in turns with it (`test --reference`): how fast the machine was in each block. */
  reference: z
    .object({
      /** Of its work: others are not compared. */
      version: z.string(),
      blockMeansMs: z.array(z.number().nullable()),
      cpuMsPerCall: z.array(z.number().nullable()),
    })
    .optional(),
  /** Of the tree of processes of the target; empty where it runs elsewhere. */
  resources: z.array(resourceSample),
  inside: inside.nullable(),
  /** Files beside the report, or in the platform. */
  profiles: z.array(
    z.object({
      kind: z.enum(['cpu', 'heap', 'heap_snapshot', 'allocations', 'other']),
      path: z.string(),
      /** Of the platform, when it was uploaded. */
      profileId: z.string().nullable(),
    }),
  ),
  /** What could not be measured and why, for people. */
  notes: z.array(z.string()),
})

export type McpReport = z.infer<typeof mcpReport>
export type McpOperation = z.infer<typeof operation>
export type McpFailure = z.infer<typeof failure>
export type McpErrorKind = (typeof mcpErrorKinds)[number]
export type McpResourceSample = z.infer<typeof resourceSample>
export type McpTracedCall = z.infer<typeof tracedCall>
export type McpInside = z.infer<typeof inside>
