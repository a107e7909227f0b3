import { type AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { When } from '../components/when.tsx'

type Side = AnswerOf<typeof operations.compareProfiles>['base']

/** One side of a comparison: its profile by name, its run, or how many profiles there are. */
export function ProfileLinks({ side }: { side: Side }) {
  const { profile_ids: ids, run_id: runId } = side
  const [profileId = ''] = ids
  const profile = useAnswer(operations.getProfile, { profile_id: profileId }).data?.profile
  return (
    <>
      <Link to="/profiles/$profileId" params={{ profileId }} className="text-link font-medium break-all">
        {profile?.name ?? profileId}
      </Link>
      {ids.length > 1 ? ` and ${ids.length - 1} more` : ''}
      {runId === null ? null : (
        <>
          {' of '}
          <Link to="/runs/$runId" params={{ runId }} className="text-link">
            its run
          </Link>
        </>
      )}{' '}
      <span className="text-sm">
        <When at={side.taken_at} />
      </span>
    </>
  )
}
