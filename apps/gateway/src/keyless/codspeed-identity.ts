import type { IdentityStore } from '@flamegate/operations/ports'
import { decodeJwt, errors } from 'jose'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readInput } from '../accounts/account-input.ts'
import { recordSecurityNow } from '../security-events.ts'
import { createGitHubJobs } from './github-job.ts'
import { createKeylessTokens } from './keyless-tokens.ts'

/** The audience for which CodSpeed's runner asks GitHub; it cannot be told another. */
const runnersAudience = 'codspeed.io'

const howToName = 'https://…/upload?project=prj_… as the upload URL'
const query = z.object({ project: z.string().max(64).optional() })

/**
 * Lets jobs of GitHub Actions upload with CodSpeed's runner and no secret: the identity token that the runner sends to
 * `POST /upload` is exchanged for an API token of minutes before the request goes on to the API, which knows of no other
 * credential.
 */
export function exchangeIdentityOfRunner(
  app: FastifyInstance,
  { identity, issuer, publicUrl }: { identity: IdentityStore; issuer: string; publicUrl: string },
): void {
  const jobs = createGitHubJobs({ issuer, audience: [runnersAudience, publicUrl] })
  const tokens = createKeylessTokens({ identity, jobs })

  app.addHook('onRequest', async (request) => {
    if (request.method !== 'POST' || request.routeOptions.url !== '/upload') return
    const idToken = request.headers.authorization?.replace(/^bearer /i, '')
    if (idToken === undefined || issuerOf(idToken) !== issuer) return
    const { project: projectId } = readInput(query, request.query)
    const { secret } = await tokens.exchange(request, idToken, { projectId, howToName })
    // At once: the answer comes from the API, and by then it is not known any more where the request came from.
    await recordSecurityNow(request, identity, 'issue_keyless_token')
    request.headers.authorization = `Bearer ${secret}`
  })
}

/** Who says to have signed it; undefined for what is no JWT, such as an API token. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch (error) {
    if (error instanceof errors.JWTInvalid) return undefined
    throw error
  }
}
