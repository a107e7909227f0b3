import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { actionsColumn } from '../components/actions-column.tsx'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { useRestore } from '../design/use-restore.ts'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import type { SlaProfile } from '../sla/band-draft.ts'
import { SlaDialog } from '../sla/sla-dialog.tsx'

const route = getRouteApi('/app/projects/$projectId/sla-profiles')

type Doing = { what: 'new' } | { what: 'change' | 'delete'; profile: SlaProfile }

/** What services of a project are to keep to, and what of it is held against that. */
export function ProjectSlaProfilesPage() {
  const { projectId } = route.useParams()
  const mayChange = useMayInProject(projectId, 'member')
  const query = useAnswer(operations.listSlaProfiles, { project_id: projectId })
  const suggested = query.data?.suggested_bands ?? []
  const [doing, setDoing] = useState<Doing>()
  const restore = useRestore(operations.restoreSlaProfile, [operations.listSlaProfiles])
  const close = () => setDoing(undefined)
  return (
    <ProjectPage
      projectId={projectId}
      section="scenarios"
      title="SLA profiles"
      crumbs={[{ label: 'Scenarios', href: `/projects/${projectId}/scenarios` }]}
      lead="What virtual users and containers are to keep to, in every load test that runs them"
      actions={
        mayChange ? (
          <Button variant="primary" onPress={() => setDoing({ what: 'new' })}>
            <PlusIcon />
            New SLA profile
          </Button>
        ) : undefined
      }
    >
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ sla_profiles: profiles }) =>
          profiles.length === 0 ? (
            <EmptyState title="No SLA profiles yet">
              <p>
                One says from which response time or share of errors on a load test warns or fails, for how
                long that may last, and for which virtual users and containers.
              </p>
            </EmptyState>
          ) : (
            <DataTable
              label="SLA profiles"
              rows={profiles}
              rowKey={({ id }) => id}
              stacks
              whenEmpty=""
              columns={[
                {
                  key: 'name',
                  title: 'Name',
                  render: ({ name, description }) => (
                    <span className="block min-w-0">
                      <span className="block truncate font-medium">{name}</span>
                      <span className="block truncate text-sm text-muted">{description}</span>
                    </span>
                  ),
                },
                {
                  key: 'bands',
                  title: 'Bands',
                  grow: true,
                  render: ({ bands }) => <Lines lines={bands.map(({ text }) => text)} />,
                },
                {
                  key: 'attached',
                  title: 'Attached to',
                  render: ({ attachments }) =>
                    attachments.length === 0 ? (
                      <span className="text-muted">nothing yet</span>
                    ) : (
                      <Lines lines={attachments.map(({ of }) => of ?? 'what was deleted')} />
                    ),
                },
                ...(mayChange
                  ? [
                      actionsColumn((profile: SlaProfile) => ({
                        of: profile.name,
                        actions: [
                          { label: 'Change…', onAction: () => setDoing({ what: 'change', profile }) },
                          { label: 'Delete…', onAction: () => setDoing({ what: 'delete', profile }) },
                        ],
                      })),
                    ]
                  : []),
              ]}
            />
          )
        }
      </Answer>
      {doing?.what === 'new' ? (
        <SlaDialog projectId={projectId} suggested={suggested} onClose={close} />
      ) : null}
      {doing?.what === 'change' ? (
        <SlaDialog projectId={projectId} profile={doing.profile} suggested={suggested} onClose={close} />
      ) : null}
      {doing?.what === 'delete' ? (
        <ConfirmCall
          title={`Delete ${doing.profile.name}?`}
          action="Delete"
          operation={operations.deleteSlaProfile}
          input={{ sla_profile_id: doing.profile.id }}
          outdates={[operations.listSlaProfiles]}
          onDone={({ sla_profile_id }) => restore.offer({ sla_profile_id }, doing.profile.name)}
          onClose={close}
        >
          Load tests are not held against it any more. Those that were, still show how they did.
        </ConfirmCall>
      ) : null}
    </ProjectPage>
  )
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <span className="block min-w-0 text-sm">
      {[...new Set(lines)].map((line) => (
        <span key={line} className="block truncate">
          {line}
        </span>
      ))}
    </span>
  )
}
