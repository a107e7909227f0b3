import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { allow, type Allowance, type ConsentRequest, deny, fetchConsentRequest } from '../allowances.ts'
import { AllowanceForm } from '../components/allowance-form.tsx'
import { Answer } from '../components/answer.tsx'
import { Caution } from '../components/caution.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { BarePage } from '../shell/bare-page.tsx'

const route = getRouteApi('/consent/$uid')

/** Where a person decides whether an app may act for them, and what they leave it. */
export function ConsentPage() {
  const { uid } = route.useParams()
  const query = useQuery({
    queryKey: ['consent', uid],
    queryFn: ({ signal }) => fetchConsentRequest(uid, signal),
    staleTime: Infinity,
  })
  return (
    <BarePage title="Allow access?">
      <Answer query={query} skeleton={<SkeletonBlock height="32rem" />}>
        {(request) => <Decision uid={uid} request={request} />}
      </Answer>
    </BarePage>
  )
}

function Decision({ uid, request }: { uid: string; request: ConsentRequest }) {
  const call = useMutation({
    mutationFn: (allowance: Allowance | null) => (allowance === null ? deny(uid) : allow(uid, allowance)),
    onSuccess: ({ redirect_to }) => window.location.assign(redirect_to),
  })
  return (
    <AllowanceForm
      request={request}
      error={call.error}
      isDecided={call.isPending || call.isSuccess}
      onAllow={(allowance) => call.mutate(allowance)}
      onDeny={() => call.mutate(null)}
    >
      <Destination request={request} />
    </AllowanceForm>
  )
}

function Destination({ request: { client, redirect_host, is_loopback } }: { request: ConsentRequest }) {
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-4">
      <h2 className="text-sm text-muted">Your answer goes to</h2>
      <p className="font-mono text-sm break-all">{redirect_host}</p>
      {is_loopback ? (
        <Caution>
          That is an app on this computer. Go on only if you have just started to connect it yourself.
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
  )
}
