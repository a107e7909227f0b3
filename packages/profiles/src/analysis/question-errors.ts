import { FormatError } from '../format-error.ts'
import { PatternError } from '../pattern.ts'
import { CannotFilterError } from '../questions/filter-profile.ts'
import { FunctionNotFoundError } from '../questions/find-function.ts'
import { NoSuchLabelError } from '../questions/group-by.ts'
import { FileNotFoundError } from '../questions/source-lines.ts'
import { CannotCompareError } from '../several/cannot-compare-error.ts'
import { CannotMergeError } from '../several/merge-profiles.ts'

/** What questions refuse: classes, which a thread cannot hand to another one as they are. Their messages are all there is to them. */
const refusals = {
  CannotCompareError,
  CannotFilterError,
  CannotMergeError,
  FileNotFoundError,
  FormatError,
  NoSuchLabelError,
  PatternError,
} as const
type RefusalName = keyof typeof refusals

/** An error of a question as plain data; defects are cloned as they are. */
export type ErrorData =
  | { refusal: RefusalName; message: string }
  | { refusal: 'FunctionNotFoundError'; message: string; functionName: string; nearestNames: string[] }
  | { defect: unknown }

export function errorToData(error: unknown): ErrorData {
  if (error instanceof FunctionNotFoundError) {
    const { message, functionName, nearestNames } = error
    return { refusal: 'FunctionNotFoundError', message, functionName, nearestNames }
  }
  for (const [refusal, type] of Object.entries(refusals)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of that very object
    if (error instanceof type) return { refusal: refusal as RefusalName, message: error.message }
  }
  return { defect: error }
}

/** The error that `errorToData` was given. */
export function errorFromData(data: ErrorData): unknown {
  if ('defect' in data) return data.defect
  if ('functionName' in data) {
    return new FunctionNotFoundError(data.functionName, data.nearestNames, data.message)
  }
  return new refusals[data.refusal](data.message)
}
