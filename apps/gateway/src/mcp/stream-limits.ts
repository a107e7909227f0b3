import type { Principal } from '@flamegate/contract'

/** Of one person by one client: a client needs one, and may leave a few behind when it restarts. */
const streamsPerClientMax = 10
/** Of one process. */
const streamsMax = 2_000

/** Why one more stream is not opened besides those that are: an error in the answer, as for a full SDK handler. */
export function streamsRefusal(
  message: unknown,
  { userId, clientId }: Principal,
  open: readonly Principal[],
): Response | undefined {
  const theirs = open.filter((each) => each.userId === userId && each.clientId === clientId).length
  if (open.length < streamsMax && theirs < streamsPerClientMax) return undefined
  const why =
    theirs < streamsPerClientMax
      ? 'Too many streams are open here. Try again in a minute.'
      : `${theirs} streams of this client are open already. Close one first.`
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : null
  return Response.json({ jsonrpc: '2.0', id, error: { code: -32_603, message: why } })
}
