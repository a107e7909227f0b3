import { request } from 'undici'
import { retryAfterSeconds } from './retry-after.ts'

interface GithubCall {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  token: string
  body?: Record<string, unknown>
}

const timeoutMs = 15_000

/**
 * The REST API of the one GitHub that the operator named, which may well be inside a private network: only its path
 * comes from elsewhere, so this is not the guarded way out. No redirect is followed, and the token goes nowhere else.
 * https://docs.github.com/rest/about-the-rest-api/api-versions
 */
export function githubApi(baseUrl: string): {
  url: string
  request(
    call: GithubCall,
  ): Promise<{ status: number; body: unknown; retryAfterSeconds?: number | undefined }>
} {
  return {
    url: baseUrl,
    async request({ method, path, token, body }) {
      const answer = await request(`${baseUrl}${path}`, {
        method,
        headers: {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${token}`,
          'user-agent': 'Flamegate',
          'x-github-api-version': '2022-11-28',
          ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      })
      return {
        status: answer.statusCode,
        body: jsonOrNothing(await answer.body.text()),
        retryAfterSeconds: retryAfterSeconds(answer.headers['retry-after']?.toString(), new Date()),
      }
    },
  }
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy's page: the status says what there is to know.
    return undefined
  }
}
