import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { firstWorkspace, hashPassword, verifyPassword } from '@flamegate/auth'
import { createClient, type Client } from '@flamegate/client'
import { newId, operations } from '@flamegate/contract'
import type { IdentityStore } from '@flamegate/operations/ports'
import type { Logger } from '@flamegate/runtime'
import { z } from 'zod'
import { readLoadTest, seedLoadTest } from './demo-load-test.ts'
import { upload, type Seeding } from './demo-upload.ts'

/** Who logs in to look at the demo. The password is made once per data directory. */
export interface DemoLogin {
  email: string
  password: string
}

const stateSchema = z.object({
  email: z.string(),
  password: z.string(),
  seeded: z.boolean(),
  /** For an agent of load of the demo workspace; there since it was filled. */
  agent: z.object({ workspaceId: z.string(), token: z.string() }).optional(),
})
type DemoState = z.output<typeof stateSchema>

/** What `demo/data/manifest.json` says; see demo/README.md for how it was made. */
const manifestSchema = z.object({
  projects: z.array(
    z.object({
      slug: z.string(),
      name: z.string(),
      description: z.string(),
      repository: z.string(),
      runs: z.array(
        z.object({
          dir: z.string(),
          branch: z.string(),
          commit_hash: z.string(),
          commit_message: z.string(),
          committed_at: z.string(),
          pull_request: z.number().optional(),
          event: z.string(),
          environment: z.record(z.string(), z.string()),
          results: z.array(z.object({ file: z.string(), adapter: z.string() })),
          profiles: z.array(
            z.object({ file: z.string(), type: z.string(), benchmark_uri: z.string().optional() }),
          ),
        }),
      ),
    }),
  ),
})

/** The demo's log-in, made on the first start and kept in the data directory. */
export async function demoLogin(dataDir: string): Promise<DemoLogin> {
  const { email, password } = await readState(dataDir)
  return { email, password }
}

/**
 * Makes the demo's account, before anybody else could sign up with its address. That is nobody's mailbox, so that
 * nobody could confirm it: it counts as confirmed.
 */
export async function ensureDemoAccount(identity: IdentityStore, dataDir: string): Promise<void> {
  const { email, password } = await readState(dataDir)
  const existing = await identity.findUserByEmail(email)
  if (existing) {
    // Ours, as far as its password tells, and made before addresses were confirmed.
    const isOurs = await verifyPassword(existing.passwordHash ?? undefined, password)
    return isOurs ? identity.accounts.confirmEmail(existing.id) : undefined
  }
  const passwordHash = await hashPassword(password)
  const person = { id: newId('user'), name: 'Demo', email, passwordHash, emailVerifiedAt: new Date() }
  await identity.createUser(person, firstWorkspace(person.name))
}

/**
 * Fills the demo workspace on the first start, through the public API and nothing else: logs in, creates the
 * projects, submits the recorded runs, uploads their profiles and the results of load tests, and waits until they are
 * read. A start that was interrupted in the middle begins it again.
 */
