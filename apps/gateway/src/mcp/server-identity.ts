import { viewsExtension } from '@flamegate/surfaces'
import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/server'
import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import manifest from '../../package.json' with { type: 'json' }
import type { Era } from './plain-request.ts'
import { skillsExtension } from './skills.ts'
import { tasksExtension } from './tasks.ts'

const identity = { name: 'flamegate', title: 'Flamegate', version: manifest.version }

/** What `initialize` and `server/discover` say about us. */
export function serverInfo(publicUrl: string): Implementation {
  return {
    ...identity,
    websiteUrl: publicUrl,
    icons: [{ src: `${publicUrl}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
  }
}

/** What both eras have; the old one has no stream on which to tell changes. */
const legacy: ServerCapabilities = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} }

export const capabilities: Record<Era, ServerCapabilities> = {
  legacy,
  modern: {
    ...legacy,
    tools: { listChanged: true },
    resources: { listChanged: true },
    prompts: { listChanged: true },
    extensions: { [tasksExtension]: {}, [viewsExtension]: {}, [skillsExtension]: {} },
  },
}

/** For the agent, before it has seen a tool. */
export const instructions = `Flamegate keeps benchmark runs, profiles and flame graphs of your projects.
- Not sure which tool? find_tools finds tools by words, describe_tool shows one with examples, call_tool calls it, also when it is not listed.
- Start with list_projects or list_repositories; ids in answers are what other tools take.
- "Is it slower?": list_runs, then compare_runs. "Where does the time go?": query_flamegraph with a run and a benchmark, or with a profile.
- To bring in data: submit_benchmark_results for results as text, create_run_upload and create_profile_upload for files.
- What deletes or starts something is confirmed first: the answer says how.
- Answers are bounded. If one says truncated, ask for less: a limit, a depth, a name.`

/** Lists change when we deploy, and what is in them may depend on who asks. */
export const listCaching = { ttlMs: 300_000, cacheScope: 'private' } as const

/**
 * What every result of 2026-07-28 says of us, as a JSON member. Here without icons, which are of no use in every single
 * answer.
 */
export const serverStamp = `"_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: identity })}`

/** The same for a result that is one: everything that it says beside its content. */
export const resultStamp = `"resultType":"complete",${serverStamp}`
