import { operations, Problem } from '@flamegate/contract'
import { FileNotFoundError, type QuestionAnswer, type SourceLine } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { ask } from './asking.ts'
import { findingFunctions } from './finding-functions.ts'

export const getSourceLines = implement(operations.getSourceLines)(async (input, context) => {
  const { function_name: functionName, file } = input
  if ((functionName === undefined) === (file === undefined)) {
    throw new Problem('invalid_input', 'Say of what: function_name, or file.', {
      errors: [{ field: 'function_name', message: 'Give this, or file.' }],
    })
  }
  const record = await getProfile(context, input.profile_id)
  const answer = await findingFunctions(
    findingFiles(
      ask(
        context,
        record,
        input,
        'sourceLines',
        functionName === undefined ? { file: file ?? '' } : { functionName },
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
    note: noteOn(answer),
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

function noteOn({ knowsLines, knowsCallLines, isEstimate }: QuestionAnswer<'sourceLines'>): string | null {
  if (!knowsLines) return 'The format of this profile does not tell lines.'
  const notes = [
    ...(knowsCallLines
      ? []
      : [
          'The format of this profile does not tell from which line a function called another: totals are self values.',
        ]),
    ...(isEstimate
      ? [
          'Lines are known of all samples together: what these samples have in one place of the call tree is shared out among its lines as that of all is.',
        ]
      : []),
  ]
  return notes.length === 0 ? null : notes.join(' ')
}

async function findingFiles<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (!(error instanceof FileNotFoundError)) throw error
    throw new Problem('invalid_input', `${error.message}.`, {
      cause: error,
      hint: [operations.analyzeProfile, 'shows the files there are, with group_by file'],
      errors: [{ field: 'file', message: error.message }],
    })
  }
}
