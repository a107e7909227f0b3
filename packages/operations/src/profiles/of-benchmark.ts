import { operations, Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { Profile, Result, Run } from '../ports/index.ts'
import { profilesOfRun } from './of-run.ts'

/** What a run measured of a benchmark, by its uri or id. @throws Problem `benchmark_not_found` */
export async function resultIn(context: CallContext, run: Run, benchmark: string): Promise<Result> {
  const result = await context.deps.stores.runs.findResult(context.caller, run.id, benchmark)
  if (result !== undefined) return result
  throw new Problem('benchmark_not_found', `Run ${run.id} has no benchmark ${benchmark}.`, {
    hint: [operations.getRun, 'shows the ones it has'],
  })
}

/** The newest profile of a benchmark in a run, CPU before others. @throws Problem `no_profile` */
export async function profileOfResult(context: CallContext, run: Run, result: Result): Promise<Profile> {
  const own = await profilesOfRun(context, run, result.benchmarkId)
  const record = own.find(({ type }) => type === 'cpu') ?? own[0]
  if (record !== undefined) return record
  throw new Problem(
    'no_profile',
    `Run ${run.id} has no profile of ${result.uri}. Both runs need one: upload it with run_id and benchmark.`,
  )
}
