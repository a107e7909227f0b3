import { operations, Problem, type InputOf, type OutputOf } from '@flamegate/contract'
import { functionGroupings, NoSuchLabelError, type Groups } from '@flamegate/profiles'
import { implement, type CallContext } from '../implement.ts'
import type { Profile } from '../ports/index.ts'
import { getProfile } from '../targets.ts'
import { ask } from './asking.ts'
import { readingPatterns } from './reading-patterns.ts'
import { mustBeReady, selectedSamples } from './selected-samples.ts'
import { groupOnWire, pathOnWire, shareOnWire } from './shares-on-wire.ts'

type Input = InputOf<typeof operations.analyzeProfile>
type Rows = Pick<
  OutputOf<typeof operations.analyzeProfile>,
  | 'total_value'
  | 'function_count'
  | 'functions'
  | 'groups'
  | 'row_count'
  | 'covered_value'
  | 'covered_percent'
>

export const analyzeProfile = implement(operations.analyzeProfile)(async (input, context) => {
  const record = await getProfile(context, input.profile_id)
  mustBeReady(record)
  const { type, unit } = record.sampleTypes[selectedSamples(record, input).sampleTypeIndex]!
  const { search, focus, ignore } = input
  return {
    profile_id: record.id,
    sample_type: type,
    unit,
    group_by: input.group_by,
    sort_by: input.sort_by,
    ...(await readingPatterns({ search, focus, ignore }, rowsOf(input, context, record))),
  }
})

async function rowsOf(input: Input, context: CallContext, record: Profile): Promise<Rows> {
  const { search, sort_by: order } = input
  const stacks = { focus: input.focus, ignore: input.ignore, limit: input.top_n }
  const label = labelOf(input.group_by)
  if (label !== undefined) {
    const asking = ask(context, record, input, 'labelGroups', { ...stacks, order, search, label })
    return groups(input, await havingLabels(asking))
  }
  if (input.group_by === 'path') {
    // A path has what is searched for when one of its functions has.
    const focus = input.search ?? input.focus
    if (input.search !== undefined && input.focus !== undefined) {
      throw new Problem('invalid_input', 'Of paths, search and focus mean the same: give one of them.', {
        errors: [{ field: 'search', message: 'Not together with focus.' }],
      })
    }
    const found = await ask(context, record, input, 'hotPaths', { ...stacks, focus })
    return {
      ...basis(found),
      functions: [],
      groups: found.rows.map(pathOnWire),
      row_count: found.rows.length,
      covered_value: null,
      covered_percent: null,
    }
  }
  const by = functionGroupings.find((each) => each === input.group_by)
  if (by !== undefined) {
    return groups(
      input,
      await ask(context, record, input, 'functionGroups', { ...stacks, order, search, by }),
    )
  }
  const found = await ask(context, record, input, 'functions', { ...stacks, by: order, search })
  return {
    ...basis(found),
    functions: found.rows.map((share) => shareOnWire(share, record.source)),
    groups: [],
    row_count: found.rowCount,
    ...covered(input, found),
  }
}

interface Basis {
  totalValue: number
  functionCount: number
}

function basis({ totalValue, functionCount }: Basis) {
  return { total_value: totalValue, function_count: functionCount }
}

function groups(input: Input, found: Groups & Basis): Rows {
  return {
    ...basis(found),
    functions: [],
    groups: found.rows.map(groupOnWire),
    row_count: found.rowCount,
    ...covered(input, found),
  }
}

function covered({ search }: Input, found: { coveredValue: number; coveredPercent: number }) {
  return search === undefined
    ? { covered_value: null, covered_percent: null }
    : { covered_value: found.coveredValue, covered_percent: found.coveredPercent }
}

/** The label to group by: a thread is one too. */
function labelOf(groupBy: string): string | undefined {
  if (groupBy === 'thread') return 'thread'
  return groupBy.startsWith('label:') ? groupBy.slice('label:'.length) : undefined
}

async function havingLabels<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (!(error instanceof NoSuchLabelError)) throw error
    throw new Problem('invalid_input', `This profile cannot be grouped so: ${error.message}.`, {
      hint: [operations.listProfileLabels, 'shows the labels there are'],
      errors: [{ field: 'group_by', message: `${error.message}.` }],
    })
  }
}
