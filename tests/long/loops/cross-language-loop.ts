import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { operations } from '@flamegate/contract'
import { z } from 'zod'
import { hottestUserFunction } from './hot-spot-loop.ts'
import { Expectations, percent, type LoopResult, type Surroundings } from './loop.ts'
import { buildGo } from './measured-program.ts'

const requests = 200
const warmUp = 20
const spans = z.object({ front: z.number(), rank: z.number(), render: z.number() })
type Spans = z.infer<typeof spans>

/** A process of the system, and its profile, which is there once it has stopped. */
interface Part {
  process: ChildProcess
  url: string
  profilePath: string
}

const programs = join(import.meta.dirname, 'programs')

export function hasPython(): boolean {
  return spawnSync('python3', ['--version']).status === 0
}

/**
 * Three programs of one system, profiled while it is asked: the spans say which part has the slowest requests' time, the
 * profile of that part says where in it. On the average another part costs most.
 */
export async function crossLanguageLoop(
  surroundings: Surroundings,
  { hasGo }: { hasGo: boolean },
): Promise<LoopResult> {
  const { agent } = surroundings
  const expect = new Expectations()
  const { measured, profiles } = await searchManyTimes(surroundings, hasGo)
  const slowest = measured.toSorted((a, b) => total(b) - total(a)).slice(0, Math.ceil(measured.length / 20))
  const p95 = Math.min(...slowest.map(total))

  const ofAll = await rankParts(surroundings, 'spans-of-all', measured)
  const ofSlowest = await rankParts(surroundings, 'spans-of-the-slowest', slowest)
  agent.note(`query_flamegraph, the spans of all ${measured.length} requests: ${shown(ofAll)}.`)
  agent.note(
    `query_flamegraph, the spans of the slowest 5 %, which took ${p95.toFixed(0)} ms and more: ${shown(ofSlowest)}.`,
  )
  for (const { part } of ofSlowest) {
    const path = profiles[part]
    if (path === undefined) continue
    const top = await hottestUserFunction({ agent }, await agent.upload(path))
    agent.note(
      `analyze_profile, ${part}: ${top.function_name} has ${top.self_percent.toFixed(1)} % of that profile itself, ${top.total_percent.toFixed(1)} % with what it calls.`,
    )
    const planted = { front: 'parseQuery', rank: 'main.scoreDocuments', render: 'render_report' }[part] ?? ''
    expect.that(top.function_name.includes(planted), `In ${part} it is ${planted}, not ${top.function_name}.`)
  }
  expect.that(ofSlowest[0]?.part === 'render', 'The slowest requests have their time in render.')
  if (hasGo) expect.that(ofAll[0]?.part === 'rank', 'On the average, rank costs most.')
  return {
    title: `One system in ${hasGo ? 'Node.js, Go and Python' : 'Node.js and Python'}`,
    transcript: agent.takeNotes(),
    faults: expect.faults,
  }
}

function total({ front, rank, render }: Spans): number {
  return front + rank + render
}

function shown(ranked: readonly { part: string; share: number }[]): string {
  return ranked.map(({ part, share }) => `${part} ${percent(share).replace('+', '')}`).join(', ')
}

/** Spans are stacks, too: as collapsed stacks of microseconds any tool for profiles can weigh them. */
async function rankParts(
  { agent, folder }: Surroundings,
  name: string,
  measured: readonly Spans[],
): Promise<{ part: string; share: number }[]> {
  const lines = (['front', 'rank', 'render'] as const).map((part) => {
    const microseconds = measured.reduce((sum, each) => sum + 1000 * each[part], 0)
    return `search;${part} ${Math.round(microseconds)}\n`
  })
  const path = join(folder, `${name}.collapsed.txt`)
  await writeFile(path, lines.join(''))
  const profileId = await agent.upload(path)
  const { hot_spots: hotSpots } = await agent.call(operations.queryFlamegraph, { profile_id: profileId })
  return hotSpots
    .filter(({ self_value: value }) => value > 0)
    .map(({ function_name: part, self_percent: share }) => ({ part, share }))
}

async function searchManyTimes(
  { folder }: Surroundings,
  hasGo: boolean,
): Promise<{ measured: Spans[]; profiles: Record<string, string> }> {
  const own = join(folder, 'search')
  await mkdir(own)
  const parts: Part[] = []
  const started = async (profilePath: string, command: string, ...args: string[]) => {
    const part = await start(profilePath, command, args)
    parts.unshift(part)
    return part
  }
  try {
    const rankPath = join(own, 'rank.pb.gz')
    const rank = hasGo ? await started(rankPath, await buildGo(own, 'rank'), rankPath) : undefined
    const renderPath = join(own, 'render.pstats')
    const render = await started(renderPath, 'python3', join(programs, 'render.py'), renderPath)
    const frontName = 'front.cpuprofile'
    const front = await started(
      join(own, frontName),
      process.execPath,
      '--cpu-prof',
      `--cpu-prof-dir=${own}`,
      `--cpu-prof-name=${frontName}`,
      join(programs, 'front.mjs'),
      rank?.url ?? '-',
      render.url,
    )
    const measured: Spans[] = []
    for (let number = 0; number < warmUp + requests; number += 1) {
      const answer = spans.parse(await (await fetch(`${front.url}/?number=${number}`)).json())
      if (number >= warmUp) measured.push(answer)
    }
    return {
      measured,
      profiles: {
        front: front.profilePath,
        render: render.profilePath,
        ...(rank === undefined ? {} : { rank: rank.profilePath }),
      },
    }
  } finally {
    for (const { url, process: program } of parts) {
      const ended = once(program, 'exit')
      await fetch(`${url}/stop`).catch(() => program.kill())
      await ended
    }
  }
}

async function start(profilePath: string, command: string, args: string[]): Promise<Part> {
  const program = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = z.tuple([z.string()]).parse(await once(createInterface(program.stdout), 'line'))
  const { port } = z.object({ port: z.number() }).parse(JSON.parse(line))
  return { process: program, url: `http://127.0.0.1:${port}`, profilePath }
}
