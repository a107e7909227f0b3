import type { Pool } from 'undici'

/**
 * How connections to the API are held. One that is told to stop closes those that it answers on while it drains, and in the end those
 * that are idle, with the request that may just then be on its way: so none is idle for as long as an API drains, whatever the API
 * would allow.
 */
export const apiConnections = {
  connect: { timeout: 5_000 },
  // One name may lead to several APIs. Node would leave an address after 250 ms, which a busy process takes to see that it is connected.
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: 2_000,
  keepAliveTimeout: 2_000,
  keepAliveMaxTimeout: 2_000,
} satisfies Pool.Options

const broken = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET'])

/**
 * The same once more when there was no connection or it broke, as it does when an API ends under it: another API answers then. For
 * what changes nothing, since the first may have been done.
 */
export async function askedAgain<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error && 'code' in error && broken.has(String(error.code))) return ask()
    throw error
  }
}
