import { operations } from '@flamegate/contract'
import type { Reader } from './library.ts'

/** What an argument's value is the id of; of a repository its name. */
export type CompletedKind =
  | 'repository'
  | 'project'
  | 'run'
  | 'benchmark'
  | 'profile'
  | 'virtual_user'
  | 'live_app'

/** Something that a value can stand for, with the words that people know it by. */
interface Candidate {
  value: string
  words: string
}

/** Each project is a call: what is of older ones is found by `search`. */
const projectsMax = 5
const perProject = 50

/**
 * What a value can become, by what the reader may see, newest first: what begins like it, or has it in its name.
 * @param chosen Other arguments that were filled in before; `project_id` or `repository` says where to look.
 */
export async function completions(
  kind: CompletedKind,
  value: string,
  chosen: Readonly<Record<string, string>>,
  reader: Reader,
): Promise<readonly string[]> {
  const wanted = value.toLowerCase()
  const candidates = await candidatesOf(kind, chosen, reader)
  return candidates
    .filter(
      (each) => each.value.toLowerCase().startsWith(wanted) || each.words.toLowerCase().includes(wanted),
    )
    .map((each) => each.value)
}

async function candidatesOf(
  kind: CompletedKind,
  chosen: Readonly<Record<string, string>>,
  reader: Reader,
): Promise<Candidate[]> {
  const { repositories = [] } = (await reader.ask(operations.listRepositories, { limit: 100 })) ?? {}
  if (kind === 'repository') {
    return repositories.flatMap(({ repository }) =>
      repository === null ? [] : [{ value: repository, words: repository }],
    )
  }
  if (kind === 'project') {
    return repositories.map(({ project_id: id, name, repository }) => ({
      value: id,
      words: `${name} ${repository ?? ''}`,
    }))
  }
  const { project_id: projectId, repository: of } = chosen
  const places = repositories
    .filter((each) => projectId === undefined || each.project_id === projectId)
    .filter((each) => of === undefined || each.repository === of)
  const found = await Promise.all(
    places.slice(0, projectsMax).map((each) => listed[kind](each.project_id, reader)),
  )
  return found.flat()
}

/** The newest of a kind in a project. */
const listed: Record<
  Exclude<CompletedKind, 'repository' | 'project'>,
  (projectId: string, reader: Reader) => Promise<Candidate[]>
> = {
  async run(projectId, reader) {
    const answer = await reader.ask(operations.listRuns, { repository: projectId, limit: perProject })
    return (answer?.runs ?? []).map(({ id, branch, commit_message: message }) => ({
      value: id,
      words: `${branch} ${message ?? ''}`,
    }))
  },
  async benchmark(projectId, reader) {
    const answer = await reader.ask(operations.listBenchmarks, { repository: projectId, limit: perProject })
    return (answer?.benchmarks ?? []).map(({ id, uri }) => ({ value: id, words: uri }))
  },
  async profile(projectId, reader) {
    const answer = await reader.ask(operations.listProfiles, { project_id: projectId, limit: perProject })
    return named(answer?.profiles)
  },
  async virtual_user(projectId, reader) {
    const answer = await reader.ask(operations.listVirtualUsers, { project_id: projectId, limit: perProject })
    return named(answer?.virtual_users)
  },
  async live_app(projectId, reader) {
    const answer = await reader.ask(operations.listLiveApps, { project_id: projectId })
    return named(answer?.live_apps)
  },
}

function named(things: readonly { id: string; name: string }[] = []): Candidate[] {
  return things.map(({ id, name }) => ({ value: id, words: name }))
}
