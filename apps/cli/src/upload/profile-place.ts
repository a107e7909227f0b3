import { ApiProblem, type Client } from '@flamegate/client'
import { getRun } from '@flamegate/contract/benchmarks/get-run'
import { listRepositories } from '@flamegate/contract/benchmarks/list-repositories'
import { UsageError } from '../usage-error.ts'

/** The project and run that profiles are attached to. */
export interface ProfilePlace {
  project_id: string
  run_id?: string
}

/**
 * Finds where profiles belong by what is known. An upload token may look nothing up, so nothing is asked when the
 * project's id is given.
 *
 * @throws UsageError when nothing tells the project
 */
export async function findProfilePlace(
  client: Client,
  known: { runId?: string | undefined; repository?: string | undefined },
): Promise<ProfilePlace> {
  const { runId, repository } = known
  if (repository !== undefined && !repository.includes('/') && runId !== 'latest') {
    return { project_id: repository, ...(runId === undefined ? {} : { run_id: runId }) }
  }
  try {
    return await lookUp(client, runId, repository)
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'insufficient_scope') throw error
    throw new UsageError(
      'This token may look nothing up: give the id of the project (prj_…) as --repository, and of the run as --run.',
    )
  }
}

async function lookUp(
  client: Client,
  runId: string | undefined,
  repository: string | undefined,
): Promise<ProfilePlace> {
  if (runId !== undefined) {
    const found = await client.call(getRun, {
      run_id: runId,
      ...(runId === 'latest' && repository !== undefined ? { repository } : {}),
      limit: 1,
    })
    return { project_id: found.run.project_id, run_id: found.run.id }
  }
  if (repository === undefined) {
    throw new UsageError('A profile needs its project: give --repository, or --run.')
  }
  return { project_id: await projectIdOf(client, repository) }
}

async function projectIdOf(client: Client, repository: string, cursor?: string): Promise<string> {
  const page = await client.call(listRepositories, {
    limit: 100,
    ...(cursor === undefined ? {} : { cursor }),
  })
  const found = page.repositories.find((each) => each.repository?.toLowerCase() === repository.toLowerCase())
  if (found !== undefined) return found.project_id
  if (page.next_cursor === null) {
    throw new UsageError(
      `You see no project of the repository ${repository}. flamegate projects shows yours.`,
    )
  }
  return projectIdOf(client, repository, page.next_cursor)
}
