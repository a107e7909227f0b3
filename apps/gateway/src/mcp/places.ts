import { ExpiringCache } from '@flamegate/auth'
import { allows, operations, Problem } from '@flamegate/contract'
import type { AnswerOf, Operation, Principal } from '@flamegate/contract'
import type { Membership } from '@flamegate/operations/ports'
import { firstOf } from '@flamegate/surfaces'
import type { Place } from '@flamegate/surfaces'
import type { ApiAnswer } from '../api-caller.ts'
import type { Memberships } from './memberships.ts'

/** Calls an operation in the name of a principal, for its answer as data. */
export type CallAs = (principal: Principal, operation: Operation, input: unknown) => Promise<ApiAnswer>

/** Finds the workspace and the project that an address names, by id or slug. */
export interface Places {
  /**
   * @throws Problem `workspace_not_found` or `project_not_found`, with those there are
   */
  find(principal: Principal, workspace: string, project: string | undefined, callAs: CallAs): Promise<Place>
}

const keptForMs = 60_000
const placesMax = 10_000
const pagesMax = 20
const shownMax = 20

type ListedProjects = AnswerOf<typeof operations.listProjects>

export function createPlaces(memberships: Memberships, now: () => number = Date.now): Places {
  // Only names are kept. Whether the caller may reach what they stand for is asked of the API at each call.
  const kept = new ExpiringCache<string>(placesMax)

  async function findProject(
    principal: Principal,
    workspaceId: string,
    name: string,
    callAs: CallAs,
  ): Promise<string> {
    const key = JSON.stringify([principal.userId, principal.projectId, workspaceId, name])
    const known = kept.get(key, now())
    if (known !== undefined) return known
    const { found, others } = await searchProject(principal, workspaceId, name, callAs)
    if (found === undefined) {
      throw new Problem(
        'project_not_found',
        `There is no project ${shown(name)} in this workspace. There are: ${listed(others)}.`,
      )
    }
    kept.set(key, found, now() + keptForMs)
    return found
  }

  return {
    async find(principal, workspace, project, callAs) {
      const reachable = await memberships.of(principal)
      const { workspaceId } = workspaceOf(reachable, workspace)
      if (project === undefined) return { workspaceId }
      // Where the address leads has nothing to do with the toolsets that were left to a connection.
      const within = { ...principal, workspaceIds: [workspaceId], toolsets: undefined }
      const projectId = await findProject(within, workspaceId, project, callAs)
      // The address narrows what a credential reaches; it never moves it to another project.
      if (principal.projectId !== undefined && principal.projectId !== projectId)
        throw new Problem('project_not_found', `This token reaches no project ${shown(project)}.`)
      return { workspaceId, projectId }
    },
  }
}

function workspaceOf(memberships: readonly Membership[], name: string): Membership {
  const found =
    memberships.find(({ workspaceId }) => workspaceId === name) ??
    memberships.find(({ slug }) => slug === name.toLowerCase())
  if (found !== undefined) return found
  throw new Problem(
    'workspace_not_found',
    `You reach no workspace ${shown(name)}. You reach: ${listed(memberships.map(({ slug }) => slug))}.`,
  )
}

async function searchProject(
  principal: Principal,
  workspaceId: string,
  name: string,
  callAs: CallAs,
): Promise<{ found: string | undefined; others: string[] }> {
  const others: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page += 1) {
    const input = { workspace_id: workspaceId, limit: 100, ...(cursor === undefined ? {} : { cursor }) }
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next one begins
    const { projects, next_cursor: next } = readProjects(
      await callAs(principal, operations.listProjects, input),
      principal,
    )
    const found = projects.find(({ id, slug }) => id === name || slug === name.toLowerCase())
    if (found !== undefined) return { found: found.id, others }
    others.push(...projects.map(({ slug }) => slug))
    if (next === null) break
    cursor = next
  }
  return { found: undefined, others }
}

/** @throws Problem when the API does not say which projects there are */
function readProjects({ status, body, callerLimit }: ApiAnswer, { scopes }: Principal): ListedProjects {
  if (status === 200) {
    const result: { structuredContent?: ListedProjects } = JSON.parse(body.toString())
    if (result.structuredContent !== undefined) return result.structuredContent
  }
  if (callerLimit !== undefined) {
    throw new Problem('rate_limited', 'Which project the address names was asked for too often.', {
      retryAfterSeconds: 1,
      callerLimit,
    })
  }
  if (!allows(scopes, operations.listProjects.scopes)) {
    throw new Problem(
      'insufficient_scope',
      `An address with a project in it needs the scope ${operations.listProjects.scopes[0]}.`,
    )
  }
  throw new Problem(
    'unavailable',
    'Which projects there are cannot be told right now. Try again in a few seconds.',
  )
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const rest = names.length - shownMax
  return names.slice(0, shownMax).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

function shown(name: string): string {
  return name.length <= 100 ? name : `${firstOf(name, 100)}…`
}
