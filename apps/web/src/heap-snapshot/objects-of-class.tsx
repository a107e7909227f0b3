import { type AnswerOf, formatBytes, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import type { ViewProps } from '../profile-views/profile-views.tsx'
import { HeapPlace } from './heap-place.tsx'
import { heapBytes } from './heap-bytes.ts'
import { isRefused } from './refused.ts'
import { referenceWords } from './reference-words.ts'
import { SizeShare } from './size-share.tsx'

type HeapObject = AnswerOf<typeof operations.getHeapRetainers>['objects'][number]

const objectsMax = 50
/** References of a way that are told in its row. */
const stepsMax = 4

/** The largest objects of a class, each with the nearest way from a root to it. */
export function ObjectsOfClass({ profile, search, change, className }: ViewProps & { className: string }) {
  const query = useAnswer(operations.getHeapRetainers, {
    profile_id: profile.id,
    class_name: className,
    top_n: objectsMax,
  })
  const showClasses = () => change({ function: undefined })
  if (isRefused(query.error)) {
    return (
      <EmptyState title={`${className} is no class of this snapshot`}>
        <p>{query.error.message}</p>
        <Button onPress={showClasses}>Show all classes</Button>
      </EmptyState>
    )
  }
  return (
    <Answer query={query} skeleton={<SkeletonTable rows={12} />}>
      {({ class_name: name, object_count: count, retained_size: retained, objects }) => (
        <div className="flex flex-col gap-3">
          <HeapPlace
            steps={[{ label: 'Classes', open: showClasses }, { label: name }]}
            words={
              `${count.toLocaleString()} ${count === 1 ? 'object' : 'objects'}, retaining ${formatBytes(retained)}` +
              (count > objects.length ? `. The ${objects.length} that retain most:` : '')
            }
            actions={
              <Button
                onPress={() => change({ view: undefined, root: name, zoom: undefined, part: undefined })}
              >
                Dominators below it
              </Button>
            }
          />
          <DataTable
            label={`Objects of ${name}`}
            rows={objects}
            rowKey={(row) => String(row.object_id)}
            sort={search.sort ?? '-retained'}
            onSort={(sort) => change({ sort })}
            whenEmpty="None that counts for itself: each is part of the object that alone uses it."
            columns={[
              {
                key: 'object',
                title: 'Object',
                grow: true,
                sortBy: (row) => row.name,
                render: (row) => (
                  <>
                    <button
                      type="button"
                      title={row.name}
                      onClick={() => change({ object: String(row.object_id) })}
                      className="row-link block max-w-full truncate text-left font-mono"
                    >
                      {row.name || row.class_name} <span className="text-muted">@{row.object_id}</span>
                    </button>
                    <span className="block truncate text-sm text-muted">{wayWords(row)}</span>
                  </>
                ),
              },
              {
                key: 'self',
                title: 'Self size',
                align: 'right',
                hideBelow: 'sm',
                sortBy: (row) => row.shallow_size,
                render: (row) => formatBytes(row.shallow_size),
              },
              {
                key: 'retained',
                title: 'Retained size',
                align: 'right',
                sortBy: (row) => row.retained_size,
                render: (row) => <SizeShare bytes={row.retained_size} totalBytes={heapBytes(profile)} />,
              },
            ]}
          />
        </div>
      )}
    </Answer>
  )
}

/** The nearest references of the shortest way, outwards. */
function wayWords({ paths: [shortest] }: HeapObject): string {
  if (shortest === undefined) return 'a root, or only weakly referred to'
  const shown = shortest.steps.slice(0, stepsMax)
  const words = shown.map((step) => `${referenceWords(step)} of ${step.name || step.class_name}`)
  return [...words, ...(shown.length < shortest.steps.length ? ['…'] : [])].join(' ← ')
}
