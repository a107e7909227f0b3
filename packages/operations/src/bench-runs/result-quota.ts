import type { Reading } from '../implement.ts'
import { limitsOf, type LimitFactor } from '../limits/workspace-limits.ts'
import type { BenchResult } from '../ports/index.ts'
import { stopRun } from './stop-run.ts'

/** Agents report every second, and a run may be over its quota by what comes in so long. */
const lookEveryMs = 5_000
const lookedAt = new Map<string, number>()

type Counting = Reading & { deps: { limits: LimitFactor } }

/** Why nothing more can be kept in a workspace; undefined while there is room. */
export async function fullWords(
  { caller, deps }: Counting,
  workspaceId: string,
): Promise<string | undefined> {
  const { resultBytes: bytesMax } = await limitsOf(deps, workspaceId)
  if (bytesMax === Infinity) return undefined
  const bytes = await deps.stores.series.countBytes(caller, workspaceId)
  if (bytes < bytesMax) return undefined
  return `The results of this workspace take ${inMegabytes(bytes)}, and its plan has ${inMegabytes(bytesMax)}.`
}

/** Why no more files of runs can be kept in a workspace; undefined while there is room. */
export async function fileFullWords(
  { caller, deps }: Counting,
  workspaceId: string,
): Promise<string | undefined> {
  const { resultFileBytes: bytesMax } = await limitsOf(deps, workspaceId)
  if (bytesMax === Infinity) return undefined
  const bytes = await deps.stores.resultFiles.countBytes(caller, workspaceId)
  if (bytes < bytesMax) return undefined
  return `the result files of this workspace take ${inMegabytes(bytes)}, and its plan has ${inMegabytes(bytesMax)}.`
}

/** Stops a run whose results have no more room. What its agents measure until they have ended is kept. */
export async function stopWhenFull(
  counting: Counting,
  { id, workspaceId, stopAskedAt }: BenchResult,
): Promise<void> {
  const now = Date.now()
  if (stopAskedAt !== null || now - (lookedAt.get(workspaceId) ?? 0) < lookEveryMs) return
  lookedAt.set(workspaceId, now)
  const words = await fullWords(counting, workspaceId)
  if (words !== undefined)
    await stopRun(counting, id, `${words} The run was stopped; delete old results before the next one.`)
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}