export async function seedDemo(options: {
  dataDir: string
  demoDir: string
  /** Where we listen. */
  url: string
  /** What our own pages have as their origin. */
  publicUrl: string
  log: Logger
  say: (line: string) => void
}): Promise<void> {
  const state = await readState(options.dataDir)
  if (state.seeded) return
  const { url, publicUrl, log, say } = options
  say('Filling the demo workspace …')
  const origin = new URL(publicUrl).origin
  const client = createClient({
    baseUrl: url,
    headers: { cookie: await logIn(url, origin, state), origin },
  })
  const { workspaces } = await client.call(operations.listWorkspaces, {})
  const workspaceId = workspaces.find((workspace) => workspace.role === 'owner')?.id
  if (workspaceId === undefined) throw new Error('The demo account owns no workspace.')

  await removeProjects(client, workspaceId)
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(join(options.demoDir, 'data', 'manifest.json'), 'utf8')),
  )
  const loadTest = await readLoadTest(options.demoDir)
  for (const project of manifest.projects) {
    const created = await client.call(operations.createProject, {
      workspace_id: workspaceId,
      name: project.name,
      description: project.description,
      repository: project.repository,
      tags: ['demo'],
    })
    const seeding: Seeding = {
      client,
      projectId: created.project.id,
      reachable: (link) => (link.startsWith(publicUrl) ? url + link.slice(publicUrl.length) : link),
    }
    for (const run of project.runs)
      await seedRun(seeding, join(options.demoDir, 'data', project.slug, run.dir), run)
    if (loadTest.project === project.slug) await seedLoadTest(seeding, options.demoDir, loadTest)
    log.info({ project: project.name, runs: project.runs.length }, 'demo project seeded')
  }
  const { token } = await client.call(operations.getAgentInstallCommand, {
    workspace_id: workspaceId,
    expires_in_days: 365,
  })
  await writeState(options.dataDir, { ...state, seeded: true, agent: { workspaceId, token } })
}

/** What an agent of load of the demo workspace needs; undefined where the demo was not filled here. */
export async function demoAgent(dataDir: string): Promise<DemoState['agent']> {
  return (await readState(dataDir)).agent
}

type ManifestRun = z.output<typeof manifestSchema>['projects'][number]['runs'][number]

async function seedRun(seeding: Seeding, dir: string, run: ManifestRun): Promise<void> {
  let runId: string | undefined
  for (const results of run.results) {
    const bytes = await readFile(join(dir, results.file))
    const announced = await seeding.client.call(operations.createRunUpload, {
      repository: seeding.projectId,
      run_id: runId,
      branch: run.branch,
      commit_hash: run.commit_hash,
      commit_message: run.commit_message,
      committed_at: new Date(run.committed_at).toISOString(),
      pull_request: run.pull_request,
      event: run.event,
      environment: run.environment,
      file_name: results.file,
      size_bytes: bytes.length,
    })
    await upload(seeding, announced, bytes)
    runId = announced.run_id
  }
  if (runId === undefined) return
  for (const profile of run.profiles) await seedProfile(seeding, dir, runId, profile)
}

async function seedProfile(
  seeding: Seeding,
  dir: string,
  runId: string,
  profile: ManifestRun['profiles'][number],
): Promise<void> {
  const bytes = await readFile(join(dir, profile.file))
  const announced = await seeding.client.call(operations.createProfileUpload, {
    project_id: seeding.projectId,
    file_name: profile.file,
    size_bytes: bytes.length,
    type: profile.type,
    run_id: runId,
    benchmark: profile.benchmark_uri,
    tags: ['demo'],
  })
  await upload(seeding, announced, bytes)
}

async function removeProjects(client: Client, workspaceId: string): Promise<void> {
  const { projects } = await client.call(operations.listProjects, { workspace_id: workspaceId, limit: 100 })
  for (const project of projects) {
    await client.call(operations.deleteProject, { project_id: project.id, confirm: project.name })
  }
}

/** Logs in and gives the session cookie. */
async function logIn(url: string, origin: string, { email, password }: DemoLogin): Promise<string> {
  const response = await fetch(`${url}/auth/log-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok)
    throw new Error(`The demo account could not log in: ${response.status} ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

async function readState(dataDir: string): Promise<DemoState> {
  const path = statePath(dataDir)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text !== undefined) return stateSchema.parse(JSON.parse(text))
  const state = {
    email: 'demo@flamegate.example',
    password: randomBytes(12).toString('base64url'),
    seeded: false,
  }
  await writeState(dataDir, state)
  return state
}

function writeState(dataDir: string, state: DemoState): Promise<void> {
  return writeFile(statePath(dataDir), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
}

function statePath(dataDir: string): string {
  return join(dataDir, 'demo.json')
}
