import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/server'
import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import manifest from '../../package.json' with { type: 'json' }

const identity = { name: 'flamegate', title: 'Flamegate', version: manifest.version }

/** What `initialize` and `server/discover` say about us. */
export function serverInfo(publicUrl: string): Implementation {
  return {
    ...identity,
    websiteUrl: publicUrl,
    icons: [{ src: `${publicUrl}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
  }
}

export const capabilities: ServerCapabilities = { tools: {}, resources: {}, prompts: {}, logging: {} }

/** For the agent, before it has seen a tool. */
export const instructions = `Flamegate keeps benchmark runs, profiles and flame graphs of your projects.
- Not sure which tool? find_tools finds tools by words, describe_tool shows one with examples.
- Start with list_projects or list_repositories; ids in answers are what other tools take.
- "Is it slower?": list_runs, then compare_runs. "Where does the time go?": query_flamegraph with a run and a benchmark, or with a profile.
- To bring in data: submit_benchmark_results for results as text, create_run_upload and create_profile_upload for files.
- Answers are bounded. If one says truncated, ask for less: a limit, a depth, a name.`

/** Lists change when we deploy, and what is in them may depend on who asks. */
export const listCaching = { ttlMs: 300_000, cacheScope: 'private' } as const

/**
 * What every result of 2026-07-28 says beside its content, as JSON members. Here without icons, which are of no use
 * in every single answer.
 */
export const resultStamp = `"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: identity })}`
