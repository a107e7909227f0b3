import { type AnswerOf, operations, roleAtLeast } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { useNow } from '../clock.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { NewApiToken } from '../components/new-api-token.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { WorkspacePage } from '../shell/page.tsx'
import { useMe } from '../shell/workspace.ts'

const route = getRouteApi('/app/workspaces/$workspaceId/api-tokens')

type ApiToken = AnswerOf<typeof operations.listApiTokens>['api_tokens'][number]

/** Tokens for CI and programs without a person. */
export function ApiTokensPage() {
  const { workspaceId } = route.useParams()
  const role = useMe().workspaces.find(({ id }) => id === workspaceId)?.role ?? 'viewer'
  const query = useAnswer(operations.listApiTokens, { workspace_id: workspaceId })
  return (
    <WorkspacePage
      workspaceId={workspaceId}
      title="API tokens"
      lead="For CI and programs. A token acts for the member who made it, in this workspace only."
      actions={roleAtLeast(role, 'member') ? <NewApiToken workspaceId={workspaceId} /> : undefined}
    >
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ api_tokens }) => (
          <DataTable
            label="API tokens"
            rows={api_tokens}
            rowKey={({ id }) => id}
            stacks
            whenEmpty="No API tokens yet."
            columns={[
              {
                key: 'name',
                title: 'Name',
                grow: true,
                sortBy: ({ name }) => name.toLowerCase(),
                render: (token) => (
                  <span className="block truncate">
                    <span className="font-medium">{token.name}</span>{' '}
                    <code className="text-muted">{token.prefix}…</code>
                  </span>
                ),
              },
              { key: 'scopes', title: 'May', render: ({ scopes }) => scopes.join(', ') },
              {
                key: 'used',
                title: 'Last used',
                hideBelow: 'lg',
                render: ({ last_used_at }) => (last_used_at === null ? 'never' : <When at={last_used_at} />),
              },
              {
                key: 'expires',
                title: 'State',
                render: (token) => <TokenState token={token} />,
              },
              {
                key: 'revoke',
                title: 'Revoke',
                align: 'right',
                render: (token) => (token.revoked_at === null ? <Revoke token={token} /> : null),
              },
            ]}
          />
        )}
      </Answer>
    </WorkspacePage>
  )
}

function TokenState({ token }: { token: ApiToken }) {
  const nowMs = useNow()
  if (token.revoked_at !== null) return <Badge tone="worse">revoked</Badge>
  if (token.expires_at === null) return <>does not expire</>
  if (Date.parse(token.expires_at) < nowMs) return <Badge tone="caution">expired</Badge>
  return (
    <span className="whitespace-nowrap">
      expires <When at={token.expires_at} />
    </span>
  )
}

function Revoke({ token }: { token: ApiToken }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" aria-label={`Revoke ${token.name}`} onPress={() => setOpen(true)}>
        Revoke
      </Button>
      {isOpen ? (
        <ConfirmCall
          title={`Revoke ${token.name}?`}
          action="Revoke"
          operation={operations.revokeApiToken}
          input={{ api_token_id: token.id }}
          outdates={[operations.listApiTokens]}
          onDone={() => say(`${token.name} does not work any more.`)}
          onClose={() => setOpen(false)}
        >
          Whatever uses it stops working at once. This cannot be undone.
        </ConfirmCall>
      ) : null}
    </>
  )
}
