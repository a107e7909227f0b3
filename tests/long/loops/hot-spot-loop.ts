import { operations, type AnswerOf } from '@flamegate/contract'
import { Expectations, median, percent, type LoopResult, type Surroundings } from './loop.ts'
import type { MeasuredProgram } from './measured-program.ts'

const rounds = 7
/** In points of percent: a profile counts what the program needs to start, too, and what else the machine does. */
const agreementPoints = 25

/**
 * Profile, find the function that costs most, do it in the quicker way that the program has for it, profile again: the
 * comparison names that function, and the clock says the same.
 */
export async function hotSpotLoop(
  { agent }: Surroundings,
  program: MeasuredProgram,
  planted: string,
): Promise<LoopResult> {
  const expect = new Expectations()
  const prefix = program.language.replaceAll(/\W/g, '')
  const before = await agent.upload(await program.profile('planted', [], `${prefix}-before`))
  const flame = await agent.call(operations.queryFlamegraph, { profile_id: before })
  const top = await hottestUserFunction({ agent }, before)
  agent.note(
    `analyze_profile: ${top.function_name} (${top.origin}, line ${top.line}) has ${top.self_percent.toFixed(1)} % itself, ${top.total_percent.toFixed(1)} % with what it calls.`,
  )
  const seen = flame.hot_spots.find(({ origin }) => origin === 'User code')
  expect.that(
    seen?.function_name === top.function_name,
    `query_flamegraph names ${seen?.function_name}, analyze_profile ${top.function_name}.`,
  )
  expect.that(top.function_name === planted, `${top.function_name} is not what was planted, ${planted}.`)
  if (!program.offers.includes(top.function_name))
    throw new Error(`There is no quicker ${top.function_name}.`)

  const after = await agent.upload(await program.profile('planted', [top.function_name], `${prefix}-after`))
  const compared = await agent.call(operations.compareProfiles, { base: [before], head: [after] })
  noteComparison(compared)
  const [first] = compared.functions
  const sum = compared.functions.reduce(
    (total, { self_difference: each }) => total + each,
    compared.others_difference,
  )
  expect.that(compared.difference < 0, 'compare_profiles does not say that it got better.')
  expect.that(
    compared.functions.some(
      ({ function_name: name, state, is_sure: isSure, total_difference: by }) =>
        name === planted && (state === 'removed' || state === 'better') && isSure === true && by < 0,
    ),
    `compare_profiles does not say for sure that ${planted} got better; first is ${first?.function_name}.`,
  )
  expect.that(
    Math.abs(sum - compared.difference) <= 1e-6 * compared.base_value,
    'The amounts of compare_profiles do not add up.',
  )

  const clock = await interleaved(program, top.function_name)
  agent.note(
    `By the clock, in turns, ${rounds} times each: ${clock.before.toFixed(0)} ms, then ${clock.after.toFixed(0)} ms, ${percent(clock.change)}.`,
  )
  expect.that(
    Math.abs(clock.change - (compared.difference_percent ?? 0)) <= agreementPoints,
    `The clock says ${percent(clock.change)}, compare_profiles ${percent(compared.difference_percent)}.`,
  )
  return {
    title: `Hot spot → change → proof: ${program.language} (${program.version})`,
    transcript: agent.takeNotes(),
    faults: expect.faults,
  }

  function noteComparison(answer: AnswerOf<typeof operations.compareProfiles>): void {
    const lines = answer.functions
      .slice(0, 3)
      .map(
        ({ function_name: name, state, self_difference: by }) =>
          `${name} ${state} (${percent((100 * by) / answer.base_value)} of all)`,
      )
    agent.note(`compare_profiles: ${percent(answer.difference_percent)}; ${lines.join(', ')}.`)
  }
}

/** The first function of the program itself, by what it costs itself. */
export async function hottestUserFunction(
  { agent }: Pick<Surroundings, 'agent'>,
  profileId: string,
): Promise<AnswerOf<typeof operations.analyzeProfile>['functions'][number]> {
  const { functions } = await agent.call(operations.analyzeProfile, { profile_id: profileId, top_n: 50 })
  const top = functions.find(({ origin }) => origin === 'User code')
  if (top === undefined) throw new Error('No function of the program is among the first fifty.')
  return top
}

async function interleaved(
  program: MeasuredProgram,
  quick: string,
): Promise<{ before: number; after: number; change: number }> {
  const [slowMs, quickMs]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    slowMs.push(await program.measure('planted', []))
    quickMs.push(await program.measure('planted', [quick]))
  }
  const [before, after] = [median(slowMs), median(quickMs)]
  return { before, after, change: 100 * (after / before - 1) }
}
