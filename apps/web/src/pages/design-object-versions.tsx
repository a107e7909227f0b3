import { type AnswerOf, operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { client, useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { DesignTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { FieldChanges } from '../versions/field-changes.tsx'
import { RestoreVersion } from '../versions/restore-version.tsx'
import { useVersions, versionsPerPage } from '../versions/use-versions.ts'
import { VersionHistory } from '../versions/version-history.tsx'
import { counted } from '../documents/counted.ts'

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
      {query.error === null ? null : <ProblemNote error={query.error} />}
      {object === undefined || kind === undefined ? null : (
        <>
          <DesignTabs projectId={object.project_id} current={kind.page} />
          <History object={object} />
        </>
      )}
    </ProjectPage>
  )
}

function History({ object }: { object: DesignObject }) {
  const { id, kind, name } = object
  const { compare, with: other } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMayInProject(object.project_id, 'member')
  // Not in the note about it, which is gone when it is back.
  const call = useCall(operations.restoreDesignObject, outdatedFor(kind))
  const query = useVersions([operations.listDesignObjectVersions.id, id], (before, signal) =>
    client.call(
      operations.listDesignObjectVersions,
      { object_id: id, limit: versionsPerPage, before_version: before },
      { signal },
    ),
  )
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
        query={query}
        mayRestore={mayChange && !object.is_deleted}
        from={compare}
        to={other}
        onCompare={(from, to) =>
          void navigate({
            search: { compare: String(from), with: String(to) },
            replace: true,
            resetScroll: false,
          })
        }
        renderChanges={(from, to) => <Changes objectId={id} from={from} to={to} />}
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

function Changes({ objectId, from, to }: { objectId: string; from: number; to: number }) {
  const query = useAnswer(
    operations.listDesignObjectVersions,
    { object_id: objectId, compare: `${from}..${to}`, limit: 1 },
    { keepPrevious: true },
  )
  return (
    <Answer query={query} skeleton={<SkeletonBlock height="10rem" />}>
      {({ changes, change_count: count }) => {
        if (changes === null || count === null || count === 0)
          return <p className="text-muted">They are the same.</p>
        return (
          <div className="flex flex-col gap-2">
            <div className="rounded-lg border border-line bg-surface px-4 py-3">
              <FieldChanges fields={changes} />
            </div>
            {count > changes.length ? (
              <p className="text-sm text-muted">
                {changes.length} of {counted(count, 'change')} are shown.
              </p>
            ) : null}
          </div>
        )
      }}
    </Answer>
  )
}
