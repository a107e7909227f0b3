import { Problem } from '@flamegate/contract'
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { issuerFetch } from '../accounts/elsewhere/issuer-fetch.ts'

/** A job of GitHub Actions, as its identity token says. */
export interface GitHubJob {
  /** `owner/name`. */
  repository: string
  /** Id of the workflow run. */
  runId: string
}

export interface GitHubJobs {
  /** @throws Problem `unauthenticated` for what the issuer did not sign for us, `unavailable` when it does not answer */
  verify(idToken: string): Promise<GitHubJob>
}

const claims = z.object({ repository: z.string().regex(/^[^/\s]+\/[^/\s]+$/), run_id: z.string().max(40) })

/**
 * Verifies the identity tokens of GitHub Actions, which must be made for `audience`.
 * @see https://docs.github.com/actions/reference/security/oidc
 */
export function createGitHubJobs({
  issuer,
  audience,
}: {
  issuer: string
  /** The first is the one that is told to those who have another. */
  audience: string | [string, ...string[]]
}): GitHubJobs {
  const fetchFromIssuer = issuerFetch(issuer)
  const keys = createRemoteJWKSet(new URL(`${issuer.replace(/\/$/, '')}/.well-known/jwks`), {
    [customFetch]: (url, { headers }) =>
      fetchFromIssuer(url, {
        method: 'GET',
        headers: Object.fromEntries(headers),
        body: undefined,
        redirect: 'manual',
      }),
  })

  return {
    async verify(idToken) {
      try {
        const { payload } = await jwtVerify(idToken, keys, {
          issuer,
          audience,
          algorithms: ['RS256'],
          requiredClaims: ['exp', 'iat'],
        })
        const { repository, run_id: runId } = claims.parse(payload)
        return { repository, runId }
      } catch (cause) {
        throw refusal(cause, typeof audience === 'string' ? audience : audience[0])
      }
    },
  }
}

function refusal(cause: unknown, audience: string): Problem {
  if (cause instanceof errors.JWTExpired) return refused('It has expired. Ask GitHub for a new one.', cause)
  if (cause instanceof errors.JWTClaimValidationFailed && cause.claim === 'aud') {
    return refused(`It was not made for us. Ask for the audience ${audience}.`, cause)
  }
  const isWrong =
    cause instanceof z.ZodError ||
    (cause instanceof errors.JOSEError &&
      !(cause instanceof errors.JWKSTimeout) &&
      !(cause instanceof errors.JWKSInvalid) &&
      cause.code !== 'ERR_JOSE_GENERIC')
  if (isWrong) return refused('It is no identity token of a GitHub Actions job that we know.', cause)
  return new Problem('unavailable', 'The keys of GitHub Actions cannot be read right now. Try again.', {
    cause,
    retryAfterSeconds: 5,
  })
}

function refused(detail: string, cause: unknown): Problem {
  return new Problem('unauthenticated', detail, {
    cause,
    errors: [{ field: 'id_token', message: detail }],
  })
}
