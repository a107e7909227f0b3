import { describeAge } from '../age.ts'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A time as its age, with the exact local time on hover. */
export function When({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)} className="whitespace-nowrap">
      {describeAge(date.getTime(), Date.now())}
    </time>
  )
}
