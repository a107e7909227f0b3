import { SkeletonLine, SkeletonTable } from '../components/skeleton.tsx'

/** While a page's code or the session is on its way. */
export function PendingPage() {
  return (
    <div aria-busy="true" className="mx-auto flex max-w-[112rem] flex-col gap-8 px-4 py-8 sm:px-6">
      <span className="text-2xl">
        <SkeletonLine />
      </span>
      <SkeletonTable />
    </div>
  )
}
