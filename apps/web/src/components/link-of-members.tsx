import { operations } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAnswer } from '../api.ts'
import { EmptyState } from './empty-state.tsx'
import { SkeletonBlock } from './skeleton.tsx'

/** Leads members to the page that a link without a secret is of. */
export function LinkOfMembers({ linkId }: { linkId: string }) {
  const navigate = useNavigate()
  const query = useAnswer(operations.getShareLink, { share_link_id: linkId })
  const url = query.data?.url
  useEffect(() => {
    if (url === undefined) return
    const { pathname, search } = new URL(url)
    void navigate({ href: pathname + search, replace: true })
  }, [url, navigate])
  return query.error === null ? <SkeletonBlock height="32rem" /> : <GoneLink error={query.error} />
}

/** Says why a link shows nothing. */
export function GoneLink({ error }: { error: Error }) {
  return (
    <EmptyState title="This link leads nowhere">
      <p>{error.message}</p>
    </EmptyState>
  )
}
