import { formatBytes, operations } from '@flamegate/contract'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { Collection } from 'react-aria-components/Collection'
import { Button, Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree'
import { answerOptions, client } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { ChevronRight } from '../components/icons.tsx'
import { type Holder, holderTree, keysOfWay, objectOfKey, type RetainingPath } from './holders.ts'
import { OneByOne } from './one-by-one.ts'
import { referenceWords } from './reference-words.ts'

interface Props {
  profileId: string
  /** What the tree is of: its accessible name. */
  label: string
  /** The ways to the object, the shortest first, which is open. */
  paths: readonly RetainingPath[]
  onObject: (objectId: number) => void
}

/** An object far from its root asks dozens of questions, and others have some, too. */
const questions = new OneByOne()

function retainersOf(profileId: string, objectId: number) {
  const input = { profile_id: profileId, object_id: objectId }
  return {
    ...answerOptions(operations.getHeapRetainers, input),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      questions.take(() => client.call(operations.getHeapRetainers, input, { signal }), signal),
    // A snapshot stays as it is.
    staleTime: Infinity,
  }
}

/** What keeps an object, and what keeps that, to the roots: opened step by step. */
export function RetainerTree({ profileId, label, paths, onObject }: Props) {
  const [shortest] = paths
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(
    () => new Set(shortest === undefined ? [] : keysOfWay(shortest)),
  )
  const openIds = [...new Set([...openKeys].map(objectOfKey))]
  const answers = useQueries({
    queries: openIds.map((id) => retainersOf(profileId, id)),
  })
  const pathsOf = new Map(
    answers.flatMap(({ data }) =>
      data === undefined ? [] : data.objects.map((object) => [object.object_id, object.paths] as const),
    ),
  )
  const failedIds = new Set(openIds.filter((_id, index) => answers[index]?.isError === true))
  const holders = holderTree(paths, { pathsOf, openKeys })
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <div
        aria-hidden="true"
        className="flex justify-between gap-3 border-b border-line px-4 py-2 text-sm font-medium text-muted"
      >
        <span>Reference and its holder</span>
        <span className="flex text-right">
          <span className="w-24 max-sm:hidden">Self</span>
          <span className="w-24">Retained</span>
        </span>
      </div>
      <Tree
        aria-label={label}
        items={holders}
        dependencies={[failedIds.size]}
        expandedKeys={openKeys}
        onExpandedChange={(keys) => setOpenKeys(new Set([...keys].map(String)))}
        onAction={(key) => onObject(objectOfKey(String(key)))}
        className="outline-none"
      >
        {(holder) => <HolderItem holder={holder} failedIds={failedIds} />}
      </Tree>
    </div>
  )
}

interface ItemProps {
  holder: Holder
  /** Objects that could not be asked for. */
  failedIds: ReadonlySet<number>
}

/** Deeper rows are not moved further in, or there is no room left for them. */
const deepestIndent = 16

function HolderItem({ holder, failedIds }: ItemProps) {
  const { step, isRoot, holders } = holder
  const words = `${referenceWords(step)} of ${step.name || step.class_name}`
  const hasInner = holders === undefined || holders.length > 0
  return (
    <TreeItem
      id={holder.key}
      textValue={`${words} @${step.object_id}`}
      className="group cursor-pointer border-b border-line outline-none last:border-b-0 data-focus-visible:bg-accent-soft data-hovered:bg-hover/60"
    >
      <TreeItemContent>
        {({ level }) => (
          <div className="flex min-h-9 items-center gap-3 py-1 pr-4">
            <div
              className="flex min-w-0 grow items-center gap-1"
              style={{ paddingLeft: `${0.5 + Math.min(level - 1, deepestIndent) * 0.75}rem` }}
            >
              <Button
                slot="chevron"
                className={`flex size-7 shrink-0 items-center justify-center rounded-sm text-muted transition-transform group-data-expanded:rotate-90 hover:bg-hover ${hasInner ? '' : 'invisible'}`}
              >
                <ChevronRight />
              </Button>
              <span className="min-w-0 truncate" title={words}>
                <span className="font-mono text-accent">{referenceWords(step)}</span>{' '}
                <span className="text-muted">of</span>{' '}
                <span className="font-mono">{step.name || step.class_name}</span>{' '}
                <span className="text-sm text-muted">@{step.object_id}</span>
              </span>
              {isRoot ? <Badge tone="accent">root</Badge> : null}
            </div>
            <span className="flex shrink-0 text-right tabular-nums">
              <span className="w-24 max-sm:hidden">{formatBytes(step.shallow_size)}</span>
              <span className="w-24 max-sm:w-auto">{formatBytes(step.retained_size)}</span>
            </span>
          </div>
        )}
      </TreeItemContent>
      {holders === undefined ? (
        // What has nothing inside cannot be opened by keys.
        <AwaitedItem id={`${holder.key}/`} isFailed={failedIds.has(step.object_id)} />
      ) : (
        <Collection items={holders}>
          {(inner) => <HolderItem holder={inner} failedIds={failedIds} />}
        </Collection>
      )}
    </TreeItem>
  )
}

/** Stands for what keeps an object until that is known. */
function AwaitedItem({ id, isFailed }: { id: string; isFailed: boolean }) {
  const words = isFailed ? 'Not answered: close and open it to ask again.' : 'Asking …'
  return (
    <TreeItem id={id} textValue={words} isDisabled className="border-b border-line outline-none">
      <TreeItemContent>
        <p className="px-4 py-1.5 text-sm text-muted">{words}</p>
      </TreeItemContent>
    </TreeItem>
  )
}
