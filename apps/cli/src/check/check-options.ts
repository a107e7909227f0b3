import { checkRegression } from '@flamegate/contract/benchmarks/check-regression'
import type { CommandLine, Option } from '../arguments/command-line.ts'
import { fieldOption, givenFields, parseInput } from '../arguments/field-values.ts'
import { operationFields } from '../arguments/operation-field.ts'
import { UsageError } from '../usage-error.ts'
import { checkFormats, isCheckFormat, type CheckFormat } from './formats.ts'

/** Fields of the operation that have an option of the same name. */
const sameNames = new Set(['threshold_percent', 'confidence', 'fail_on'])

/** Reports list them all. */
const failuresMax = 1000

/** How a run is judged and how that is told; `flamegate check` and `flamegate run --check` have them. */
export const checkOptions: readonly Option[] = [
  {
    name: 'base',
    value: '<id>',
    description: 'Run to judge against; the merge base of the pull request, or its default, when left out.',
  },
  ...operationFields(checkRegression)
    .filter((field) => sameNames.has(field.name))
    .map(fieldOption),
  {
    name: 'format',
    value: '<name>',
    description: `How it is written: ${Object.keys(checkFormats).join(', ')}. Default text.`,
  },
  {
    name: 'output',
    value: '<file>',
    description: 'Write it there, and print it as text.',
  },
]

/** @throws UsageError */
export function checkInput(
  line: CommandLine,
  {
    runId,
    repository,
    baseRunId,
  }: { runId: string; repository?: string | undefined; baseRunId?: string | undefined },
) {
  const base = baseRunId ?? line.text('base')
  return parseInput(checkRegression, {
    ...givenFields(checkRegression, {
      ...line,
      // One name after the other, or with commas.
      list: (name) => line.list(name)?.flatMap((each) => each.split(',')),
    }),
    run_id: runId,
    limit: failuresMax,
    ...(repository === undefined ? {} : { repository }),
    ...(base === undefined ? {} : { base_run_id: base }),
  })
}

/** @throws UsageError */
export function formatOf(line: CommandLine): CheckFormat {
  const name = line.text('format') ?? 'text'
  if (isCheckFormat(name)) return name
  throw new UsageError(`There is no format ${name}. Take one of ${Object.keys(checkFormats).join(', ')}.`)
}
