import { formatBytes, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import type { ViewProps } from '../profile-views/profile-views.tsx'
import { heapBytes } from './heap-bytes.ts'
import { HeapPlace } from './heap-place.tsx'
import type { RetainingPath } from './holders.ts'
import { isRefused } from './refused.ts'
import { RetainerTree } from './retainer-tree.tsx'

/** One object of a heap: its sizes, and what keeps it alive. */
export function ObjectView({ profile, search, change, objectId }: ViewProps & { objectId: number }) {
  const query = useAnswer(operations.getHeapRetainers, { profile_id: profile.id, object_id: objectId })
  const showClasses = () => change({ object: undefined, function: undefined })
  if (isRefused(query.error)) {
    return (
      <EmptyState title={`@${search.object} is no object of this snapshot`}>
        <Button onPress={showClasses}>Show all classes</Button>
      </EmptyState>
    )
  }
  return (
    <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
      {({ class_name: className, objects: [object] }) =>
        object === undefined ? null : (
          <div className="flex flex-col gap-6">
            <HeapPlace
              steps={[
                { label: 'Classes', open: showClasses },
                { label: className, open: () => change({ object: undefined, function: className }) },
                { label: `@${objectId}` },
              ]}
              words={
                `${object.name || className}: ${formatBytes(object.shallow_size)} itself, retaining ` +
                `${formatBytes(object.retained_size)}, ${shareWords(object.retained_size, heapBytes(profile))} of the heap`
              }
            />
            <Section title="What keeps it alive">
              {object.paths.length === 0 ? (
                <p className="text-muted">It is a root itself, or only weak references lead to it.</p>
              ) : (
                <>
                  <p className="max-w-prose text-sm text-muted">
                    Up to three objects that refer to it, those nearest to a root first.{' '}
                    {openWords(object.paths)} Enter shows an object, the arrow keys open and close.
                  </p>
                  <RetainerTree
                    profileId={profile.id}
                    label={`What keeps @${objectId} alive`}
                    paths={object.paths}
                    onObject={(id) => change({ object: String(id) })}
                  />
                </>
              )}
            </Section>
          </div>
        )
      }
    </Answer>
  )
}

/** How far the tree is open at first. */
function openWords([shortest]: readonly RetainingPath[]): string {
  if (shortest === undefined || shortest.omitted_steps === 0) return 'The first is opened to its root.'
  const count = shortest.steps.length + shortest.omitted_steps
  return `To the root of the first it takes ${count.toLocaleString()} references; it is opened for a part of the way.`
}

function shareWords(bytes: number, totalBytes: number): string {
  return `${(totalBytes === 0 ? 0 : (bytes / totalBytes) * 100).toFixed(1)} %`
}
