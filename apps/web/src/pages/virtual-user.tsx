import { operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { StartValidation } from '../validation/start-validation.tsx'
import { useVirtualUser, type VirtualUser, VirtualUserFrame } from '../validation/virtual-user-frame.tsx'
import { Editor } from '../virtual-users/editor.tsx'
import { ExportVirtualUserMenu } from '../virtual-users/export-virtual-user-menu.tsx'
import { useServers } from '../virtual-users/use-servers.ts'

const route = getRouteApi('/app/virtual-users/$virtualUserId')

/** The editor of a virtual user. The address tells which action is chosen, and the filter. */
export function VirtualUserPage() {
  const { virtualUserId } = route.useParams()
  const { action, filter = '', view } = route.useSearch()
  const navigate = route.useNavigate()
  // More than one does not fit into an address: there may be thousands.
  const [several, setSeveral] = useState<readonly string[]>([])
  const [hasUnsaved, setUnsaved] = useState(false)
  const query = useAnswer(operations.getVirtualUserDocument, { virtual_user_id: virtualUserId })
  const user = useVirtualUser(virtualUserId).data?.virtual_user
  const projectId = user?.project_id
  const servers = useServers(projectId)
  const mayChange = useMayInProject(projectId, 'member')
  return (
    <VirtualUserFrame
      virtualUserId={virtualUserId}
      current=""
      title={user?.name ?? 'Virtual user'}
      wide
      lead={user === undefined ? undefined : <Lead user={query.data?.virtual_user ?? user} />}
      actions={
        <>
          <ExportVirtualUserMenu virtualUserId={virtualUserId} />
          <StartValidation virtualUserId={virtualUserId} label="Validate…" hasUnsaved={hasUnsaved} />
        </>
      }
    >
      <Answer query={query} skeleton={<SkeletonBlock height="28rem" />}>
        {(saved) => (
          <div className="flex flex-col gap-4">
            <Editor
              key={virtualUserId}
              saved={saved}
              servers={servers}
              mayChange={mayChange}
              chosen={action === undefined ? several : [action]}
              filter={filter}
              isJson={view === 'json'}
              onDirty={setUnsaved}
              onView={({ chosen, filter: words, isJson }) => {
                if (chosen !== undefined) setSeveral(chosen.length > 1 ? chosen : [])
                void navigate({
                  search: (before) => ({
                    ...before,
                    ...(chosen === undefined ? {} : { action: chosen.length === 1 ? chosen[0] : '' }),
                    ...(words === undefined ? {} : { filter: words }),
                    ...(isJson === undefined ? {} : { view: isJson ? 'json' : '' }),
                  }),
                  replace: true,
                  resetScroll: false,
                })
              }}
            />
          </div>
        )}
      </Answer>
    </VirtualUserFrame>
  )
}

function Lead({ user }: { user: VirtualUser }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>
        Version {user.version}, <When at={user.updated_at} />
      </span>
      {user.source === null ? null : (
        <Link to="/imports/$taskId" params={{ taskId: user.source.task_id }} className="text-link">
          from {user.source.file_name}
        </Link>
      )}
      {user.disabled_count === 0 ? null : <Badge tone="caution">{user.disabled_count} disabled</Badge>}
      {user.tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  )
}
