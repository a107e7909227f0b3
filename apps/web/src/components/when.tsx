import { describeAge } from '../age.ts'
import { useNow } from '../clock.ts'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A time as its age, with the exact local time on hover. */
export function When({ at }: { at: string }) {
  const nowMs = useNow()
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)} className="whitespace-nowrap">
      {describeAge(date.getTime(), nowMs)}
    </time>
  )
}
