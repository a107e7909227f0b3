import type { ShardPlan } from './load-plan.ts'

/** Project files of a shard, by their paths. */
export type ProjectFiles = ReadonlyMap<string, Uint8Array>

const fileBytesMax = 500_000_000

/**
 * Fetches them all, before there is load: once for all threads, because each address works once.
 * @throws Error in words for whoever reads of the run
 */
export async function fetchFiles(files: ShardPlan['files']): Promise<ProjectFiles> {
  const fetched = new Map<string, Uint8Array>()
  // oxlint-disable-next-line no-await-in-loop -- one after the other, for they may be large
  for (const { path, url } of files) fetched.set(path, await fetchFile(path, url))
  return fetched
}

async function fetchFile(path: string, url: string): Promise<Uint8Array> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The project file ${path} could not be fetched: ${response.status}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length > fileBytesMax)
    throw new RangeError(`The project file ${path} is larger than ${fileBytesMax} bytes.`)
  return bytes
}
