import { operations } from '@flamegate/contract'
import { describeAge } from '../age.ts'
import { useAnswer } from '../api.ts'
import { useNow } from '../clock.ts'
import { Select } from '../components/select.tsx'
import type { Profile } from '../profile-views/profile-views.tsx'
import { isHeapSnapshot } from '../profile-views/view-search.ts'

/** No id is empty. */
const none = ''

interface Props {
  profile: Profile
  /** Id of the snapshot that is compared with. */
  baseline: string | undefined
  onChange: (id: string | undefined) => void
}

/** Another snapshot of the project that a heap snapshot is compared with; nothing where there is no other. */
export function BaselineSelect({ profile, baseline, onChange }: Props) {
  const nowMs = useNow()
  const { data } = useAnswer(operations.listProfiles, {
    project_id: profile.project_id,
    type: profile.type,
    status: 'READY',
    limit: 100,
  })
  const others = (data?.profiles ?? []).filter((other) => isHeapSnapshot(other) && other.id !== profile.id)
  const isListed = baseline === undefined || others.some(({ id }) => id === baseline)
  if (others.length === 0 && isListed) return null
  return (
    <Select
      label="Compared with"
      className="w-72 max-sm:w-full"
      value={baseline ?? none}
      onChange={(id) => onChange(id === none ? undefined : id)}
      choices={[
        { id: none, label: 'Nothing' },
        ...others.map(({ id, name, started_at, created_at }) => ({
          id,
          label: name,
          note: describeAge(Date.parse(started_at ?? created_at), nowMs),
        })),
        // Far back, or not listed yet.
        ...(isListed ? [] : [{ id: baseline, label: baseline }]),
      ]}
    />
  )
}
