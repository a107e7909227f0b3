import { callerAssertionHeader, createAuthenticator } from '@flamegate/auth'
import { mediaTypes } from '@flamegate/surfaces'
import { Pool } from 'undici'
import { benchPrincipal, identityOf } from '../world.ts'
import type { World } from '../world.ts'

/**
 * How the other servers call the API: the same route and headers as ours, over a pool that is kept. They are spared
 * the check of the client's token, and the assertion is signed ahead.
 */
export async function restCaller(world: World): Promise<(tool: string, input: unknown) => Promise<string>> {
  const { assertions } = await createAuthenticator({
    identity: await identityOf(world),
    issuer: world.publicUrl,
  })
  let assertion = await assertions.sign(benchPrincipal)
  const renew = async () => {
    assertion = await assertions.sign({ ...benchPrincipal })
  }
  setInterval(() => void renew(), 20_000).unref()
  const pool = new Pool(world.apiUrl, { connections: 64 })

  return async (tool, input) => {
    const { body } = await pool.request({
      method: 'POST',
      path: `/v1/tools/${tool}`,
      headers: {
        'content-type': 'application/json',
        accept: mediaTypes.toolResult,
        [callerAssertionHeader]: assertion,
      },
      body: JSON.stringify(input),
    })
    return body.text()
  }
}
