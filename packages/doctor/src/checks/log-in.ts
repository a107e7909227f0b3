import { asForm, jsonObject, outcome, text } from '../exchange.ts'
import type { Exchange } from '../exchange.ts'
import { clientsThat, failed, ok, warning } from '../finding.ts'
import type { Finding } from '../finding.ts'
import { authorizationRequest } from './authorization-request.ts'
import type { AuthorizationParameters } from './authorization-request.ts'

/** Brings a person to `url` and gives the address that they were sent back to. */
export type AskPerson = (url: string) => Promise<string>

const title = 'A person can log in'

/** The whole log-in: a person in a browser, the code redeemed for tokens, and these refreshed. */
export async function checkLogIn(
  send: Exchange,
  parameters: AuthorizationParameters,
  askPerson: AskPerson,
): Promise<{ findings: Finding[]; token: string | undefined }> {
  const { server, clientId, resource } = parameters
  const request = authorizationRequest(parameters)
  const fail = (detail: string, advice: string) => ({
    findings: [failed('log-in', title, { detail, advice, clients: clientsThat.everyone })],
    token: undefined,
  })
  let answer: URLSearchParams
  try {
    answer = new URL(await askPerson(request.url)).searchParams
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error), 'Try again.')
  }
  const code = answer.get('code')
  if (answer.get('state') !== request.state)
    return fail('The answer has another state.', 'Give state back as it came.')
  if (code === null) {
    return fail(
      `The answer was ${answer.get('error') ?? 'no code'}.`,
      'Look at the log of the authorization server.',
    )
  }
  const findings: Finding[] = []
  const iss = answer.get('iss')
  if (iss !== null && iss !== server.issuer) {
    findings.push(
      failed('log-in-iss', 'The answer names its issuer', {
        detail: `iss is ${iss}, not ${server.issuer}.`,
        advice: 'Exchange the issuer exactly as in the metadata (RFC 9207).',
        clients: ['clients on the official SDK'],
      }),
    )
  }
  const redeemed = await requestTokens(send, server.tokenEndpoint, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: request.redirectUri,
    code_verifier: request.verifier,
    client_id: clientId,
    ...(resource === undefined ? {} : { resource }),
  })
  if (redeemed.accessToken === undefined) {
    return fail(`The code was not taken: ${redeemed.said}.`, 'Look at the log of the authorization server.')
  }
  findings.push(ok('log-in', title, 'The code was redeemed for an access token.'))
  if (redeemed.refreshToken === undefined) {
    findings.push(
      warning('refresh-token', 'The log-in lasts', {
        detail: 'There was no refresh token.',
        advice: 'Give one to every client that registered for it, whether or not it asks for offline_access.',
        clients: clientsThat.everyone,
      }),
    )
    return { findings, token: redeemed.accessToken }
  }
  const refreshed = await requestTokens(send, server.tokenEndpoint, {
    grant_type: 'refresh_token',
    refresh_token: redeemed.refreshToken,
    client_id: clientId,
    ...(resource === undefined ? {} : { resource }),
  })
  findings.push(
    refreshed.accessToken === undefined
      ? failed('refresh-token', 'The log-in lasts', {
          detail: `The refresh token was not taken: ${refreshed.said}.`,
          advice: 'Take it: people are signed out otherwise.',
          clients: clientsThat.everyone,
        })
      : ok('refresh-token', 'The log-in lasts', 'The token was refreshed.'),
  )
  return { findings, token: refreshed.accessToken ?? redeemed.accessToken }
}

async function requestTokens(send: Exchange, url: string, parameters: Record<string, string>) {
  const answer = await send({
    method: 'POST',
    url,
    headers: asForm,
    body: new URLSearchParams(parameters).toString(),
  })
  const document = jsonObject(answer)
  return {
    accessToken: answer.status === 200 ? text(document?.['access_token']) : undefined,
    refreshToken: text(document?.['refresh_token']),
    said: text(document?.['error_description']) ?? text(document?.['error']) ?? `it ${outcome(answer)}`,
  }
}
