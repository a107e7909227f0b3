import { ApiUnreachable, readProblem } from '@flamegate/client'
import { z } from 'zod'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const withinMs = 15_000

const identityToken = z.object({ value: z.string() })
const exchanged = z.object({ token: z.string() })

/** Whether this is a job of GitHub Actions that may prove its repository (`permissions: id-token: write`). */
export function canProveJob({
  ACTIONS_ID_TOKEN_REQUEST_URL: url,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: token,
}: Terminal['env']): boolean {
  return Boolean(url) && Boolean(token)
}

/**
 * A way to get a token that may upload to the project of this job's repository, by the identity that GitHub gives the
 * job. The token is kept until it is refused.
 *
 * @see https://docs.github.com/actions/reference/security/oidc
 */
export function keylessToken(env: Terminal['env'], siteUrl: string): (refused?: string) => Promise<string> {
  let present: string | undefined
  return async (refused) => {
    if (present === undefined || present === refused) present = await exchange(env, siteUrl)
    return present
  }
}

/** @throws ApiProblem when the platform refuses, ApiUnreachable, UsageError when GitHub does */
async function exchange(env: Terminal['env'], siteUrl: string): Promise<string> {
  const project = env['FLAMEGATE_PROJECT']
  const response = await send(`${siteUrl}/v1/keyless-uploads/github`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'flamegate-cli' },
    body: JSON.stringify({
      id_token: await askGitHub(env, siteUrl),
      ...(project ? { project_id: project } : {}),
    }),
  })
  if (!response.ok) throw await readProblem(response)
  return exchanged.parse(await response.json()).token
}

async function askGitHub(env: Terminal['env'], audience: string): Promise<string> {
  const url = new URL(env['ACTIONS_ID_TOKEN_REQUEST_URL'] ?? '')
  url.searchParams.set('audience', audience)
  const response = await send(url.href, {
    headers: { authorization: `Bearer ${env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? ''}` },
  })
  if (!response.ok) {
    throw new UsageError(
      `GitHub gave this job no identity (${response.status}). Give it permissions: id-token: write, or set FLAMEGATE_TOKEN.`,
    )
  }
  return identityToken.parse(await response.json()).value
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(withinMs) })
  } catch (cause) {
    throw new ApiUnreachable('The server could not be reached.', { cause })
  }
}
