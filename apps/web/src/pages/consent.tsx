import { type Scope, scopes } from '@flamegate/contract'
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
      <Answer query={query} skeleton={<SkeletonBlock height="16rem" />}>
        {(request) => <Decision request={request} />}
      </Answer>
    </BarePage>
  )
}
