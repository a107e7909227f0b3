import { inspect } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { BrowserlessPerson } from '../../system/browserless-person.ts'
import { TokenClient, tokensSchema } from '../../system/token-client.ts'

const results = `pkg: example.com/router\n${'BenchmarkRoute-2 \t 100000\t 1000 ns/op\n'.repeat(6)}PASS\n`
const ids = z.object({ id: z.string() })
const taskState = z.object({ task: z.object({ status: z.string() }) })
const announcement = z.object({
  upload: z.object({ url: z.string(), method: z.string(), headers: z.record(z.string(), z.string()) }),
  task_id: z.string(),
})

/** What was asked of an installation, and what came of it. */
export interface Traffic {
  /** Each with its time, oldest first. */
  failures: { at: string; what: string }[]
  counts: { reads: number; writes: number; files: number; pages: number }
  /** Pages that lacked a file of their version and were loaded anew, as `reload.js` of the pages does it. */
  loadedAnew: string[]
  /** The runs that were acknowledged, oldest first. */
  runs: string[]
  /** Which of these runs are not there. */
  missingRuns(asked: readonly string[]): Promise<string[]>
  /** The jobs that were acknowledged and have not done what was asked. */
  missingJobs(): Promise<string[]>
  stop(): Promise<void>
}

/**
 * Agents over MCP, a CI over REST with a token, and people who open pages: they read and write without a pause longer than a person's
 * breath, and try nothing again but what lacks a file.
 */
