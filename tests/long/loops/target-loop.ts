import { operations } from '@flamegate/contract'
import { Expectations, percent, type LoopResult, type Surroundings } from './loop.ts'
import type { MeasuredProgram } from './measured-program.ts'

const rounds = 8

interface Ending {
  isMet: boolean
  sentence: string
}

/**
 * Changes one function after the other, the costliest first, until a benchmark has so many percent less wall-clock time,
 * for sure; or until it is clear that it cannot, because what is left to change costs too little.
 */
export async function targetLoop(
  surroundings: Surroundings,
  program: MeasuredProgram,
  { targetPercent, isReachable }: { targetPercent: number; isReachable: boolean },
): Promise<LoopResult> {
  const { agent } = surroundings
  const expect = new Expectations()
  const { isMet, sentence } = await optimise(surroundings, program, targetPercent)
  agent.note(sentence)
  expect.that(isMet === isReachable, `That the target is ${isMet ? 'met' : 'out of reach'} is not so.`)
  return {
    title: `Until ${targetPercent} % less wall-clock time: ${program.language}`,
    transcript: agent.takeNotes(),
    faults: expect.faults,
  }
}

async function optimise(
  { agent }: Surroundings,
  program: MeasuredProgram,
  targetPercent: number,
): Promise<Ending> {
  const quick: string[] = []
  /** In percent of what it took at first; negative is less. */
  let changed = 0
  for (let attempt = 1; ; attempt += 1) {
    const name = `${program.language.replaceAll(/\W/g, '')}-${targetPercent}-${attempt}`
    const profileId = await agent.upload(await program.profile('even', quick, name))
    const { functions } = await agent.call(operations.analyzeProfile, { profile_id: profileId, top_n: 100 })
    const candidates = functions.filter(
      ({ function_name: each, origin }) =>
        origin === 'User code' && program.offers.includes(each) && !quick.includes(each),
    )
    const { groups } = await agent.call(operations.analyzeProfile, {
      profile_id: profileId,
      group_by: 'origin',
    })
    const runtimeShare = groups.find(({ name: origin }) => origin === 'Runtime')?.self_percent ?? 0
    // Even if all of it cost nothing, and with it what the runtime does on its own, such as collecting garbage, which may be
    // their doing. Of what is left of the time, not of what it was at first.
    const ownShare = candidates.reduce((sum, { total_percent: each }) => sum + each, 0)
    const share = Math.min(100, ownShare + runtimeShare)
    const best = changed - ((100 + changed) * share) / 100
    const listed = candidates.map(
      ({ function_name: each, total_percent: of }) => `${each} ${of.toFixed(1)} %`,
    )
    agent.note(
      `analyze_profile: what can still be changed is ${listed.join(', ') || 'nothing'}; the runtime itself has ${runtimeShare.toFixed(1)} %.`,
    )
    const [next] = candidates
    if (next === undefined || best > -targetPercent) {
      return {
        isMet: false,
        sentence: `Out of reach: it is at ${percent(changed)}, and if all that can still be changed cost nothing (${ownShare.toFixed(1)} % of what is left), nor the runtime (${runtimeShare.toFixed(1)} %), it would be at ${percent(best)}, not -${targetPercent} %.`,
      }
    }
    quick.push(next.function_name)
    const { base, head } = await measureInTurns(agent, program, quick, name)
    const { benchmarks } = await agent.call(operations.compareRuns, { base_run_id: base, head_run_id: head })
    const [judged] = benchmarks
    if (judged === undefined) throw new Error('compare_runs knows no benchmark.')
    changed = judged.change_percent ?? 0
    agent.note(
      `With a quicker ${quick.join(', ')}, compare_runs says ${judged.verdict}: ${percent(changed)}, between ${percent(judged.interval_low_percent)} and ${percent(judged.interval_high_percent)}.`,
    )
    if (judged.verdict === 'improved' && (judged.interval_high_percent ?? 0) <= -targetPercent) {
      return {
        isMet: true,
        sentence: `Met: at least ${percent(-(judged.interval_high_percent ?? 0)).slice(1)} less for sure, after ${quick.length} of ${program.offers.length} changes.`,
      }
    }
  }
}

/** Base and head one after the other in each round, so that both meet the same moods of the machine. Gives the runs. */
async function measureInTurns(
  agent: Surroundings['agent'],
  program: MeasuredProgram,
  quick: readonly string[],
  name: string,
): Promise<{ base: string; head: string }> {
  const times: { base: number[]; head: number[] } = { base: [], head: [] }
  for (let round = 0; round < rounds; round += 1) {
    times.base.push(await program.measure('even', []))
    times.head.push(await program.measure('even', quick))
  }
  const submit = async (branch: string, milliseconds: readonly number[]) => {
    // As hyperfine writes it, in seconds.
    const results = [{ command: `orders in ${program.language}`, times: milliseconds.map((ms) => ms / 1000) }]
    const { run } = await agent.call(operations.submitBenchmarkResults, {
      repository: agent.projectId,
      branch,
      commit_hash: Buffer.from(`${name} ${branch}`).toString('hex').padEnd(40, '0').slice(-40),
      adapter: 'hyperfine',
      results: JSON.stringify({ results }),
    })
    return run.id
  }
  return { base: await submit('main', times.base), head: await submit(name, times.head) }
}
