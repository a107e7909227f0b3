import { addressKey, apiTokenPrefix, hashSecret, newSecret } from '@flamegate/auth'
import { newId, Problem } from '@flamegate/contract'
import type { IdentityStore, KeylessProject } from '@flamegate/operations/ports'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { readInput } from '../accounts/account-input.ts'
import { countAttempts } from '../accounts/counted-attempts.ts'
import { noteSecurity, recordSecurity } from '../security-events.ts'
import type { GitHubJob, GitHubJobs } from './github-job.ts'

const lifetimeMs = 15 * 60_000
/** Per address, forgotten after a success: many jobs share one. */
const attemptLimit = { attempts: 60, firstWaitMs: 1_000, longestWaitMs: 60_000 }

const input = z.strictObject({
  id_token: z.string().min(1).max(10_000),
  /** Which, where several projects have the repository. */
  project_id: z.string().min(1).max(64).optional(),
})

const path = '/v1/keyless-uploads/github'

/**
 * `POST /v1/keyless-uploads/github`: a job of GitHub Actions gives its identity token and gets an API token that may
 * upload to the project of its repository, if the project lets it, for a quarter of an hour.
 */
export function keylessRoutes({
  identity,
  jobs,
}: {
  identity: IdentityStore
  jobs: GitHubJobs
}): FastifyPluginAsync {
  return async (app) => {
    const attempts = countAttempts(identity.accounts.attempts, 'keyless', attemptLimit)
    recordSecurity(app, identity, { [`POST ${path}`]: { action: 'issue_keyless_token' } })

    app.post(path, async (request, reply) => {
      const address = addressKey(request.ip)
      await attempts.count(address)
      const { id_token: idToken, project_id: wanted } = readInput(input, request.body)
      const job = await jobs.verify(idToken)
      const project = only(await identity.keyless.listProjects(job.repository), wanted, job)
      await attempts.forget(address)

      const secret = newSecret(apiTokenPrefix)
      const token = {
        id: newId('apiToken'),
        name: `GitHub Actions of ${job.repository}, run ${job.runId}`,
        prefix: secret.slice(0, 8),
        tokenHash: hashSecret(secret),
        expiresAt: new Date(Date.now() + lifetimeMs),
      }
      noteSecurity(request, {
        userId: project.userId,
        workspaceIds: [project.workspaceId],
        target: project.id,
        client: { id: token.id, name: token.name },
      })
      await identity.keyless.addToken(project, token)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({
          token: secret,
          project_id: project.id,
          scopes: ['upload'],
          expires_at: token.expiresAt.toISOString(),
        })
    })
  }
}

function only(projects: KeylessProject[], wanted: string | undefined, job: GitHubJob): KeylessProject {
  const fitting = projects.filter(({ id }) => wanted === undefined || id === wanted)
  const [project, ...others] = fitting
  if (project === undefined) {
    throw new Problem(
      'repository_not_found',
      `No project lets ${job.repository} upload without a token. Turn keyless uploads on in the settings of its project.`,
    )
  }
  if (others.length === 0) return project
  throw new Problem(
    'conflict',
    `Several projects let ${job.repository} upload without a token. Name yours: project_id, or FLAMEGATE_PROJECT for the command line.`,
    { errors: [{ field: 'project_id', message: 'Needed.' }] },
  )
}
