import { type AnswerOf, operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { DesignTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { DocumentChanges } from '../versions/document-changes.tsx'
import { RestoreVersion } from '../versions/restore-version.tsx'
import { versionsOf } from '../versions/use-versions.ts'
import { VersionHistory } from '../versions/version-history.tsx'

const route = getRouteApi('/app/design-objects/$objectId/versions')

type DesignObject = AnswerOf<typeof operations.getDesignObject>['object']

/** The page that lists such things, and the operation that it asks. */
const kinds = {
  variable: { page: 'variables', title: 'Variables', listing: operations.listVariables },
  http_server: { page: 'http-servers', title: 'HTTP servers', listing: operations.listHttpServers },
  correlation_rule: {
    page: 'correlation-rules',
    title: 'Correlation rules',
    listing: operations.listCorrelationRules,
  },
} as const

function outdatedFor(kind: DesignObject['kind']) {
  return [
    kinds[kind].listing,
    operations.getDesignObject,
    operations.listDesignObjectVersions,
    operations.sanityCheckVirtualUser,
  ]
}

/** Every version of a variable, an HTTP server or a correlation rule; also of a deleted one, which can come back. */
export function DesignObjectVersionsPage() {
  const { objectId } = route.useParams()
  const query = useAnswer(operations.getDesignObject, { object_id: objectId })
  const object = query.data?.object
  const kind = object === undefined ? undefined : kinds[object.kind]
  return (
    <ProjectPage
      projectId={object?.project_id ?? (query.error === null ? undefined : null)}
      section="virtual-users"
      title={object === undefined ? 'Versions' : `Versions of ${object.name}`}
      crumbs={
        object === undefined || kind === undefined
          ? []
          : [{ label: kind.title, href: `/projects/${object.project_id}/${kind.page}` }]
      }
    >
      <Answer query={query} skeleton={<SkeletonTable rows={4} />}>
        {({ object: known }) => (
          <div className="flex flex-col gap-6">
            <DesignTabs projectId={known.project_id} current={kinds[known.kind].page} />
            <History object={known} />
          </div>
        )}
      </Answer>
    </ProjectPage>
  )
}

function History({ object }: { object: DesignObject }) {
  const { id, kind, name } = object
  const compared = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMayInProject(object.project_id, 'member')
  // Not in the note about it, which is gone when it is back.
  const call = useCall(operations.restoreDesignObject, outdatedFor(kind))
  return (
    <>
      {object.is_deleted ? (
        <Deleted
          name={name}
          mayChange={mayChange}
          isPending={call.isPending}
          error={call.error}
          onRestore={() => call.mutate({ object_id: id }, { onSuccess: () => say(`${name} is back.`) })}
        />
      ) : null}
      <VersionHistory
        source={versionsOf(operations.listDesignObjectVersions, { object_id: id })}
        mayRestore={mayChange && !object.is_deleted}
        compared={compared}
        onCompare={(search) => void navigate({ search, replace: true, resetScroll: false })}
        renderChanges={(changes, count) => <DocumentChanges changes={changes} count={count} />}
        renderRestore={(version, onClose) => (
          <RestoreVersion
            operation={operations.patchDesignObject}
            input={{ object_id: id, restore_version: version }}
            outdates={outdatedFor(kind)}
            version={version}
            versionOf={(answer) => answer.object.version}
            onClose={onClose}
          />
        )}
      />
    </>
  )
}

interface DeletedProps {
  name: string
  mayChange: boolean
  isPending: boolean
  error: Error | null
  onRestore: () => void
}

/** Says that it is deleted, with the way to have it back. */
function Deleted({ name, mayChange, isPending, error, onRestore }: DeletedProps) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-caution-soft px-4 py-3">
        <p>{name} is deleted. Its versions stay.</p>
        {mayChange ? (
          <Button isDisabled={isPending} onPress={onRestore}>
            Bring back
          </Button>
        ) : null}
      </div>
      {error === null ? null : <ProblemNote error={error} />}
    </div>
  )
}
