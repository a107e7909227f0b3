import { createContext, memo, useContext, useEffect, useMemo, useRef } from 'react'
import { Collection } from 'react-aria-components/Collection'
import { Button, Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree'
import { DropIndicator, useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { ChevronRight, GripIcon, WarningIcon } from '../components/icons.tsx'
import { ActionIcon } from './action-icon.tsx'
import type { ActionTree, TreeNode } from './action-tree.ts'
import { actionDetail, actionTitle } from './action-words.ts'
import { placeOfDrop, type Destination } from './edit-actions.ts'
import { textOf } from '../documents/json.ts'

interface Props {
  tree: ActionTree
  /** Rows that are shown; undefined: all. */
  shown: ReadonlySet<string> | undefined
  openKeys: ReadonlySet<string>
  onOpen: (keys: ReadonlySet<string>) => void
  chosen: readonly string[]
  onChoose: (keys: string[]) => void
  /** The row that is to be seen. */
  inSight: string | undefined
  /** Actions that wait to be pasted elsewhere. */
  cut: ReadonlySet<string>
  serverNames: ReadonlyMap<string, string>
  /** Undefined: nothing may be moved. */
  onMove: ((keys: string[], destination: Destination) => void) | undefined
}

const rowHeight = 34
const layoutOptions = { rowHeight }
/** Deeper rows are not moved further in, or there is no room left for them. */
const deepestIndent = 12

/** What rows show, as it is by now. It is drawn without making the rows anew. */
export interface RowContents {
  byKey: ActionTree['byKey']
  /** Actions that saving was refused for. */
  faulty: ReadonlySet<string>
}

export const RowContentsContext = createContext<RowContents>({ byKey: new Map(), faulty: new Set() })

/** What all rows have in common: with another one they are all made anew. */
type Looks = Pick<Props, 'shown' | 'openKeys' | 'cut' | 'serverNames'> & { canMove: boolean }

/** The actions of a virtual user. Rows are chosen, opened, and dragged elsewhere, by pointer or by keys. */
export const ActionTreeView = memo(function ActionTreeBox(props: Props) {
  const { tree, shown, openKeys, onOpen, chosen, onChoose, inSight, cut, serverNames, onMove } = props
  const canMove = onMove !== undefined
  const looks = useMemo<Looks>(
    () => ({ shown, openKeys, cut, serverNames, canMove }),
    [shown, openKeys, cut, serverNames, canMove],
  )
  const { dragAndDropHooks } = useDragAndDrop<TreeNode>({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    getAllowedDropOperations: () => ['move'],
    shouldAcceptItemDrop: ({ key }) => placeOfDrop(tree, String(key), 'on') !== undefined,
    renderDropIndicator: (target) => (
      <DropIndicator
        target={target}
        className="relative z-10 -my-px block h-0.5 w-full data-drop-target:bg-accent"
      />
    ),
    onMove: ({ keys, target }) => {
      const destination = placeOfDrop(tree, String(target.key), target.dropPosition)
      if (destination !== undefined) onMove?.([...keys].map(String), destination)
    },
  })
  const roots = useMemo(() => shownOf(tree.roots, shown), [tree, shown])
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // In the next frame, when the rows have their room.
    const frame = requestAnimationFrame(() => {
      const index = inSight === undefined ? -1 : visibleKeys(roots, openKeys, shown).indexOf(inSight)
      if (index >= 0) scrollToRow(box.current, index)
    })
    return () => cancelAnimationFrame(frame)
    // oxlint-disable-next-line react/exhaustive-deps -- rows come and go; only another row is brought into sight
  }, [inSight])
  return (
    <Virtualizer layout={ListLayout} layoutOptions={layoutOptions}>
      <Tree
        // Whether rows can be dragged is settled when the tree is first drawn.
        key={canMove ? 'change' : 'read'}
        ref={box}
        aria-label="Actions"
        items={roots}
        dependencies={[looks]}
        selectionMode="multiple"
        selectionBehavior="replace"
        selectedKeys={chosen}
        onSelectionChange={(keys) =>
          onChoose(keys === 'all' ? [...tree.byKey.keys()] : [...keys].map(String))
        }
        expandedKeys={openKeys}
        onExpandedChange={(keys) => onOpen(new Set([...keys].map(String)))}
        {...(canMove ? { dragAndDropHooks } : {})}
        renderEmptyState={() => (
          <p className="px-4 py-6 text-muted">
            {shown === undefined
              ? 'No actions yet. “Add” puts the first one here.'
              : 'No action fits the filter.'}
          </p>
        )}
        className="h-full overflow-auto outline-none data-drop-target:bg-accent-soft"
      >
        {(node) => <Row node={node} looks={looks} />}
      </Tree>
    </Virtualizer>
  )
})

