import type { McpOperation, McpReport } from '@flamegate/mcp-profiling'
import { generatorLimit } from '../load/measure-load.ts'
import type { AskedOperations } from '../load/plan-operations.ts'
import type { OpenServer } from '../open-server.ts'
import { newReport } from '../report/new-report.ts'
import type { McpTarget } from '../target/mcp-target.ts'
import { joinOperations } from './join-operations.ts'

/** One of two servers that are measured in turns, or the same server with other settings. */
export interface Side {
  target: McpTarget
  /** For people: a version, or what is special about it. */
  label: string | undefined
  /** Calls at a time. */
  concurrent: number
  /** What is called. */
  asked: AskedOperations
}

/** What one block found. */
export interface SideBlock {
  operations: readonly McpOperation[]
  turn: NonNullable<McpReport['turns']>[number]
  /** For so long what measures had no idle moment. */
  busyMs: number
  started: number
}

/** All blocks of a side. */
export class SideRecord {
  readonly side: Side
  readonly #blocks: SideBlock[] = []
  #notes: readonly string[] = []
  #server: OpenServer | undefined

  constructor(side: Side) {
    this.side = side
  }

  add(server: OpenServer, block: SideBlock, notes: readonly string[]): void {
    this.#server = server
    this.#blocks.push(block)
    this.#notes = notes
  }

  toReport({ command, startedAt }: { command: string; startedAt: Date }): McpReport {
    if (this.#server === undefined) throw new RangeError('No block has been measured')
    const turns = this.#blocks.map(({ turn }) => turn)
    const durationMs = sumOf(turns.map((turn) => turn.durationMs))
    const ended = sumOf(turns.map((turn) => turn.ended))
    const started = sumOf(this.#blocks.map((block) => block.started))
    const operations = this.#operations()
    const failed = sumOf(operations.flatMap(({ failures }) => failures.map(({ count }) => count)))
    const busyShare = sumOf(this.#blocks.map(({ busyMs }) => busyMs)) / durationMs
    const rates = turns.map((turn) => (1000 * turn.ended) / turn.durationMs)
    return newReport(this.#server, {
      command,
      startedAt,
      label: this.side.label,
      operations,
      turns,
      notes: [...this.#notes],
      load: {
        model: 'closed',
        concurrent: this.side.concurrent,
        targetRps: null,
        rampUpMs: 0,
        durationMs,
        started,
        ended,
        requestsPerSecond: (1000 * ended) / durationMs,
        peakRequestsPerSecond: Math.max(...rates),
        perSecond: [],
        errorRate: started === 0 ? 0 : failed / started,
        generatorLimited: generatorLimit(busyShare),
      },
    })
  }

  /** Those of the first block; where a later one did not have it, its mean is null. */
  #operations(): McpOperation[] {
    return (this.#blocks[0]?.operations ?? []).map((first) => {
      const found = this.#blocks.map(({ operations }) =>
        operations.find(({ method, name }) => method === first.method && name === first.name),
      )
      const [one = first, ...others] = found.filter((each) => each !== undefined)
      return joinOperations(
        [one, ...others],
        found.map((each) => each?.blockMeansMs[0] ?? null),
      )
    })
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
