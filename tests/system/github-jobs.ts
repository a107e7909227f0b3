import { createServer, type Server } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/**
 * As much of GitHub as a job of `repository` meets that proves who it is: `GET /identity`, and the keys that sign it. On a free port,
 * or on that one.
 */
export async function startGitHub(
  repository: string,
  port = 0,
): Promise<{
  url: string
  /** The identity token of the job. */
  idToken(audience: string): Promise<string>
  stop(): void
}> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: '1' }
  const started = {
    url: '',
    idToken: (audience: string) =>
      new SignJWT({ repository, run_id: '17' })
        .setProtectedHeader({ alg: 'RS256', kid: '1' })
        .setIssuer(started.url)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  const answer = async (url: URL) =>
    url.pathname === '/identity'
      ? { value: await started.idToken(url.searchParams.get('audience') ?? '') }
      : { keys: [jwk] }
  const server: Server = createServer((request, response) => {
    void answer(new URL(request.url ?? '/', started.url)).then((body) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    )
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  started.url = `http://127.0.0.1:${address.port}`
  return started
}
