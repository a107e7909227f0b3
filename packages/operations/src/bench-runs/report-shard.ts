import { operations, Problem } from '@flamegate/contract'
import { errorClasses, decodeTickBatch, SeriesFormatError } from '@flamegate/series'
import { implement, type CallContext } from '../implement.ts'
import { DatabaseInterrupted, type BenchResult, type BenchSample, type BenchShard } from '../ports/index.ts'
import { hasShardEnded } from './decide.ts'
import { getShard } from './reaching.ts'
import { stopWhenFull } from './result-quota.ts'

export const reportShard = implement(operations.reportShard)(async (input, context) => {
  const { caller, deps } = context
  const { benchRuns } = deps.stores
  const shard = await getShard(context, input.shard_id)
  const run = await benchRuns.find(caller, shard.benchResultId)
  if (run === undefined) throw new Problem('bench_shard_not_found', 'The run of this shard is gone.')
  // Every second, all the time that a run takes.
  if (input.state === shard.state) context.isUneventful()
  const { state, message, load_generator_id: loadGeneratorId } = input
  const accepted = await keep(input, shard, run, context).catch(async (error: unknown) => {
    // Who is heard is not lost, also while there is no room for what it brings: it brings that again, and is not done before.
    if (error instanceof DatabaseInterrupted)
      await benchRuns
        .report(caller, shard.id, {
          state: hasShardEnded(input) ? 'RUNNING' : state,
          message,
          loadGeneratorId,
        })
        .catch(() => undefined)
    throw error
  })
  const heardAt = await benchRuns.report(caller, shard.id, { state, message, loadGeneratorId })
  const heardMs = performance.now()
  const now = await benchRuns.findShard(caller, shard.id)
  const order = isHolder(input, now ?? shard) ? orderOf(run, now ?? shard) : 'gone'
  return {
    project_id: shard.projectId,
    bench_result_id: shard.benchResultId,
    order,
    // What begins when is said by the same clock.
    now: new Date(heardAt.getTime() + performance.now() - heardMs).toISOString(),
    start_at: run.startedAt?.toISOString() ?? null,
    shares_version: run.sharesVersion,
    share_index: now?.shareIndex ?? null,
    share_count: now?.shareCount ?? null,
    first_share_index: now?.firstShareIndex ?? null,
    first_share_count: now?.firstShareCount ?? null,
    groups_at_start: state === 'READY' && order === 'run' ? await groupsAtStart(run.id, context) : [],
    accepted,
  }
})

type Input = Parameters<Parameters<ReturnType<typeof implement<typeof operations.reportShard>>>[0]>[0]

/** Whether the shard is that of the agent that reports; those of before do not say who they are. */
function isHolder(input: Input, { loadGeneratorId }: BenchShard): boolean {
  return input.load_generator_id === undefined || input.load_generator_id === loadGeneratorId
}

/** What it brings; gives the sequences of those batches of ticks that need not come again. */
async function keep(input: Input, shard: BenchShard, run: BenchResult, context: CallContext) {
  if (!isHolder(input, shard)) return []
  const { caller, deps } = context
  const { benchRuns, pageLoads, resultFiles } = deps.stores
  // What was measured counts, also of a generator that was taken for lost, until the run is put away.
  const accepted = run.endedAt === null ? await store(input.batches, shard, context) : []
  if (accepted.length > 0) await stopWhenFull(context, run)
  if (input.samples.length > 0) await benchRuns.addSamples(caller, shard, input.samples.map(sampleOf))
  if (input.page_loads.length > 0) await pageLoads.add(caller, shard, input.page_loads)
  if (input.log !== undefined) await resultFiles.addLogLines(caller, shard.id, input.log)
  return accepted
}

/** Keeps batches of ticks, each once; gives the sequences of those that need not come again. */
async function store(
  batches: Input['batches'],
  { benchResultId, slot }: BenchShard,
  { caller, deps }: CallContext,
): Promise<number[]> {
  const kept: number[] = []
  for (const [index, { sequence, ticks }] of batches.entries()) {
    const batch = read(Buffer.from(ticks, 'base64'), index)
    if (batch.benchResultId !== benchResultId || batch.agent !== slot || batch.sequence !== sequence) {
      throw new Problem(
        'invalid_input',
        `batches.${index}: This batch is of another shard, or has another number.`,
      )
    }
    // oxlint-disable-next-line no-await-in-loop -- in their order
    await deps.stores.series.appendBatch(caller, batch)
    kept.push(sequence)
  }
  return kept
}

function read(bytes: Uint8Array, index: number) {
  try {
    return decodeTickBatch(bytes)
  } catch (error) {
    if (!(error instanceof SeriesFormatError)) throw error
    throw new Problem('invalid_input', `batches.${index}.ticks: ${error.message}`, {
      errors: [{ field: `batches.${index}.ticks`, message: error.message }],
    })
  }
}

/** How many agents of each group began. */
async function groupsAtStart(benchResultId: string, { caller, deps }: CallContext) {
  const shards = await deps.stores.benchRuns.listShards(caller, benchResultId)
  const begun = shards.filter(({ firstShareIndex }) => firstShareIndex !== null)
  return [...Map.groupBy(begun, ({ agentGroup }) => agentGroup)].map(([agentGroup, { length }]) => ({
    agent_group: agentGroup,
    agents: length,
  }))
}

function sampleOf({ error_class: name, at, ...rest }: Input['samples'][number]): BenchSample {
  return { ...rest, at: new Date(at), errorClass: errorClasses.find((each) => each === name) ?? 'other' }
}

/** What an agent is to do next. */
function orderOf(run: BenchResult, shard: BenchShard): 'wait' | 'run' | 'stop' | 'gone' {
  if (run.endedAt !== null || hasShardEnded(shard)) return 'gone'
  if (run.stopAskedAt !== null) return 'stop'
  return run.state === 'RUNNING' ? 'run' : 'wait'
}