function shownOf(nodes: readonly TreeNode[], shown: ReadonlySet<string> | undefined): readonly TreeNode[] {
  return shown === undefined ? nodes : nodes.filter(({ key }) => shown.has(key))
}

/** Keys of the rows that are not inside a closed one, in their order. */
function visibleKeys(
  nodes: readonly TreeNode[],
  openKeys: ReadonlySet<string>,
  shown: ReadonlySet<string> | undefined,
): string[] {
  return nodes.flatMap(({ key, children }) => [
    key,
    ...(openKeys.has(key) ? visibleKeys(shownOf(children, shown), openKeys, shown) : []),
  ])
}

function scrollToRow(box: HTMLDivElement | null, index: number): void {
  if (box === null) return
  const top = index * rowHeight
  if (top < box.scrollTop || top + rowHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = top - box.clientHeight / 2
}

function Row({ node, looks }: { node: TreeNode; looks: Looks }) {
  const { shown, openKeys, cut, serverNames, canMove } = looks
  const { key, children } = node
  const { title, detail } = wordsOf(node, serverNames)
  const isPale = node.isOff || cut.has(key)
  return (
    <TreeItem
      id={key}
      value={node}
      textValue={`${title} ${detail}${isPale ? ' (disabled)' : ''}`}
      hasChildItems={children.length > 0}
      className="group cursor-default outline-none data-drop-target:bg-accent-soft data-focus-visible:outline-2 data-focus-visible:outline-offset-[-2px] data-focus-visible:outline-accent data-hovered:bg-hover/60 data-selected:bg-accent-soft"
    >
      <TreeItemContent>
        {({ level }) => (
          <div
            className="flex items-center gap-1.5 pr-2"
            style={{ height: rowHeight, paddingLeft: `${0.25 + Math.min(level - 1, deepestIndent) * 1}rem` }}
          >
            <Button
              slot="chevron"
              className={`flex size-6 shrink-0 items-center justify-center rounded-sm text-muted transition-transform group-data-expanded:rotate-90 hover:bg-hover ${children.length > 0 ? '' : 'invisible'}`}
            >
              <ChevronRight />
            </Button>
            <RowContent node={node} isPale={isPale} serverNames={serverNames} />
            {node.kind === 'branch' || !canMove ? null : (
              <Button
                slot="drag"
                className="flex size-6 shrink-0 items-center justify-center rounded-sm text-muted opacity-0 group-data-focus-visible:opacity-100 group-data-hovered:opacity-100 focus-visible:opacity-100"
              >
                <GripIcon />
              </Button>
            )}
          </div>
        )}
      </TreeItemContent>
      {openKeys.has(key) ? (
        <Collection items={shownOf(children, shown)} dependencies={[looks]}>
          {(inner) => <Row node={inner} looks={looks} />}
        </Collection>
      ) : null}
    </TreeItem>
  )
}

interface ContentProps {
  /** As it was when the row was made. */
  node: TreeNode
  isPale: boolean
  serverNames: ReadonlyMap<string, string>
}

function RowContent({ node, isPale, serverNames }: ContentProps) {
  const { byKey, faulty } = useContext(RowContentsContext)
  const current = byKey.get(node.key) ?? node
  const { title, detail } = wordsOf(current, serverNames)
  const isBranch = node.kind === 'branch'
  return (
    <>
      {isBranch ? null : (
        <span className={isPale ? 'text-muted opacity-60' : 'text-accent'}>
          <ActionIcon type={textOf(current.action['type'])} />
        </span>
      )}
      <span className={`min-w-0 grow truncate ${isPale ? 'text-muted' : ''}`} title={`${title} ${detail}`}>
        <span className={isBranch ? 'text-sm text-muted italic' : isPale ? 'line-through decoration-1' : ''}>
          {title}
        </span>
        {detail === '' || detail === title ? null : <span className="ml-2 text-sm text-muted">{detail}</span>}
      </span>
      {faulty.has(node.key) ? (
        <span className="text-worse">
          <WarningIcon />
          <span className="sr-only">Not valid</span>
        </span>
      ) : null}
    </>
  )
}

function wordsOf(
  { kind, action, words }: TreeNode,
  serverNames: ReadonlyMap<string, string>,
): { title: string; detail: string } {
  return kind === 'branch'
    ? { title: words, detail: '' }
    : { title: actionTitle(action), detail: actionDetail(action, serverNames) }
}
