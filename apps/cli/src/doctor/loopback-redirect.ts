import { createServer } from 'node:http'

const patienceMs = 5 * 60_000

/** A server on this computer to which a log-in sends the browser back (RFC 8252, 7.3). */
export interface LoopbackRedirect {
  redirectUri: string
  /** The address that the browser came back to. Rejects after five minutes. */
  answer(): Promise<string>
  close(): void
}

export async function openLoopbackRedirect(): Promise<LoopbackRedirect> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // Nobody may wait for it when the examination ends before a log-in.
  promise.catch(() => undefined)
  const server = createServer((request, response) => {
    const isAnswer = request.url?.startsWith('/callback?') === true
    response.writeHead(isAnswer ? 200 : 404, {
      'content-type': 'text/plain; charset=utf-8',
      connection: 'close',
    })
    response.end(
      isAnswer ? 'Done. You can close this page and go back to the terminal.\n' : 'Nothing here.\n',
    )
    if (isAnswer) resolve(`http://${request.headers.host}${request.url}`)
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server listens on a port')
  const timer = setTimeout(() => reject(new Error('Nobody logged in within five minutes.')), patienceMs)
  return {
    redirectUri: `http://127.0.0.1:${address.port}/callback`,
    answer: () => promise,
    close() {
      clearTimeout(timer)
      server.close()
    },
  }
}
