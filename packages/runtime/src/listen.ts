import type { FastifyInstance } from 'fastify'

/** The address of the settings cannot be listened on. `message` is meant to be printed as it is. */
class CannotListen extends Error {
  override name = 'CannotListen'
  readonly isForOperator = true
}

/** Where a server listens, as its settings say it. */
export interface ListenSettings {
  FLAMEGATE_HOST: string
  FLAMEGATE_PORT: number
}

/**
 * Opens a server where its settings say.
 * @throws CannotListen when somebody else does, or this process may not
 */
export async function listen(app: Pick<FastifyInstance, 'listen'>, settings: ListenSettings): Promise<void> {
  await app
    .listen({ host: settings.FLAMEGATE_HOST, port: settings.FLAMEGATE_PORT })
    .catch((error: unknown) => {
      throw cannotListen(error, settings)
    })
}

/** What it means to whoever set it that it cannot be listened there; any other error is given back as it is. */
export function cannotListen(
  error: unknown,
  { FLAMEGATE_HOST: host, FLAMEGATE_PORT: port }: ListenSettings,
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const line =
    code === 'EADDRINUSE'
      ? `FLAMEGATE_PORT is ${port}. Another program listens there, on ${host}. Set it to a port that is free, such as ${port + 1}, or to 0 for any.`
      : code === 'EACCES'
        ? `FLAMEGATE_PORT is ${port}. This process may not listen there. Set it to a port above 1023.`
        : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL'
          ? `FLAMEGATE_HOST is "${host}". It is no address of this machine. Set it to one that is, or to 0.0.0.0 for all.`
          : undefined
  return line === undefined ? error : new CannotListen(`A setting is not right:\n  ${line}`, { cause: error })
}
