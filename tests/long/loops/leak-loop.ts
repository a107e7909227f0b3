import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { Expectations, type LoopResult, type Surroundings } from './loop.ts'

const leak = 'rememberRequest'
const burst = 'parseBatch'
const cache = 'cacheAnswer'
const mebibyte = 1024 * 1024

/** A program that writes a heap profile after each of six phases; the burst is in the third. */
export interface LeakingProgram {
  language: string
  /** Runs it; the profiles are in the folder then, and their names in order. */
  run(folder: string): Promise<void>
}

/** Two heap profiles raise a suspicion, a series of them settles it: what leaks is named, what was a burst is not. */
export async function leakLoop(
  { agent, folder }: Surroundings,
  program: LeakingProgram,
): Promise<LoopResult> {
  const expect = new Expectations()
  const own = join(folder, `heap-${program.language.replaceAll(/\W/g, '')}`)
  await mkdir(own)
  await program.run(own)
  const ids: string[] = []
  for (const name of (await readdir(own)).toSorted()) ids.push(await agent.upload(join(own, name)))
  const [first = '', , third = ''] = ids
  const last = ids.at(-1) ?? ''

  const early = await agent.call(operations.detectMemoryLeaks, {
    base_profile_id: first,
    head_profile_id: third,
  })
  agent.note(
    `detect_memory_leaks, first and third: ${early.verdict}; ${named(early.growing)}. During the burst, two profiles cannot tell it from a leak.`,
  )
  const late = await agent.call(operations.detectMemoryLeaks, {
    base_profile_id: first,
    head_profile_id: last,
  })
  agent.note(
    `detect_memory_leaks, first and last: ${late.verdict}, ${(late.growth / mebibyte).toFixed(1)} MiB more; growing: ${named(late.growing)}; bursts: ${named(late.bursts)}.`,
  )
  const series = await agent.call(operations.analyzeHeapTimeSeries, { profile_ids: ids })
  agent.note(
    `analyze_heap_time_series, all ${ids.length}: growing: ${named(series.growing)} (${series.growing[0]?.certainty ?? 'none'}); levelled off: ${named(series.levelled_off)}; bursts: ${named(series.bursts)}.`,
  )

  expect.that(late.verdict === 'leak_likely', `detect_memory_leaks says ${late.verdict}.`)
  expect.that(
    isNamed(late.growing.slice(0, 1), leak),
    `Of two profiles, ${leak} is not the first that grows.`,
  )
  expect.that(!isNamed(late.growing, burst), `Of two profiles, ${burst} is taken for a leak.`)
  expect.that(
    isNamed(series.growing.slice(0, 1), leak),
    `Of the series, ${leak} is not the first that grows.`,
  )
  expect.that(series.growing[0]?.certainty === 'sure', `The series is not sure of ${leak}.`)
  expect.that(!isNamed(series.growing, burst), `Of the series, ${burst} is taken for a leak.`)
  expect.that(
    !isNamed(series.growing, cache),
    `Of the series, ${cache}, which has an end, is taken for a leak.`,
  )
  return { title: `Leak hunt: ${program.language}`, transcript: agent.takeNotes(), faults: expect.faults }
}

interface Site {
  function_name: string
  path: readonly string[]
}

/** Anonymous functions within one are told by the path. */
function isNamed(sites: readonly Site[], name: string): boolean {
  return sites.some(({ function_name: own, path }) => [own, ...path].some((each) => each.endsWith(name)))
}

function named(sites: readonly Site[]): string {
  return (
    sites
      .slice(0, 3)
      .map(({ function_name: name, path }) => (name.startsWith('(') ? path.join(' → ') : name))
      .join(', ') || 'none'
  )
}
