import type { FastifyInstance } from 'fastify'

/** The server could not listen where it was told to. The message says what to change. */
export class ListenError extends Error {
  override name = 'ListenError'
  readonly isForOperator = true
}

/**
 * Listens, and gives the address as a URL, with the real port when 0 was asked for.
 * @throws ListenError when the port is taken or not ours to take.
 */
export async function listen(app: FastifyInstance, at: { host: string; port: number }): Promise<string> {
  try {
    return await app.listen(at)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? reasons[String(error.code)]?.(at) : undefined
    throw reason === undefined ? error : new ListenError(reason, { cause: error })
  }
}

const reasons: Readonly<Record<string, (at: { host: string; port: number }) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} on ${host} is in use by another program. Stop that one, or choose another port with ` +
    `FLAMEGATE_PORT, for instance FLAMEGATE_PORT=${port < 65_535 ? port + 1 : 4170}.`,
  EACCES: ({ port }) =>
    `Port ${port} needs administrator rights. Choose one from 1024 on with FLAMEGATE_PORT, for instance FLAMEGATE_PORT=4170.`,
  EADDRNOTAVAIL: ({ host }) =>
    `This machine has no address ${host}. Set FLAMEGATE_HOST to one that it has, or to 0.0.0.0 for all.`,
  ENOTFOUND: ({ host }) =>
    `The host name ${host} is not known. Set FLAMEGATE_HOST to an address of this machine.`,
}
