import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useMayInProject } from '../shell/project-role.ts'
import { useVirtualUser, VirtualUserFrame } from '../validation/virtual-user-frame.tsx'
import { RestoreVersion } from '../versions/restore-version.tsx'
import { versionsOf } from '../versions/use-versions.ts'
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
  const compared = route.useSearch()
  const navigate = route.useNavigate()
  const user = useVirtualUser(virtualUserId).data?.virtual_user
  const mayChange = useMayInProject(user?.project_id, 'member')
  return (
    <VirtualUserFrame virtualUserId={virtualUserId} current="/versions" title="Versions">
      <VersionHistory
        source={versionsOf(operations.listVirtualUserVersions, { virtual_user_id: virtualUserId })}
        mayRestore={mayChange}
        compared={compared}
        onCompare={(search) => void navigate({ search, replace: true, resetScroll: false })}
        renderChanges={(changes, count) => (
          <ChangeList virtualUserId={virtualUserId} changes={changes} count={count} />
        )}
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
