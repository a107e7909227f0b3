import type { AnyOperation } from '@flamegate/client'
import type { Operation, RawInputOf } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { say } from '../components/toasts.tsx'
import { problemWords } from '../problem-words.ts'

/** Brings back what was deleted, and says whether it is there again. */
export function useRestore<O extends AnyOperation>(operation: O, outdates: readonly Pick<Operation, 'id'>[]) {
  const restore = useCall(operation, outdates)
  const bringBack = (input: RawInputOf<O>, name: string) =>
    // As a promise, for the page may have been left, or the list be empty and gone.
    void restore.mutateAsync(input).then(
      () => say(`${name} is back.`),
      (error: unknown) => say(`${name} cannot be brought back: ${problemWords(error).detail}`),
    )
  return {
    bringBack,
    /** Says that it is deleted, with the way to have it back. */
    offer: (input: RawInputOf<O>, name: string) =>
      say(`${name} is deleted.`, { label: 'Undo', onPress: () => bringBack(input, name) }),
    isPending: restore.isPending,
  }
}