export async function startTraffic(url: string, { agents = 4 } = {}): Promise<Traffic> {
  const person = await BrowserlessPerson.signUp(url, 'Traffic')
  const { workspaces } = z
    .object({ workspaces: z.array(ids) })
    .parse(await (await person.rest('GET', '/v1/workspaces')).json())
  const workspaceId = workspaces[0]?.id ?? ''
  const { project } = z
    .object({ project: ids })
    .parse(
      await (await person.rest('POST', `/v1/workspaces/${workspaceId}/projects`, { name: 'Router' })).json(),
    )
  const { secret } = z.object({ secret: z.string() }).parse(
    await (
      await person.rest('POST', `/v1/workspaces/${workspaceId}/api-tokens`, {
        name: 'ci',
        scopes: ['read', 'write'],
      })
    ).json(),
  )
  const authorization = `Bearer ${secret}`
  const runs: string[] = []
  const tasks: string[] = []
  const loadedAnew: string[] = []
  const failures: Traffic['failures'] = []
  const counts = { reads: 0, writes: 0, files: 0, pages: 0 }
  const fail = (what: string) => void failures.push({ at: new Date().toISOString(), what })
  const over = new AbortController()

  async function submit(): Promise<void> {
    const commit = crypto.randomUUID().replaceAll('-', '')
    const answer = await fetch(`${url}/v1/repositories/${project.id}/runs`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ branch: 'main', commit_hash: commit, results }),
    })
    const text = await answer.text()
    if (!answer.ok) return fail(`submission: ${answer.status} ${text.slice(0, 200)}`)
    runs.push(z.object({ run: ids }).parse(JSON.parse(text)).run.id)
    counts.writes += 1
  }

  /** A file goes to the store by a link, and a worker reads it. */
  async function upload(): Promise<void> {
    const content = Buffer.from('main;parse;readToken 60\nmain;print 10\n'.repeat(20))
    const announced = await fetch(`${url}/v1/projects/${project.id}/profiles/uploads`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ file_name: 'stacks.txt', type: 'cpu', size_bytes: content.length }),
    })
    const text = await announced.text()
    if (!announced.ok) return fail(`announced file: ${announced.status} ${text.slice(0, 200)}`)
    const { upload: to, task_id: task } = announcement.parse(JSON.parse(text))
    const stored = await fetch(to.url, { method: to.method, headers: to.headers, body: content })
    if (!stored.ok) return fail(`file: ${stored.status} ${(await stored.text()).slice(0, 200)}`)
    tasks.push(task)
    counts.files += 1
    await endOfTask(task)
  }

  async function endOfTask(id: string): Promise<void> {
    for (const deadline = Date.now() + 300_000; ; await pause(500)) {
      const answer = await fetch(`${url}/v1/tasks/${id}`, { headers: { authorization } })
      const text = await answer.text()
      if (!answer.ok) return fail(`task: ${answer.status} ${text.slice(0, 200)}`)
      const { status } = taskState.parse(JSON.parse(text)).task
      if (status === 'SUCCESS') return
      if (status === 'FAILED' || Date.now() > deadline)
        return fail(`task ${id} is ${status}: ${text.slice(0, 200)}`)
    }
  }

  /** A page with all that it asks for at first, and one thing that it asks for later. */
  async function visit(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const lacking = await lackingOfPage()
      if (lacking === undefined) break
      if (tries === 10) return fail(`page: ${lacking}`)
      loadedAnew.push(lacking)
      await pause(1_000)
    }
    counts.pages += 1
  }

  async function lackingOfPage(): Promise<string | undefined> {
    const page = await (await fetch(`${url}/log-in`, { headers: { accept: 'text/html' } })).text()
    const wanted = [...page.matchAll(/(?:src|href)="(?<path>\/assets\/[^"]+)"/g)].map(
      (found) => found.groups?.['path'] ?? '',
    )
    if (wanted.length === 0) return 'index.html has no scripts'
    // It grows while it is gone through.
    for (const path of wanted) {
      const answer = await fetch(url + path)
      const text = await answer.text()
      if (!answer.ok) return `${path}: ${answer.status}`
      const later = /assets\/log-in-[\w-]+\.js/.exec(text)?.[0]
      if (later !== undefined && !wanted.includes(`/${later}`)) wanted.push(`/${later}`)
    }
    return undefined
  }

  async function readOverMcp(client: TokenClient, token: string): Promise<void> {
    const answer = await client.call(token, 'list_runs', url, { repository: project.id })
    const text = await answer.text()
    if (answer.status !== 200 || text.includes('"isError":true')) {
      return fail(`list_runs over MCP: ${answer.status} ${text.slice(0, 200)}`)
    }
    counts.reads += 1
  }

  async function readOverRest(path: string): Promise<void> {
    const answer = await fetch(`${url}${path}`, { headers: { authorization } })
    const text = await answer.text()
    if (!answer.ok) return fail(`${path}: ${answer.status} ${text.slice(0, 200)}`)
    counts.reads += 1
  }

  const repeat = async (work: () => Promise<void>, everyMs: number) => {
    while (!over.signal.aborted) {
      await work().catch((error: unknown) => fail(inspect(error, { depth: 1 }).slice(0, 300)))
      await pause(everyMs)
    }
  }
  const working = [
    repeat(submit, 300),
    repeat(upload, 1_000),
    repeat(visit, 500),
    repeat(() => readOverRest(`/v1/repositories/${project.id}/runs`), 100),
    repeat(() => readOverRest('/v1/me'), 50),
  ]
  for (let at = 0; at < agents; at += 1) {
    const client = new TokenClient(url)
    let tokens = await client.connect(person, `Agent ${at}`)
    let freshAt = Date.now()
    const read = async () => {
      // Long before they expire, as clients do.
      if (Date.now() - freshAt > 300_000) {
        tokens = tokensSchema.parse(await (await client.refresh(tokens.refresh_token)).json())
        freshAt = Date.now()
      }
      await readOverMcp(client, tokens.access_token)
    }
    working.push(repeat(read, 150))
  }
  return {
    failures,
    counts,
    loadedAnew,
    runs,
    async missingRuns(asked) {
      const missing: string[] = []
      for (const id of asked) {
        const { status } = await fetch(`${url}/v1/runs/${id}`, { headers: { authorization } })
        if (status !== 200) missing.push(`${id}: ${status}`)
      }
      return missing
    },
    async missingJobs() {
      const missing: string[] = []
      for (const id of tasks) {
        const answer = await fetch(`${url}/v1/tasks/${id}`, { headers: { authorization } })
        const { status } = taskState.parse(await answer.json()).task
        if (status !== 'SUCCESS') missing.push(`${id}: ${status}`)
      }
      return missing
    },
    async stop() {
      over.abort()
      await Promise.all(working)
    },
  }
}
