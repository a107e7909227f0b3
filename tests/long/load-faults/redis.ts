import { setTimeout as pause } from 'node:timers/promises'
import { startTestRedis } from '../../../packages/queue/src/test-servers.ts'

/** A Redis that can be lost: it keeps nothing. */
export async function startFragileRedis() {
  let server = await startTestRedis()
  const port = Number(new URL(server.url).port)
  return {
    url: server.url,
    async drop(awayMs: number) {
      await server.stop()
      await pause(awayMs)
      server = await startTestRedis(port)
    },
    stop: () => server.stop(),
  }
}
