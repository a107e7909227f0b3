import { operations, type Operation } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { say } from '../components/toasts.tsx'
import { problemWords } from '../problem-words.ts'

/** Says that something was deleted, with the way to have it back. */
export function useOfferRestore(outdates: readonly Pick<Operation, 'id'>[]) {
  const restore = useCall(operations.restoreDesignObject, outdates)
  return (id: string, name: string) =>
    say(`${name} is deleted.`, {
      label: 'Undo',
      onPress: () =>
        restore.mutate(
          { object_id: id },
          {
            onSuccess: () => say(`${name} is back.`),
            onError: (error) => say(`${name} cannot be brought back: ${problemWords(error).detail}`),
          },
        ),
    })
}
