import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ownAccountOptions } from './own-account.ts'
import { useProof } from './proof.tsx'

/** A change of the account, after which it is asked for again. Where a fresh proof is wanted, the person is asked. */
export function useChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const withProof = useProof()
  const queries = useQueryClient()
  return useMutation<Answer, Error, Input>({
    mutationFn: (input) => withProof(() => change(input)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ownAccountOptions.queryKey }),
  })
}
