import { ApiProblem } from '@flamegate/client'
import type { FieldError } from '@flamegate/contract'

/** What saving a document was refused for, by JSON pointer; the empty one is all of it. None when it was something else. */
export function documentFaults(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof ApiProblem)) return {}
  return Object.fromEntries(
    error.errors.flatMap(({ field, message }: FieldError): [string, string][] => {
      if (field === '(document)') return [['', message]]
      return field.startsWith('/') ? [[field, message]] : []
    }),
  )
}
