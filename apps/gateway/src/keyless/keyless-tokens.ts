import { addressKey, apiTokenPrefix, hashSecret, newSecret } from '@flamegate/auth'
import { newId, Problem } from '@flamegate/contract'
import type { IdentityStore, KeylessProject } from '@flamegate/operations/ports'
import type { FastifyRequest } from 'fastify'
import { countAttempts } from '../accounts/counted-attempts.ts'
import { noteSecurity } from '../security-events.ts'
import type { GitHubJob, GitHubJobs } from './github-job.ts'

const lifetimeMs = 15 * 60_000
/** Per address, forgotten after a success: many jobs share one. */
const attemptLimit = { attempts: 60, firstWaitMs: 1_000, longestWaitMs: 60_000 }

interface KeylessToken {
  secret: string
  projectId: string
  expiresAt: Date
}

/** Gives jobs of GitHub Actions, for their identity token, an API token that uploads to the project of their repository. */
interface KeylessTokens {
  /**
   * `projectId` says which, where several projects have the repository; `howToName` tells a job that has to say it how.
   * @throws Problem
   */
  exchange(
    request: FastifyRequest,
    idToken: string,
    options: { projectId: string | undefined; howToName: string },
  ): Promise<KeylessToken>
}

export function createKeylessTokens({
  identity,
  jobs,
}: {
  identity: IdentityStore
  jobs: GitHubJobs
}): KeylessTokens {
  const attempts = countAttempts(identity.accounts.attempts, 'keyless', attemptLimit)

  return {
    async exchange(request, idToken, { projectId, howToName }) {
      const address = addressKey(request.ip)
      await attempts.count(address)
      const job = await jobs.verify(idToken)
      const project = only(await identity.keyless.listProjects(job.repository), projectId, job, howToName)
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
      return { secret, projectId: project.id, expiresAt: token.expiresAt }
    },
  }
}

function only(
  projects: KeylessProject[],
  wanted: string | undefined,
  job: GitHubJob,
  howToName: string,
): KeylessProject {
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
    `Several projects let ${job.repository} upload without a token. Name yours: ${howToName}.`,
    { errors: [{ field: 'project_id', message: 'Needed.' }] },
  )
}
