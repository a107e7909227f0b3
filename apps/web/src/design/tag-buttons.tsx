import { Badge } from '../components/badge.tsx'

interface Props {
  tags: readonly string[]
  onTag: (tag: string) => void
}

/** Tags of a row, each of which narrows the list to those that have it. */
export function TagButtons({ tags, onTag }: Props) {
  return (
    // Above the link that takes presses anywhere in the row.
    <span className="relative z-10 flex flex-wrap gap-1">
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          aria-label={`Only those tagged ${tag}`}
          onClick={() => onTag(tag)}
          className="rounded-full hover:opacity-80"
        >
          <Badge>{tag}</Badge>
        </button>
      ))}
    </span>
  )
}
