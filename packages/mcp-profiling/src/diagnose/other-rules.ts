import { sweepKnee } from '../capacity/sweep-knee.ts'
import { operationTitle } from '../operation-key.ts'
import type { McpReport } from '../report.ts'
import type { Finding, RuleAnswer } from './finding.ts'
import { thresholds } from './thresholds.ts'

/** A list of tools that fills a model's memory before it did anything. */
export function largeToolsList({ connection }: McpReport): RuleAnswer {
  const { toolsListTokens: tokens, tools, toolsListBytes: bytes } = connection
  if (tokens === null) return { notAsked: 'tools/list was not asked for' }
  if (tokens < thresholds.toolsListTokens) return []
  return [
    {
      rule: 'large_tools_list',
      type: 'other',
      title: `The list of tools takes about ${tokens.toLocaleString('en-US')} tokens of every conversation.`,
      subject: 'tools/list',
      evidence: [
        { name: 'tokens', value: tokens, unit: '' },
        { name: 'threshold', value: thresholds.toolsListTokens, unit: '' },
        { name: 'bytes', value: bytes ?? 0, unit: 'B' },
        { name: 'tools', value: tools ?? 0, unit: '' },
      ],
      confidence: 'high',
      priority: tokens >= 3 * thresholds.toolsListTokens ? 'high' : 'medium',
      suggestion:
        'Shorten descriptions and schemas, leave out output schemas that nobody needs, or offer groups of tools at addresses of their own.',
    },
  ]
}

/** Results that a model can hardly read. */
export function largeResult({ operations }: McpReport): RuleAnswer {
  const read = operations.flatMap((operation) =>
    operation.method !== 'tools/list' && operation.resultTokens
      ? [{ operation, tokens: operation.resultTokens }]
      : [],
  )
  if (read.length === 0) return { notAsked: 'no result was seen' }
  return read
    .filter(({ tokens }) => tokens.mean >= thresholds.resultTokens)
    .map(({ operation, tokens }): Finding => ({
      rule: 'large_result',
      type: 'other',
      title: `A result of ${operationTitle(operation)} takes about ${Math.round(tokens.mean).toLocaleString('en-US')} tokens.`,
      subject: operationTitle(operation),
      evidence: [
        { name: 'tokens_mean', value: tokens.mean, unit: '' },
        { name: 'tokens_max', value: tokens.max, unit: '' },
        { name: 'threshold', value: thresholds.resultTokens, unit: '' },
        { name: 'bytes_mean', value: operation.resultBytes.mean, unit: 'B' },
      ],
      confidence: 'high',
      priority: 'medium',
      suggestion:
        'Answer less: pages, fields that are chosen, a summary with a link to the rest. Many clients cut at 25,000 tokens.',
    }))
}

/** In a folder of packages, or of the standard library: a project may be called after its database. */
const drivers =
  /(?:(?:node_modules|site-packages|dist-packages|pkg\/mod|gems)\/(?:\S*\/)?|^node:|^)(pg|pg-pool|pg-protocol|postgres|mysql2?|mariadb|better-sqlite3|sqlite3?|mongodb|mongoose|ioredis|redis|@redis|knex|@prisma|typeorm|sequelize|drizzle-orm|psycopg2?|asyncpg|sqlalchemy|pymongo|pymysql|gorm\.io|database\/sql|org\.postgresql|com\.mysql|org\.hibernate)\b/i

/** Time that goes into talking to a database. */
export function databaseCalls({ inside }: McpReport): RuleAnswer {
  if (inside === null || inside.hotFunctions.length === 0)
    return { notAsked: 'no CPU profile was taken (mcp-profiler cpu)' }
  const found = inside.hotFunctions
    .flatMap((each) => {
      const driver = drivers.exec(each.place)?.[1]
      return driver === undefined ? [] : [{ ...each, driver }]
    })
    .toSorted((a, b) => b.totalShare - a.totalShare)[0]
  if (found === undefined || found.totalShare < thresholds.hotFunctionShare) return []
  return [
    {
      rule: 'database_calls',
      type: 'io',
      title: `${Math.round(100 * found.totalShare)} % of the processor's time goes through ${found.driver}.`,
      subject: `${found.name} (${found.place})`,
      evidence: [
        { name: 'total_share', value: found.totalShare, unit: '' },
        { name: 'threshold', value: thresholds.hotFunctionShare, unit: '' },
      ],
      confidence: 'medium',
      priority: 'medium',
      suggestion:
        'Count the queries of one call: one for each item can be one for all; ask for the columns and rows that are needed, and look at the plans of the slowest.',
    },
  ]
}

/** More calls at once bring no more throughput, though the processor has time. */
export function concurrencyLimit({ sweep, machine, inside }: McpReport): RuleAnswer {
  const knee = sweepKnee(sweep)
  if (knee.outcome === 'unknown') return { notAsked: knee.why }
  if (knee.outcome === 'none') return []
  const top = sweep
    .filter(({ targetRps }) => targetRps === null)
    .toSorted((a, b) => b.concurrent - a.concurrent)[0]
  const cpuPercent = top?.cpuPercent ?? null
  if (top === undefined || cpuPercent === null)
    return { notAsked: 'the processor was not seen while numbers of concurrent calls were tried' }
  const calls = top.operations?.reduce((sum, operation) => sum + operation.calls, 0) ?? Infinity
  if (calls < thresholds.sweepCallsMin * top.concurrent)
    return { notAsked: `with ${top.concurrent} calls at once only ${calls} were made` }
  // Nearer to the highest number noise alone may look like it.
  if (top.concurrent < thresholds.beyondKneeMin * knee.concurrent) return []
  const isOneThread = inside === null || inside.runtime === 'node' || inside.runtime === 'python'
  const limitPercent = thresholds.idleShare * 100 * (isOneThread ? 1 : machine.cpuCount)
  // A machine that has other work is a limit that is not the server's.
  if (cpuPercent + (top.queuedPercent ?? 0) >= limitPercent) return []
  return [
    {
      rule: 'concurrency_limit',
      type: 'io',
      title: `From ${knee.concurrent} calls at once on throughput stays at ${Math.round(knee.requestsPerSecond)} per second, with the processor at ${Math.round(cpuPercent)} %.`,
      subject: null,
      evidence: [
        { name: 'knee', value: knee.concurrent, unit: 'calls at once' },
        { name: 'requests_per_second', value: knee.requestsPerSecond, unit: '1/s' },
        { name: 'gain_beyond', value: knee.gainPercent, unit: '%' },
        { name: 'cpu_percent', value: cpuPercent, unit: '%' },
        { name: 'threshold_cpu', value: limitPercent, unit: '%' },
      ],
      confidence: 'medium',
      priority: 'medium',
      suggestion:
        'Something is let through only so many at a time: a pool of connections, a lock, a queue. Look at its size, and whether it has to be held so long.',
    },
  ]
}
