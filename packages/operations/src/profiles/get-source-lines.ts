import { operations, Problem } from '@flamegate/contract'
import { FileNotFoundError, sourceLines, type SourceLine } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { openDetail, openProfile, sampleTypeIndex } from './decoded.ts'
import { findingFunctions } from './finding-functions.ts'

export const getSourceLines = implement(operations.getSourceLines)(async (input, context) => {
  const { function_name: functionName, file } = input
  if ((functionName === undefined) === (file === undefined)) {
    throw new Problem('invalid_input', 'Say of what: function_name, or file.', {
      errors: [{ field: 'function_name', message: 'Give this, or file.' }],
    })
  }
  const { record, tree } = await openProfile(context, input.profile_id)
  const detail = await openDetail(context, record)
  const index = sampleTypeIndex(tree, input.sample_type)
  const answer = findingFunctions(
    () =>
      findingFiles(() =>
        sourceLines(
          tree,
          detail,
          functionName === undefined ? { file: file ?? '' } : { functionName },
          index,
        ),
      ),
    'function_name',
  )
  const lines = heaviest(answer.lines, input.top_n)
  return {
    profile_id: record.id,
    sample_type: answer.sampleType,
    unit: answer.unit,
    self_value: answer.selfValue,
    total_value: answer.totalValue,
    self_without_line: answer.selfWithoutLine,
    line_count: answer.lines.length,
    lines: lines.map((line) => ({
      function_name: line.functionName,
      file: line.file === '' ? null : line.file,
      line: line.line,
      self_value: line.selfValue,
      self_percent: line.selfPercent,
      total_value: line.totalValue,
      total_percent: line.totalPercent,
    })),
    note: noteOn(detail?.lines !== undefined, answer.knowsCallLines),
  }
})

/** The lines with the largest totals, in the order of the source as before. */
function heaviest(lines: SourceLine[], limit: number): SourceLine[] {
  if (lines.length <= limit) return lines
  const kept = new Set(
    lines.toSorted((a, b) => Math.abs(b.totalValue) - Math.abs(a.totalValue)).slice(0, limit),
  )
  return lines.filter((line) => kept.has(line))
}

function noteOn(knowsLines: boolean, knowsCallLines: boolean): string | null {
  if (!knowsLines) return 'The format of this profile does not tell lines.'
  if (knowsCallLines) return null
  return 'The format of this profile does not tell from which line a function called another: totals are self values.'
}

function findingFiles<T>(ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (!(error instanceof FileNotFoundError)) throw error
    throw new Problem('invalid_input', `${error.message}.`, {
      cause: error,
      hint: [operations.analyzeProfile, 'shows the files there are, with group_by file'],
      errors: [{ field: 'file', message: error.message }],
    })
  }
}
