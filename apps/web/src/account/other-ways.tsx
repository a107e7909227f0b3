import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { beginSignIn, fetchWays } from '../accounts.ts'
import { Button } from '../components/button.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { logInWithPasskey } from './passkeys.ts'

interface Props {
  /** Where to go on afterwards. */
  goOn: { interaction?: string | undefined; return_to?: string | undefined }
  /** Logged in with a passkey. */
  onDone: () => void
}

/** The ways to log in without a password that there are at this site; nothing when there are none. */
export function OtherWays({ goOn, onDone }: Props) {
  const navigate = useNavigate()
  const ways = useQuery({ queryKey: ['ways to log in'], queryFn: ({ signal }) => fetchWays(signal) })
  const passkey = useMutation({ mutationFn: logInWithPasskey, onSuccess: onDone })
  const elsewhere = useMutation({
    mutationFn: (id: string) => beginSignIn(id, goOn),
    onSuccess: ({ redirect_to: address }) => window.location.assign(address),
  })
  const { passkeys = false, sign_ins: signIns = [], sso = false } = ways.data ?? {}
  const error = passkey.error ?? elsewhere.error
  if (!passkeys && !sso && signIns.length === 0) return null
  return (
    <div className="mt-5 flex flex-col gap-2 border-t border-line pt-5">
      {error === null ? null : <ProblemNote error={error} isBrief />}
      {passkeys ? (
        <Button isDisabled={passkey.isPending || passkey.isSuccess} onPress={() => passkey.mutate()}>
          Use a passkey
        </Button>
      ) : null}
      {signIns.map(({ id, name }) => (
        <Button
          key={id}
          isDisabled={elsewhere.isPending || elsewhere.isSuccess}
          onPress={() => elsewhere.mutate(id)}
        >
          Continue with {name}
        </Button>
      ))}
      {sso ? (
        <Button onPress={() => void navigate({ to: '/sign-in/sso', search: goOn })}>
          Use single sign-on
        </Button>
      ) : null}
    </div>
  )
}
