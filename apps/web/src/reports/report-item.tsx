import { useQuery } from '@tanstack/react-query'
import { useContext, useRef } from 'react'
import { Answer } from '../components/answer.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { useIsTold } from '../live/told.ts'
import { PrintedContext } from '../shell/printed.ts'
import { useDrawn } from './drawn-items.ts'
import { itemAnchor } from './item-anchor.ts'
import type { ItemPlace } from './item-place.ts'
import { itemTypeLabel } from './item-types.ts'
import { ItemValuesView } from './item-values-view.tsx'
import { useNear } from './use-near.ts'
import { useReportSource } from './use-report-source.ts'

interface Props {
  item: ItemPlace
}

const livePollMs = 2000

/** One part of a report: its values are asked for when it comes near, and again while the run goes on. */
export function ReportItem({ item }: Props) {
  const { id, type, title } = item
  const { queryOf, isLive } = useReportSource()
  const isPrinted = useContext(PrintedContext)
  const article = useRef<HTMLElement>(null)
  const isTold = useIsTold()
  const isNear = useNear(article) || isPrinted
  const query = useQuery({
    ...queryOf(id),
    enabled: isNear,
    meta: { isLive },
    refetchInterval: isLive && isNear && !isTold ? livePollMs : false,
  })
  useDrawn(id, query.data !== undefined || query.error !== null)
  const anchor = itemAnchor(id)
  const shownTitle = query.data?.title ?? (title === '' ? itemTypeLabel(type) : title)
  return (
    // No landmark: two items may have the same title.
    <article
      ref={article}
      id={anchor}
      aria-labelledby={`${anchor}-title`}
      className="flex min-w-0 scroll-mt-4 flex-col gap-3 printed:gap-2"
    >
      <h2 id={`${anchor}-title`} className="text-lg font-semibold break-words break-after-avoid printed:mt-2">
        {shownTitle}
      </h2>
      <Answer query={query} skeleton={<SkeletonBlock height={heights[type] ?? '18rem'} />}>
        {({ values }) => <ItemValuesView item={item} title={shownTitle} values={values} />}
      </Answer>
    </article>
  )
}

/** About what comes, so that little moves when it does. */
const heights: Readonly<Record<string, string>> = {
  summary: '8rem',
  insights: '14rem',
  thresholds: '6rem',
  chart: '19rem',
  text: '6rem',
}
