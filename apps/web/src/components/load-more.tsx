import { Button } from './button.tsx'
import { ProblemNote } from './problem-note.tsx'

interface Props {
  hasMore: boolean
  isLoading: boolean
  /** Why the next page did not come. */
  error: Error | null
  onMore: () => void
}

/** The end of a listing: brings the next page, or nothing when that was all. */
export function LoadMore({ hasMore, isLoading, error, onMore }: Props) {
  if (!hasMore) return null
  return (
    <div className="flex flex-col items-center gap-3 py-4">
      {error === null ? null : <ProblemNote error={error} />}
      <Button isDisabled={isLoading} onPress={onMore}>
        {isLoading ? 'Loading…' : 'Show more'}
      </Button>
    </div>
  )
}
