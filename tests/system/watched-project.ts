import { operations } from '@flamegate/contract'
import type { Person } from './person.ts'
import { waitForAlert } from './world.ts'

/** A project with a history in which something is to be found. */
export interface WatchedProject {
  projectId: string
  /** Newest run of main, after one benchmark became slower. */
  headRunId: string
  /** A run of main before it did. */
  baseRunId: string
  /** It has an open alert. */
  slowedBenchmarkId: string
}

const runCount = 30
/** The first run in which `parse` is slower. */
const slowedAt = 22
const slowedBy = 1.3

const commands = [
  { name: 'parse', seconds: 0.012 },
  { name: 'render', seconds: 0.034 },
  { name: 'a benchmark with a name that is far too long for any column of a narrow screen', seconds: 0.2 },
]

/**
 * Records thirty runs of main, a day apart, of which the last eight have one slower command, and two of a branch. The
 * rounds are those of hyperfine, with the same noise each time; names and machine differ as they do in real life.
 */
export async function recordWatchedProject(person: Person): Promise<WatchedProject> {
  const { client, workspaceId } = person
  const { project } = await client.call(operations.createProject, {
    workspace_id: workspaceId,
    name: 'Watched',
  })
  const random = seeded(7)
  const record = async (index: number, branch: string, factor: number) => {
    const { run } = await client.call(operations.submitBenchmarkResults, {
      repository: project.id,
      branch,
      commit_hash: (0xabc0000 + index).toString(16).padEnd(40, '5'),
      commit_message: index === slowedAt ? 'Check every token twice' : `Step ${index}`,
      committed_at: new Date(Date.UTC(2026, 9, 1 + index, 12)).toISOString(),
      environment: {
        cpu: index < runCount ? 'AMD EPYC 7763' : 'AMD EPYC 9654',
        os: 'Debian 13',
        hostname: `runner-${index}`,
        ...(branch === 'main' ? {} : { base_branch: 'main' }),
      },
      ...(branch === 'main' ? {} : { pull_request: 42, event: 'pull_request' }),
      adapter: 'hyperfine',
      results: hyperfine(factor, random),
    })
    return run.id
  }
  const runIds: string[] = []
  for (let index = 0; index < runCount; index++) {
    runIds.push(await record(index, 'main', index < slowedAt ? 1 : slowedBy))
  }
  await record(runCount, 'feat/quick', slowedBy)
  await record(runCount + 1, 'feat/quick', 0.8)
  await waitForAlert(person, project.id)
  const headRunId = runIds.at(-1) ?? ''
  const { results } = await client.call(operations.getRun, { run_id: headRunId })
  return {
    projectId: project.id,
    headRunId,
    baseRunId: runIds[slowedAt - 2] ?? '',
    slowedBenchmarkId: results.find(({ uri }) => uri === 'hyperfine::parse')?.benchmark_id ?? '',
  }
}

/** What hyperfine exports, `factor` times as slow for the first command. */
function hyperfine(factor: number, random: () => number): string {
  const results = commands.map(({ name, seconds }, index) => {
    const level = seconds * (index === 0 ? factor : 1) * (1 + 0.006 * (random() + random() - 1))
    const times = Array.from(
      { length: 24 },
      () => level * (1 + 0.02 * (random() + random() + random() - 1.5)),
    )
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length
    return { command: name, mean, times, user: mean * 0.8, system: mean * 0.1 }
  })
  return JSON.stringify({ results })
}

/** Numbers from 0 to 1, the same each time (a linear congruential generator, Numerical Recipes). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
