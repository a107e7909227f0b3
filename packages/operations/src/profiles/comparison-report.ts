import {
  formatChangePercent,
  formatDifference,
  formatQuantity,
  table,
  type operations,
  type OutputOf,
} from '@flamegate/contract'

type Answer = Omit<OutputOf<typeof operations.compareProfiles>, 'report'>
type FunctionRow = Answer['functions'][number]

const callRows = 10

/** What changed, in the form that is asked for; a flame graph is made of the profiles themselves. */
export function comparisonReport(
  answer: Answer,
  format: 'markdown' | 'text' | 'json' | 'flamegraph-json',
): string {
  switch (format) {
    case 'text':
      return text(answer)
    case 'json':
      return JSON.stringify(answer)
    default:
      return markdown(answer)
  }
}

function markdown(answer: Answer): string {
  const { unit, functions, calls } = answer
  return [
    `# ${heading(answer)}`,
    answer.notes.map((note) => `- ${note}`).join('\n'),
    '## Functions',
    countsInWords(answer),
    table(
      [
        'Function',
        'Origin',
        'State',
        { title: 'Self', right: true },
        { title: 'Self change', right: true },
        { title: 'Total', right: true },
        { title: 'Total change', right: true },
        'Sure',
      ],
      functions.map((each) => [
        placeOf(each),
        each.origin,
        each.state,
        fromTo(each.base_self, each.head_self, unit),
        formatDifference(each.self_difference, unit),
        fromTo(each.base_total, each.head_total, unit),
        formatDifference(each.total_difference, unit),
        sureInWords(each.is_sure),
      ]),
      'Neither side has a function with a value.',
    ),
    `All other functions together: ${formatDifference(answer.others_difference, unit)} self.`,
    ...(calls.length === 0
      ? []
      : [
          '## Calls',
          table(
            ['Path', 'State', { title: 'Self change', right: true }, 'Sure'],
            calls
              .slice(0, callRows)
              .map((each) => [
                each.path.slice(-4).join(' › '),
                each.state,
                formatDifference(each.self_difference, unit),
                sureInWords(each.is_sure),
              ]),
            '',
          ),
        ]),
    nextStep(answer),
  ].join('\n\n')
}

/** As `go tool pprof -top -diff_base` prints it, with both sides. */
function text(answer: Answer): string {
  const { unit, functions } = answer
  const rows = functions.map((each) => [
    formatQuantity(each.base_self, unit),
    formatQuantity(each.head_self, unit),
    formatDifference(each.self_difference, unit),
    formatQuantity(each.base_total, unit),
    formatQuantity(each.head_total, unit),
    formatDifference(each.total_difference, unit),
    each.state,
    placeOf(each),
  ])
  const all = [['base', 'head', 'flat', 'base cum', 'head cum', 'cum', 'state', 'function'], ...rows]
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return [
    heading(answer),
    ...answer.notes,
    ...all.map((row) =>
      row
        .map((value, column) =>
          column < 6 ? value.padStart(widths[column]!) : value.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    ),
    `${formatDifference(answer.others_difference, unit)} flat in all other functions`,
  ].join('\n')
}

function heading({
  sample_type: type,
  unit,
  base_value: before,
  head_value: after,
  ...answer
}: Answer): string {
  const percent =
    answer.difference_percent === null ? '' : ` (${formatChangePercent(answer.difference_percent)})`
  return `${type}: ${formatQuantity(before, unit)} → ${formatQuantity(after, unit)}${percent}`
}

function countsInWords({ counts }: Answer): string {
  const words = Object.entries(counts).flatMap(([state, count]) => (count === 0 ? [] : `${count} ${state}`))
  return `${words.join(', ')}.`
}

/** The function that costs most more, if that is more than chance. */
function nextStep({ functions, head }: Answer): string {
  const worst = functions.find(({ state, is_sure: isSure }) => isSure !== false && isWorse(state))
  const [profile] = head.profile_ids
  return worst === undefined
    ? 'None of these functions costs more by more than chance.'
    : `${worst.function_name} is the first of what became worse: query_flamegraph with profile_id ${profile} and it as root_function_name shows what is in it.`
}

function isWorse(state: FunctionRow['state']): boolean {
  return state === 'worse' || state === 'added'
}

function placeOf({ function_name: name, file, line }: FunctionRow): string {
  return file === null ? name : `${name} (${file}${line === null ? '' : `:${line}`})`
}

function fromTo(before: number, after: number, unit: string): string {
  return `${formatQuantity(before, unit)} → ${formatQuantity(after, unit)}`
}

function sureInWords(isSure: boolean | null): string {
  return isSure === null ? 'not counted' : isSure ? 'yes' : 'may be chance'
}
