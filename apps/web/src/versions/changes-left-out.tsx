import { counted } from '../documents/counted.ts'

/** How many of the changes are shown, where there are more. */
export function ChangesLeftOut({ shown, count }: { shown: number; count: number }) {
  if (count <= shown) return null
  return (
    <p className="text-sm text-muted">
      {shown} of {counted(count, 'change')} are shown.
    </p>
  )
}
