import { operations } from '@flamegate/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { changeChoices, type ChoicesOffer, fetchChoices } from '../allowances.ts'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { ClientChoices } from '../components/client-choices.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Facts } from '../components/facts.tsx'
import { Form } from '../components/form.tsx'
import { RevokeApp } from '../components/revoke-app.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { Page } from '../shell/page.tsx'
import type { ConnectedApp } from './connected-apps.tsx'

const route = getRouteApi('/app/connected-apps/$appId')

/** One app that acts for a person: what it may do, how much it does, and the way to end it. */
export function ConnectedAppPage() {
  const { appId } = route.useParams()
  const query = useAnswer(operations.listConnectedApps, {})
  const app = query.data?.connected_apps.find(({ id }) => id === appId)
  return (
    <Page
      title={app?.client_name ?? 'Connected app'}
      lead={
        <Link to="/connected-apps" className="text-link">
          All connected apps
        </Link>
      }
      actions={app === undefined ? undefined : <RevokeApp app={app} />}
    >
      <Answer query={query} skeleton={<SkeletonBlock height="24rem" />}>
        {() => (app === undefined ? <Gone /> : <Details app={app} />)}
      </Answer>
    </Page>
  )
}

function Gone() {
  return (
    <EmptyState title="This app is not connected any more">
      <Link to="/connected-apps" className={buttonClass('secondary', 'self-start')}>
        All connected apps
      </Link>
    </EmptyState>
  )
}

function Details({ app }: { app: ConnectedApp }) {
  return (
    <div className="flex flex-col gap-8">
      <Facts
        entries={{
          'Vouched for by':
            app.verified_domain === null ? (
              <Badge tone="caution">nobody: it chose its name itself</Badge>
            ) : (
              <Badge tone="better">{app.verified_domain}</Badge>
            ),
          May: app.read_only ? `${app.scopes.join(', ')}, limited to reading` : app.scopes.join(', '),
          Connected: <When at={app.connected_at} />,
          'Last used': app.last_used_at === null ? 'never' : <When at={app.last_used_at} />,
          Calls: app.call_count.toLocaleString(),
          'Client id': <code className="text-sm break-all">{app.client_id}</code>,
        }}
      />
      <Section title="How far it reaches">
        <Choices app={app} />
      </Section>
    </div>
  )
}

function Choices({ app }: { app: ConnectedApp }) {
  const query = useQuery({
    queryKey: ['choices', app.id],
    queryFn: ({ signal }) => fetchChoices(app.id, signal),
    staleTime: Infinity,
  })
  return (
    <Answer query={query} skeleton={<SkeletonBlock height="10rem" />}>
      {(offer) => <ChoicesForm app={app} offer={offer} />}
    </Answer>
  )
}

function ChoicesForm({ app, offer }: { app: ConnectedApp; offer: ChoicesOffer }) {
  const [choices, setChoices] = useState(offer.choices)
  const queries = useQueryClient()
  const call = useMutation({
    mutationFn: () => changeChoices(app.id, choices),
    onSuccess: async () => {
      say('Saved.')
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['choices', app.id] }),
        queries.invalidateQueries({ queryKey: [operations.listConnectedApps.id] }),
      ])
    },
  })
  return (
    <div className="max-w-2xl rounded-lg border border-line bg-surface p-5">
      <Form error={call.error} fields={['workspace_ids', 'toolsets']} onSubmit={() => call.mutate()}>
        <ClientChoices offer={offer} value={choices} onChange={setChoices} />
        <p className="text-sm text-muted">
          What you change here counts within a second, and the app stays connected. To end its access, revoke
          it.
        </p>
        <Button type="submit" variant="primary" isDisabled={call.isPending} className="self-start">
          Save
        </Button>
      </Form>
    </div>
  )
}
