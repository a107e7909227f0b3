import { ApiProblem } from '@flamegate/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { tell } from '../gateway.ts'
import { ownAccountOptions } from './own-account.ts'
import { proveWithPasskey } from './passkeys.ts'

type WithProof = <Answer>(work: () => Promise<Answer>) => Promise<Answer>

const ProofContext = createContext<WithProof>((work) => work())

/** Runs something that may want a fresh proof; then asks for one, and runs it again. */
export function useProof(): WithProof {
  return useContext(ProofContext)
}

interface Asking {
  proved: () => void
  cancelled: () => void
}

/** Where a fresh proof is asked for. */
export function ProofProvider({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState<Asking>()
  const withProof = useCallback<WithProof>(async (work) => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'proof_needed') throw error
      await new Promise<void>((resolve, reject) => {
        setAsking({ proved: resolve, cancelled: () => reject(new NotProved()) })
      })
      return work()
    }
  }, [])

  const finish = (how: keyof Asking) => {
    asking?.[how]()
    setAsking(undefined)
  }
  return (
    <ProofContext value={withProof}>
      {children}
      <Dialog title="Is it still you?" isOpen={asking !== undefined} onClose={() => finish('cancelled')}>
        <ProofForm onProved={() => finish('proved')} />
      </Dialog>
    </ProofContext>
  )
}

/** The person closed the dialog: nothing was done, and there is nothing to say about it. */
export class NotProved extends Error {
  override name = 'NotProved'
}

function ProofForm({ onProved }: { onProved: () => void }) {
  const account = useQuery(ownAccountOptions).data
  const prove = useMutation({
    mutationFn: (proof: { password: string; code?: string }) => tell('POST', '/auth/prove', proof),
    onSuccess: onProved,
  })
  const usePasskey = useMutation({ mutationFn: proveWithPasskey, onSuccess: onProved })
  const hasPasskeys = account !== undefined && account.can_use_passkeys && account.passkeys.length > 0
  const hasCodes = account?.one_time_codes.in_use === true
  if (account?.has_password === false && !hasPasskeys) {
    return <p>Log out and in again, then do this within ten minutes.</p>
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">This changes how one logs in to your account.</p>
      {account?.has_password === false ? null : (
        <Form
          error={prove.error ?? usePasskey.error}
          fields={['password', 'code']}
          onSubmit={(values) =>
            prove.mutate({
              password: textOf(values, 'password'),
              ...(hasCodes ? { code: textOf(values, 'code') } : {}),
            })
          }
        >
          <TextField
            label="Your password"
            name="password"
            type="password"
            autoComplete="current-password"
            isRequired
          />
          {hasCodes ? <TextField label="Code" name="code" autoComplete="one-time-code" isRequired /> : null}
          <Button type="submit" variant="primary" isDisabled={prove.isPending} className="self-end">
            Continue
          </Button>
        </Form>
      )}
      {hasPasskeys ? (
        <Button isDisabled={usePasskey.isPending} onPress={() => usePasskey.mutate()}>
          Use a passkey
        </Button>
      ) : null}
    </div>
  )
}
