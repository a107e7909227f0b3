import type { Redactor } from '@flamegate/loadtest'
import type { PageLoad, WebVitals } from '../page/web-vitals.ts'

/** What a page load in a browser was like, and where in the run it was. */
export interface MeasuredPageLoad extends WebVitals {
  profile: number
  /** Place of the action in the list of the run's actions. */
  action: number
  /** Since the run began. */
  second: number
  /** Its path, in which what differs from one thing to another is `{…}`. */
  page: string
}

const pageCharactersMax = 200
const segmentCharactersMax = 60

/**
 * `https://shop.example/products/4711?ref=x` is `/products/{…}`: pages of the same kind are one, and what may be a secret is not
 * told.
 */
export function pageOf(url: string, redactor: Redactor): string {
  const path = URL.parse(url)?.pathname ?? '/'
  const kind = path
    .split('/')
    .map((segment) => (isOneOfMany(segment) ? '{…}' : segment))
    .join('/')
  return redactor.redact(kind).slice(0, pageCharactersMax)
}

/** Numbers, and what machines make up: long, or with many digits. */
function isOneOfMany(segment: string): boolean {
  return /^\d+$|(?:\d\D*){4}/.test(segment) || segment.length > segmentCharactersMax
}

/** Where in a run a page load was. */
export function measuredPageLoad(
  { url, startedAt, ttfbMs, fcpMs, lcpMs, cls, inpMs }: PageLoad,
  place: { profile: number; action: number; runStartedAt: number },
  redactor: Redactor,
): MeasuredPageLoad {
  const { profile, action, runStartedAt } = place
  const second = Math.max(0, Math.floor((startedAt - runStartedAt) / 1000))
  return { profile, action, second, page: pageOf(url, redactor), ttfbMs, fcpMs, lcpMs, cls, inpMs }
}
