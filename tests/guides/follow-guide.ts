import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import {
  endsOf,
  filledIn,
  givenOf,
  pathOf,
  placeOf,
  stepsOf,
  valueAt,
  type GuideEnd,
  type GuideStep,
} from './guide-steps.ts'
import { platform } from '../system/person.ts'
import { programEnv } from '../system/program-env.ts'

/** What an agent has that follows a guide. */
export interface Follower {
  /** Of an API token. */
  token: string
  /** Values of the names that the guide says are given. */
  given: Readonly<Record<string, unknown>>
  /** Where shell commands run; a folder of its own when it is left out. */
  cwd?: string
  /** Besides what every command gets: `FLAMEGATE_URL`, `FLAMEGATE_TOKEN`, and `flamegate` and `mcp-profiler` on the path. */
  env?: Readonly<Record<string, string>>
  /** What others do at that time, after the step with this number (from 0): a person, a program, a build. */
  afterStep?: (step: number, answers: ReadonlyMap<string, unknown>) => Promise<void>
  /** Whether it tries, when it has reached the end, also what is to be done `instead` in other cases. */
  triesInstead?: boolean
}

/** The last answer of each tool, by its name. */
export type Answers = Map<string, Record<string, unknown>>

/**
 * Does what a guide says, letter by letter, as an agent without a mind of its own would: reads it over MCP, makes each call and runs
 * each command with what earlier answers say, and looks at the end whether that is what the guide promises.
 * @returns All answers, so that a test can say more about them than the guide does.
 * @throws Error that names the step, when a call is refused, a command fails, or the end is not what the guide says.
 */
export function followGuide(name: string, follower: Follower): Promise<Answers> {
  return followText(follower, async (client) =>
    z.string().parse((await call(client, 'read_guide', { name }))['text']),
  )
}

/** The same with a page of documentation in that form, such as a tutorial. */
export function followPage(path: string, follower: Follower): Promise<Answers> {
  return followText(follower, () => readFile(path, 'utf8'))
}

async function followText(
  follower: Follower,
  readText: (client: Client) => Promise<string>,
): Promise<Answers> {
  const client = new Client({ name: 'a-literal-agent', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${platform().mcpUrl}/x/all`), {
      requestInit: { headers: { authorization: `Bearer ${follower.token}` } },
    }),
  )
  const tools = await mkdtemp(join(tmpdir(), 'flamegate-guide-'))
  try {
    await Promise.all([
      command(tools, 'flamegate', 'main.ts'),
      command(tools, 'mcp-profiler', 'mcp-profiler.ts'),
    ])
    return await follow(await readText(client), client, { ...follower, cwd: follower.cwd ?? tools }, tools)
  } finally {
    await client.close()
    await rm(tools, { recursive: true, force: true })
  }
}

async function follow(text: string, client: Client, follower: Follower, tools: string): Promise<Answers> {
  const answers: Answers = new Map()
  const given = new Set(givenOf(text))
  const valueOf = (blank: string): unknown => {
    if (given.has(blank)) {
      if (!(blank in follower.given)) throw new Error(`The test gives no ${blank}`)
      return follower.given[blank]
    }
    const { tool, path } = placeOf(blank)
    const value = valueAt(answers.get(tool), path)
    if (value === undefined || value === null) {
      throw new Error(`There is no ${blank} in ${JSON.stringify(answers.get(tool))?.slice(0, 2000)}`)
    }
    return value
  }
  const take = async (step: GuideStep, name: string): Promise<void> => {
    const what = step.kind === 'call' ? step.tool : step.command
    try {
      if (step.kind === 'shell') {
        await shell(filledIn(step.command, valueOf), follower, tools)
      } else {
        const values = filledIn(step.arguments, valueOf)
        answers.set(step.tool, await callUntil(client, step.tool, values, step.until))
      }
    } catch (error) {
      throw new Error(`${name}, ${what}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    }
  }
  const steps = stepsOf(text)
  const mainWay = steps.filter((step) => !step.isInstead)
  for (const [index, step] of mainWay.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    await take(step, `Step ${index}`)
    // oxlint-disable-next-line no-await-in-loop -- see above
    await follower.afterStep?.(index, answers)
  }
  const ends = endsOf(text)
  if (ends.length === 0) throw new Error('The guide does not say when it is done')
  for (const { place, is } of ends) {
    const value = valueAt(answers.get(place.tool), place.path)
    if (!isReached(value, is)) {
      throw new Error(`${JSON.stringify(place)} is ${JSON.stringify(value)}, not ${JSON.stringify(is)}`)
    }
  }
  if (follower.triesInstead === true) {
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    for (const [index, step] of steps.filter(({ isInstead }) => isInstead).entries())
      await take(step, `Instead ${index}`)
  }
  return answers
}

function isReached(value: unknown, is: GuideEnd['is']): boolean {
  if ('above' in is) return typeof value === 'number' && value > is.above
  if ('value' in is) return JSON.stringify(value) === JSON.stringify(is.value)
  return value !== undefined && value !== null && value !== ''
}

async function callUntil(
  client: Client,
  tool: string,
  values: Record<string, unknown>,
  until: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const wanted = Object.entries(until).map(([path, value]) => [pathOf(path), value] as const)
  for (;;) {
    // oxlint-disable no-await-in-loop -- one look after the other
    const answer = await call(client, tool, values)
    if (wanted.every(([path, value]) => valueAt(answer, path) === value)) return answer
    if (answer['next_poll_seconds'] === null) {
      throw new Error(`It ended otherwise: ${JSON.stringify(answer).slice(0, 2000)}`)
    }
    await sleep(300)
    // oxlint-enable no-await-in-loop
  }
}

/** A tool call, confirmed when that is asked for. */
async function call(
  client: Client,
  name: string,
  values: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const ask = async (input: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: input })
    if (result.isError === true) throw new Error(JSON.stringify(result.content))
    return z.record(z.string(), z.unknown()).parse(result.structuredContent)
  }
  const first = await ask(values)
  const confirm = first['confirmation_token']
  return confirm === undefined ? first : ask({ ...values, confirm })
}

async function shell(script: string, follower: Follower, tools: string): Promise<void> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: follower.cwd,
    env: {
      ...programEnv,
      HOME: tools,
      FLAMEGATE_URL: platform().url,
      FLAMEGATE_TOKEN: follower.token,
      ...follower.env,
      PATH: `${tools}${delimiter}${programEnv.PATH}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`It ended with ${String(code)}: ${output.slice(-2000)}`)
}

/** A command of ours under the name that guides call it by. */
async function command(folder: string, name: string, program: string): Promise<void> {
  const file = join(folder, name)
  const main = join(import.meta.dirname, '../../apps/cli/src', program)
  await writeFile(file, `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`)
  await chmod(file, 0o755)
}
