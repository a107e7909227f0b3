import { operations, Problem, type InputOf, type OutputOf } from '@flamegate/contract'
import {
  CannotFilterError,
  functionGroupings,
  groupByFunctions,
  groupByLabel,
  hotPaths,
  sampleTypeOf,
  searchFunctions,
  selfValuesOf,
  type Groups,
  type Profile as DecodedProfile,
  type ProfileDetail,
  type SampleFilter,
} from '@flamegate/profiles'
import { implement } from '../implement.ts'
import type { Profile } from '../ports/index.ts'
import { getProfile } from '../targets.ts'
import { openDetail, openSelection } from './decoded.ts'
import { readingPatterns } from './reading-patterns.ts'
import { groupOnWire, pathOnWire, shareOnWire } from './shares-on-wire.ts'

type Input = InputOf<typeof operations.analyzeProfile>
type Rows = Pick<
  OutputOf<typeof operations.analyzeProfile>,
  'functions' | 'groups' | 'row_count' | 'covered_value' | 'covered_percent'
>

export const analyzeProfile = implement(operations.analyzeProfile)(async (input, context) => {
  const selection = await openSelection(context, await getProfile(context, input.profile_id), input)
  const { record, tree, sampleTypeIndex } = selection
  const detail = labelOf(input.group_by) === undefined ? undefined : await openDetail(context, record)
  const sampleType = sampleTypeOf(tree, sampleTypeIndex)
  const { search, focus, ignore } = input
  return {
    profile_id: record.id,
    sample_type: sampleType.type,
    unit: sampleType.unit,
    total_value: selfValuesOf(tree, sampleTypeIndex).reduce((sum, value) => sum + value, 0),
    group_by: input.group_by,
    sort_by: input.sort_by,
    function_count: tree.functions.names.length,
    ...readingPatterns({ search, focus, ignore }, () => rowsOf(input, { ...selection, detail })),
  }
})

interface Selected {
  record: Profile
  tree: DecodedProfile
  sampleTypeIndex: number
  detail: ProfileDetail | undefined
  filter?: SampleFilter
}

function rowsOf(input: Input, { record, tree, sampleTypeIndex, detail, filter }: Selected): Rows {
  const stacks = { sampleTypeIndex, focus: input.focus, ignore: input.ignore, limit: input.top_n }
  const label = labelOf(input.group_by)
  if (label !== undefined) {
    const options = { ...stacks, order: input.sort_by, search: input.search, filter }
    return groups(
      input,
      havingLabels(() => groupByLabel(tree, detail, label, options)),
    )
  }
  if (input.group_by === 'path') {
    // A path has what is searched for when one of its functions has.
    const focus = input.search ?? input.focus
    if (input.search !== undefined && input.focus !== undefined) {
      throw new Problem('invalid_input', 'Of paths, search and focus mean the same: give one of them.', {
        errors: [{ field: 'search', message: 'Not together with focus.' }],
      })
    }
    const rows = hotPaths(tree, { ...stacks, focus })
    return {
      functions: [],
      groups: rows.map(pathOnWire),
      row_count: rows.length,
      covered_value: null,
      covered_percent: null,
    }
  }
  const grouping = functionGroupings.find((each) => each === input.group_by)
  if (grouping !== undefined) {
    const options = { ...stacks, order: input.sort_by, search: input.search }
    return groups(input, groupByFunctions(tree, grouping, options))
  }
  const found = searchFunctions(tree, input.search, { ...stacks, by: input.sort_by })
  return {
    functions: found.rows.map((share) => shareOnWire(share, record.source)),
    groups: [],
    row_count: found.rowCount,
    ...covered(input, found),
  }
}

function groups(input: Input, found: Groups): Rows {
  return {
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

function havingLabels<T>(ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (!(error instanceof CannotFilterError)) throw error
    throw new Problem('invalid_input', `This profile cannot be grouped so: ${error.message}.`, {
      hint: [operations.listProfileLabels, 'shows the labels there are'],
      errors: [{ field: 'group_by', message: `${error.message}.` }],
    })
  }
}
