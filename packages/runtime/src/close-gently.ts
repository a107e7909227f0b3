import type { Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Of these the first shows that no connection waits to be taken, and in the second what the last one sent is read. */
const quietTurns = 2
/** A server to which somebody connects all the time closes all the same. */
const turnsMax = 1_000

/**
 * Has the server close, once somebody closes it, when no connection waits to be taken. The kernel resets those that do, with the request that
 * came on them, and of those who have connected the event loop takes one in each of its turns. What balances several servers does not
 * send such a request to another one, because it may have been done.
 */
export function closeGently(server: Server): void {
  const close = server.close.bind(server)
  const closeWhenNoneWaits = async (done?: (error?: Error) => void) => {
    await untilNoneWaits(server)
    close(done)
  }
  server.close = (done) => {
    void closeWhenNoneWaits(done)
    return server
  }
}

async function untilNoneWaits(server: Server): Promise<void> {
  let quiet = 0
  const note = () => (quiet = 0)
  server.on('connection', note)
  for (let turn = 0; turn < turnsMax && quiet < quietTurns; turn += 1) {
    quiet += 1
    // oxlint-disable-next-line no-await-in-loop -- one turn after the other
    await nextTurn()
  }
  server.off('connection', note)
}
