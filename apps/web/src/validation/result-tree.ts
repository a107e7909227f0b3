import type { AnswerOf, operations } from '@flamegate/contract'

/** What happened to one action, with its exchanges. */
export type ActionRow = AnswerOf<typeof operations.getValidationWaterfall>['actions'][number]

export interface ResultNode {
  row: ActionRow
  children: readonly ResultNode[]
}

/** A row of the tree, as it is shown. */
export interface ShownRow {
  row: ActionRow
  depth: number
  hasChildren: boolean
}

/**
 * The tree of what happened. Results come in the order in which they ended, so what is in a container stands right
 * before it. What is in one that has not ended yet stands at the top.
 */
export function resultTree(rows: readonly ActionRow[]): ResultNode[] {
  const open: ResultNode[] = []
  for (const row of rows.toSorted((left, right) => left.sequence - right.sequence)) {
    const depth = row.path.length
    let first = open.length
    while (first > 0 && isInside(open[first - 1]?.row, row, depth)) first--
    open.push({ row, children: open.splice(first) })
  }
  return open
}

function isInside(inner: ActionRow | undefined, outer: ActionRow, depth: number): boolean {
  return inner?.iteration === outer.iteration && inner.path[depth] === outer.action_id
}

/** The rows to show: what fits and what is around it, without what is folded in. */
export function shownRows(
  nodes: readonly ResultNode[],
  { fits, isFolded }: { fits: (row: ActionRow) => boolean; isFolded: (row: ActionRow) => boolean },
): ShownRow[] {
  return nodes.flatMap(({ row, children }) => {
    const inside = shownRows(children, { fits, isFolded })
    if (inside.length === 0 && !fits(row)) return []
    return [{ row, depth: row.path.length, hasChildren: inside.length > 0 }, ...(isFolded(row) ? [] : inside)]
  })
}

/** The row that an address means: that very one, else the first of the action that failed, else its first. */
export function rowOf(
  rows: readonly ActionRow[],
  actionId: string | undefined,
  sequence: string | undefined,
): ActionRow | undefined {
  const own = rows.filter(({ action_id }) => action_id === actionId)
  return (
    own.find((row) => String(row.sequence) === sequence) ??
    own.find(({ outcome }) => outcome === 'failed') ??
    own[0]
  )
}
