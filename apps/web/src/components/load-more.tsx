import { Button } from './button.tsx'

interface Props {
  hasMore: boolean
  isLoading: boolean
  onMore: () => void
}

/** The end of a listing: brings the next page, or nothing when that was all. */
export function LoadMore({ hasMore, isLoading, onMore }: Props) {
  if (!hasMore) return null
  return (
    <div className="flex justify-center py-4">
      <Button isDisabled={isLoading} onPress={onMore}>
        {isLoading ? 'Loading…' : 'Show more'}
      </Button>
    </div>
  )
}
