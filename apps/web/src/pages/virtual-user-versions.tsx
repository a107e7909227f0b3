import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { client, useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { useVirtualUser, VirtualUserFrame } from '../validation/virtual-user-frame.tsx'
import { RestoreVersion } from '../versions/restore-version.tsx'
import { useVersions, versionsPerPage } from '../versions/use-versions.ts'
import { VersionHistory } from '../versions/version-history.tsx'
import { ChangeList } from '../virtual-users/change-list.tsx'

const route = getRouteApi('/app/virtual-users/$virtualUserId/versions')

const outdatedByRestoring = [
  operations.listVirtualUserVersions,
  operations.getVirtualUserDocument,
  operations.getVirtualUser,
  operations.listVirtualUsers,
]

/** Every version of a virtual user; two are compared, and an earlier one is brought back. */
export function VirtualUserVersionsPage() {
  const { virtualUserId } = route.useParams()
  const { compare, with: other } = route.useSearch()
  const navigate = route.useNavigate()
  const user = useVirtualUser(virtualUserId).data?.virtual_user
  const mayChange = useMayInProject(user?.project_id, 'member')
  const query = useVersions([operations.listVirtualUserVersions.id, virtualUserId], (before, signal) =>
    client.call(
      operations.listVirtualUserVersions,
      { virtual_user_id: virtualUserId, limit: versionsPerPage, before_version: before },
      { signal },
    ),
  )
  return (
    <VirtualUserFrame virtualUserId={virtualUserId} current="/versions" title="Versions">
      <VersionHistory
        query={query}
        mayRestore={mayChange}
        from={compare}
        to={other}
        onCompare={(from, to) =>
          void navigate({
            search: { compare: String(from), with: String(to) },
            replace: true,
            resetScroll: false,
          })
        }
        renderChanges={(from, to) => <Changes virtualUserId={virtualUserId} from={from} to={to} />}
        renderRestore={(version, onClose) => (
          <RestoreVersion
            operation={operations.patchVirtualUser}
            input={{ virtual_user_id: virtualUserId, restore_version: version }}
            outdates={outdatedByRestoring}
            version={version}
            versionOf={({ virtual_user }) => virtual_user.version}
            onClose={onClose}
          />
        )}
      />
    </VirtualUserFrame>
  )
}

interface ChangesProps {
  virtualUserId: string
  from: number
  to: number
}

function Changes({ virtualUserId, from, to }: ChangesProps) {
  const query = useAnswer(
    operations.listVirtualUserVersions,
    { virtual_user_id: virtualUserId, compare: `${from}..${to}`, limit: 1 },
    { keepPrevious: true },
  )
  return (
    <Answer query={query} skeleton={<SkeletonBlock height="10rem" />}>
      {({ changes, change_count }) => (
        <ChangeList virtualUserId={virtualUserId} changes={changes ?? []} count={change_count ?? 0} />
      )}
    </Answer>
  )
}
