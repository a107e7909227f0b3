import { type AnswerOf, operations } from '@flamegate/contract'
import type { ComponentProps, ReactNode } from 'react'
import { useAnswer } from '../api.ts'
import { NoAnswer } from '../components/answer.tsx'
import { VirtualUserTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'

export type VirtualUser = AnswerOf<typeof operations.getVirtualUser>['virtual_user']

/** A virtual user without its document; undefined until it is known. */
export function useVirtualUser(virtualUserId: string) {
  return useAnswer(operations.getVirtualUser, {
    virtual_user_id: virtualUserId,
    view: 'document',
    fields: ['name'],
  })
}

interface Props {
  virtualUserId: string
  current: ComponentProps<typeof VirtualUserTabs>['current']
  title: string
  lead?: ReactNode
  actions?: ReactNode
  wide?: boolean
  children: ReactNode
}

/** A page about something of a virtual user, with the ways to the others and to what it belongs to. */
export function VirtualUserFrame({ virtualUserId, current, wide = false, children, ...page }: Props) {
  const query = useVirtualUser(virtualUserId)
  const user = query.data?.virtual_user
  return (
    <ProjectPage
      {...page}
      wide={wide}
      projectId={user?.project_id ?? (query.error === null ? undefined : null)}
      section="virtual-users"
      crumbs={
        user === undefined
          ? []
          : [
              { label: 'Virtual users', href: `/projects/${user.project_id}/virtual-users` },
              ...(current === '' ? [] : [{ label: user.name, href: `/virtual-users/${user.id}` }]),
            ]
      }
    >
      {query.isLoadingError ? (
        <NoAnswer query={query} />
      ) : (
        <>
          <VirtualUserTabs virtualUserId={virtualUserId} current={current} />
          {children}
        </>
      )}
    </ProjectPage>
  )
}
