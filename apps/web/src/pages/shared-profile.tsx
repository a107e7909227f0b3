import { readProblem } from '@flamegate/client'
import type { AnswerOf, operations } from '@flamegate/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouterState } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { EmptyState } from '../components/empty-state.tsx'
import { Mark } from '../components/icons.tsx'
import { GoneLink, LinkOfMembers, LoadingLink } from '../components/link-of-members.tsx'
import { ToggleButton } from '../components/toggle-button.tsx'
import { When } from '../components/when.tsx'
import { FlameGraph } from '../flame-graph/flame-graph.tsx'
import { layOutTree } from '../flame-graph/flame-tree.ts'

const route = getRouteApi('/shared/$linkId')

/** Where a link to a profile leads: members to the profile's page, whoever has a public one to the flame graph. */
export function SharedProfilePage() {
  const { linkId } = route.useParams()
  const secret = useRouterState({ select: ({ location }) => location.hash })
  return (
    <div className="mx-auto flex min-h-dvh max-w-[110rem] flex-col gap-5 px-4 py-6 sm:px-8">
      <title>Shared profile – Flamegate</title>
      <header className="flex items-center gap-2.5 text-lg font-semibold">
        <Mark className="size-7" />
        Flamegate
      </header>
      <main className="flex flex-col gap-4">
        {secret === '' ? (
          <LinkOfMembers linkId={linkId} />
        ) : (
          <PublicProfile linkId={linkId} secret={secret} />
        )}
      </main>
    </div>
  )
}

interface SharedProfile {
  name: string
  expires_at: string
  root_function_name: string | null
  inverted: boolean
  graph: Omit<AnswerOf<typeof operations.generateFlamegraph>, 'url'>
}

/** What a visitor changes of the link's own view; an empty root is that of the whole profile. */
interface Changes {
  root_function_name?: string
  inverted?: string
}

function PublicProfile({ linkId, secret }: { linkId: string; secret: string }) {
  const [changes, setChanges] = useState<Changes>({})
  const [search, setSearch] = useState('')
  const query = useQuery({
    queryKey: ['shared', linkId, secret, changes],
    queryFn: ({ signal }) => readShared(linkId, secret, changes, signal),
    placeholderData: keepPreviousData,
  })
  const shared = query.data
  const tree = useMemo(() => shared && layOutTree(shared.graph), [shared])
  if (query.isLoadingError) return <GoneLink query={query} />
  if (shared === undefined || tree === undefined) return <LoadingLink />
  const { name, expires_at, root_function_name: root, inverted, graph } = shared
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="grow">
          <h1 className="text-xl font-semibold break-words">{name}</h1>
          <p className="text-muted">
            {graph.sample_type}. This link ends <When at={expires_at} />.
          </p>
        </div>
        <ToggleButton
          isSelected={inverted}
          onChange={(chosen) => setChanges({ ...changes, inverted: String(chosen) })}
        >
          Inverted
        </ToggleButton>
      </div>
      {graph.total_value === 0 ? (
        <EmptyState title="No samples of this type" />
      ) : (
        <FlameGraph
          tree={tree}
          unit={graph.unit}
          label={`Flame graph of ${name}, ${graph.sample_type}`}
          search={search}
          onSearch={setSearch}
          root={root ?? undefined}
          onRoot={(next = '') => setChanges({ ...changes, root_function_name: next })}
        />
      )}
      {graph.truncated ? (
        <p className="text-sm text-muted">
          {graph.omitted_node_count.toLocaleString()} of the smallest frames are left out. “Show only below
          this” brings those of a function.
        </p>
      ) : null}
    </>
  )
}

async function readShared(
  linkId: string,
  secret: string,
  changes: Changes,
  signal: AbortSignal,
): Promise<SharedProfile> {
  const query = new URLSearchParams({ ...changes })
  const answer = await fetch(`/v1/shared/${encodeURIComponent(linkId)}?${query.toString()}`, {
    headers: { authorization: `Bearer ${secret}` },
    credentials: 'omit',
    signal,
  })
  if (!answer.ok) throw await readProblem(answer)
  return answer.json()
}
