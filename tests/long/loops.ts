// What agents do with profiles, end to end with real programs and by MCP tools alone: find what is slow and prove that it is
// better, hunt a leak, work towards a target or show that it is out of reach, and rank the parts of one system.
//
//     npm run long -- loops [--only hot-spot,leak,target,cross-language]
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { operations } from '@flamegate/contract'
import { startOwnPlatform } from '../installation/own-platform.ts'
import { signUpAs } from '../system/person.ts'
import { Agent } from './loops/agent.ts'
import { crossLanguageLoop, hasPython } from './loops/cross-language-loop.ts'
import { hotSpotLoop } from './loops/hot-spot-loop.ts'
import { leakLoop } from './loops/leak-loop.ts'
import type { LoopResult, Surroundings } from './loops/loop.ts'
import { buildGo, goProgram, goVersion, nodeProgram } from './loops/measured-program.ts'
import { loopsPage } from './loops/page.ts'
import { targetLoop } from './loops/target-loop.ts'

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const loops: Record<string, (surroundings: Surroundings) => AsyncGenerator<LoopResult>> = {
  'hot-spot': hotSpots,
  leak: leaks,
  target: targets,
  'cross-language': crossLanguage,
}
const asked = values.only?.split(',') ?? Object.keys(loops)
const run = promisify(execFile)
const go = goVersion()
const skipped: string[] = []
if (go === undefined) skip('everything in Go, which is not installed')

const folder = await mkdtemp(join(tmpdir(), 'flamegate-loops-'))
const platform = await startOwnPlatform({ FLAMEGATE_RATE_LIMITS: 'off' })
const results: LoopResult[] = []
try {
  const person = await signUpAs(platform.url, 'Loops', 'loops@example.com')
  const { secret } = await person.client.call(operations.createApiToken, {
    workspace_id: person.workspaceId,
    name: 'agent',
    scopes: ['read', 'write'],
  })
  const agent = await Agent.connect(platform.url, secret, person.workspaceId)
  for (const name of asked) {
    const loop = loops[name]
    if (loop === undefined)
      throw new RangeError(`There is no ${name}; there are ${Object.keys(loops).join(', ')}.`)
    console.log(name)
    for await (const result of loop({ agent, folder })) {
      console.log(`${result.faults.length === 0 ? 'RIGHT' : 'WRONG'}: ${result.title}`)
      for (const fault of result.faults) console.log(`  ${fault}`)
      results.push(result)
    }
  }
  await agent.close()
} finally {
  await platform.stop()
  await rm(folder, { recursive: true, force: true })
}
if (results.length === 0 || results.some(({ faults }) => faults.length > 0)) process.exitCode = 1
else if (values.only === undefined) {
  await writeFile(join(import.meta.dirname, '../../docs/benchmarks/loops.md'), loopsPage(results, skipped))
}

function skip(what: string): void {
  console.log(`SKIPPED: ${what}.`)
  skipped.push(what)
}

async function* hotSpots(surroundings: Surroundings): AsyncGenerator<LoopResult> {
  yield await hotSpotLoop(surroundings, await nodeProgram(surroundings.folder), 'distinctCustomers')
  if (go === undefined) return
  yield await hotSpotLoop(surroundings, await goProgram(surroundings.folder, go), 'main.distinctCustomers')
}

async function* leaks(surroundings: Surroundings): AsyncGenerator<LoopResult> {
  yield await leakLoop(surroundings, {
    language: 'Node.js',
    run: async (to) => {
      await run(process.execPath, [
        '--expose-gc',
        join(import.meta.dirname, 'loops/programs/requests.mjs'),
        to,
      ])
    },
  })
  if (go === undefined) return
  yield await leakLoop(surroundings, {
    language: 'Go',
    run: async (to) => {
      await run(await buildGo(surroundings.folder, 'requests'), [to])
    },
  })
}

async function* targets(surroundings: Surroundings): AsyncGenerator<LoopResult> {
  const program = await nodeProgram(surroundings.folder)
  yield await targetLoop(surroundings, program, { targetPercent: 20, isReachable: true })
  yield await targetLoop(surroundings, program, { targetPercent: 95, isReachable: false })
  if (go === undefined) return
  yield await targetLoop(surroundings, await goProgram(surroundings.folder, go), {
    targetPercent: 20,
    isReachable: true,
  })
}

async function* crossLanguage(surroundings: Surroundings): AsyncGenerator<LoopResult> {
  if (hasPython()) yield await crossLanguageLoop(surroundings, { hasGo: go !== undefined })
  else skip('the system in three languages, because Python is not installed')
}
