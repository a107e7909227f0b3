import type { IdentityStore } from '@flamegate/operations/ports'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { readInput } from '../accounts/account-input.ts'
import { recordSecurity } from '../security-events.ts'
import { createKeylessTokens } from './keyless-tokens.ts'
import type { GitHubJobs } from './github-job.ts'

const input = z.strictObject({
  id_token: z.string().min(1).max(10_000),
  /** Which, where several projects have the repository. */
  project_id: z.string().min(1).max(64).optional(),
})

const path = '/v1/keyless-uploads/github'
const howToName = 'project_id, or FLAMEGATE_PROJECT for the command line'

/**
 * `POST /v1/keyless-uploads/github`: a job of GitHub Actions gives its identity token and gets an API token that may
 * upload to the project of its repository, if the project lets it, for a quarter of an hour.
 */
export function keylessRoutes(options: { identity: IdentityStore; jobs: GitHubJobs }): FastifyPluginAsync {
  return async (app) => {
    const tokens = createKeylessTokens(options)
    recordSecurity(app, options.identity, { [`POST ${path}`]: { action: 'issue_keyless_token' } })

    app.post(path, async (request, reply) => {
      const { id_token: idToken, project_id: wanted } = readInput(input, request.body)
      const { secret, projectId, expiresAt } = await tokens.exchange(request, idToken, {
        projectId: wanted,
        howToName,
      })
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({
          token: secret,
          project_id: projectId,
          scopes: ['upload'],
          expires_at: expiresAt.toISOString(),
        })
    })
  }
}
