import {
  authorize,
  findFreePort,
  openBrowser,
  registerClient,
  startTestSite,
} from '../../apps/gateway/src/oauth/test-site.ts'
import { runSuite } from './suite.ts'
import type { ScenarioResult } from './suite.ts'

/** The suite against our authorization server; its person logs in and allows it, without a screen. */
export async function runAuthorization(): Promise<ScenarioResult[]> {
  const site = await startTestSite()
  try {
    const port = await findFreePort()
    const { client_id: clientId } = await registerClient(site, {
      client_name: 'Conformance suite',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      token_endpoint_auth_method: 'none',
    })
    let logIn: Promise<unknown> | undefined
    const results = await runSuite(
      [
        'authorization',
        '--url',
        site.issuer,
        '--client-id',
        clientId,
        '--resource',
        `${site.issuer}/mcp`,
        '-p',
        String(port),
      ],
      'all',
      (line) => {
        if (line.startsWith(`${site.issuer}/`)) logIn = answerInBrowser(line)
      },
    )
    await logIn
    return results
  } finally {
    await site.close()
  }

  async function answerInBrowser(start: string): Promise<void> {
    const callback = await authorize(openBrowser(site), start)
    await fetch(callback)
  }
}
