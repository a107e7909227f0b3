import { operations } from '@flamegate/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAnswer } from '../api.ts'
import { isFinal, Loading, NoAnswer } from './answer.tsx'
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
  return query.isLoadingError ? <GoneLink query={query} /> : <LoadingLink />
}

/** While what a link leads to is on its way. */
export function LoadingLink() {
  return (
    <Loading>
      <SkeletonBlock height="32rem" />
    </Loading>
  )
}

/** Says why a link shows nothing: it leads nowhere, or nobody could be asked where. */
export function GoneLink({ query }: { query: UseQueryResult }) {
  const isGone = isFinal(query.error)
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-xl font-semibold">
        {isGone ? 'This link leads nowhere' : 'This page cannot be shown'}
      </h1>
      {isGone ? <p className="text-muted">{query.error?.message}</p> : <NoAnswer query={query} />}
    </div>
  )
}
