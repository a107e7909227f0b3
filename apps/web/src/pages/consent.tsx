import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ConsentRequest, decideConsent, fetchConsentRequest } from '../accounts.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { CheckIcon, WarningIcon } from '../components/icons.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { BarePage } from '../shell/bare-page.tsx'

const route = getRouteApi('/consent/$uid')

/** Where a person decides whether an app may act for them. */
export function ConsentPage() {
  const { uid } = route.useParams()
  const query = useQuery({
    queryKey: ['consent', uid],
    queryFn: ({ signal }) => fetchConsentRequest(uid, signal),
    staleTime: Infinity,
  })
  return (
    <BarePage title="Allow access?">
      <Answer query={query} skeleton={<SkeletonBlock height="22rem" />}>
        {(request) => <Decision uid={uid} request={request} />}
      </Answer>
    </BarePage>
  )
}

function Decision({ uid, request }: { uid: string; request: ConsentRequest }) {
  const { client, user } = request
  const call = useMutation({
    mutationFn: (decision: 'allow' | 'deny') => decideConsent(uid, decision),
    onSuccess: ({ redirect_to }) => window.location.assign(redirect_to),
  })
  const isDecided = call.isPending || call.isSuccess
  return (
    <div className="flex flex-col gap-5">
      <p className="text-lg">
        <strong className="font-semibold break-words">{client.name}</strong>{' '}
        {client.verified ? (
          <Badge tone="better">verified address</Badge>
        ) : (
          <Badge tone="caution">unverified</Badge>
        )}{' '}
        wants to act for you in Flamegate.
      </p>

      <section className="flex flex-col gap-2">
        <h2 className="text-sm text-muted">It will be able to</h2>
        <ul className="flex flex-col gap-2">
          {request.scopes.map(({ scope, description }) => (
            <li key={scope} className="flex gap-2.5">
              <span className="mt-0.5 text-better">
                <CheckIcon />
              </span>
              {description}
            </li>
          ))}
        </ul>
        <p className="text-sm text-muted">
          In every workspace you belong to, and never more than you may do yourself. You can revoke this at
          any time under Connected apps.
        </p>
      </section>

      <section className="flex flex-col gap-2 border-t border-line pt-4">
        <h2 className="text-sm text-muted">Your answer goes to</h2>
        <p className="font-mono text-sm break-all">{request.redirect_host}</p>
        {request.is_loopback ? (
          <Caution>
            That is a program on this computer. Allow it only if you have just started to connect it yourself.
          </Caution>
        ) : null}
        {client.verified ? (
          <p className="text-sm text-muted">
            The app describes itself at <span className="break-all">{client.client_id}</span>.
          </p>
        ) : (
          <Caution>The app chose its name itself; Flamegate cannot tell who made it.</Caution>
        )}
      </section>

      <p className="border-t border-line pt-4 text-sm text-muted">
        You are logged in as <strong className="font-medium text-text">{user.name}</strong> ({user.email}).
      </p>
      {call.error === null ? null : <ProblemNote error={call.error} />}
      <div className="grid grid-cols-2 gap-3">
        <Button isDisabled={isDecided} onPress={() => call.mutate('deny')}>
          Deny
        </Button>
        <Button variant="primary" isDisabled={isDecided} onPress={() => call.mutate('allow')}>
          Allow
        </Button>
      </div>
    </div>
  )
}

function Caution({ children }: { children: string }) {
  return (
    <p className="flex gap-2.5 rounded-md bg-caution-soft px-3 py-2 text-sm">
      <span className="mt-0.5 text-caution">
        <WarningIcon />
      </span>
      {children}
    </p>
  )
}
