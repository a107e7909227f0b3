import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import type { Tenant } from './tenants.ts'

const countsSchema = z.object({
  answered: z.number(),
  limited: z.number(),
  failed: z.number(),
  reasons: z.array(z.string()),
})
export type NoiseCounts = z.infer<typeof countsSchema>

/** A tenant that goes beyond its limits, in a process of its own. */
interface Noise {
  pid: number
  setRate(callsPerSecond: number): void
  stop(): Promise<NoiseCounts>
}

/** With four API tokens, as of four programs of one person, who calls what is dear besides what is cheap. */
export async function startNoise(url: string, tenant: Tenant): Promise<Noise> {
  const { person, workspaceId, projectId, runIds, profileId } = tenant
  const tokens: string[] = []
  for (let number = 1; number <= 4; number += 1) {
    const answer = await person.rest('POST', `/v1/workspaces/${workspaceId}/api-tokens`, {
      name: `noisy ${number}`,
      scopes: ['read', 'write'],
    })
    if (!answer.ok) throw new Error(`There is no token: ${answer.status} ${await answer.text()}`)
    tokens.push(z.object({ secret: z.string() }).parse(await answer.json()).secret)
  }
  const calls = [
    { name: 'list_runs', arguments: { repository: projectId } },
    { name: 'compare_runs', arguments: { base_run_id: runIds[0], head_run_id: runIds[1] } },
    { name: 'query_flamegraph', arguments: { profile_id: profileId } },
    { name: 'search', arguments: { query: 'parse' } },
  ]
  const child = fork(join(import.meta.dirname, 'noisy.ts'), [JSON.stringify({ url, tokens, calls })])
  if (child.pid === undefined) throw new Error('The noisy tenant did not start')
  return {
    pid: child.pid,
    setRate: (callsPerSecond) => void child.send(callsPerSecond),
    async stop() {
      const told = once(child, 'message')
      child.kill('SIGTERM')
      const [counts]: unknown[] = await told
      return countsSchema.parse(counts)
    },
  }
}
