/**
 * Goes through a call tree in its order and knows, at every node, the nodes of the stack that leads to it.
 *
 *     for (let node = 0; node < parents.length; node++) {
 *       walk.to(node)   // walk.path[0] … walk.path[walk.depth - 1]: from the outermost function to the node
 *     }
 */
export class StackWalk {
  /** Without the root; only the first `depth` entries count. */
  path = new Int32Array(256)
  depth = 0
  private readonly parents: Int32Array

  constructor(parents: Int32Array) {
    this.parents = parents
  }

  /** Nodes may come in any order; neighbours in the order of the tree are quick. */
  to(node: number): this {
    const parent = this.parents[node]!
    if (parent > 0) {
      while (this.depth > 0 && this.path[this.depth - 1] !== parent) this.depth--
      if (this.depth === 0) this.climb(parent)
    } else this.depth = 0
    if (node > 0) this.push(node)
    return this
  }

  /** The path to a node from nothing. */
  private climb(node: number): void {
    const { parents } = this
    let depth = 0
    for (let each = node; each > 0; each = parents[each]!) depth++
    this.reserve(depth)
    this.depth = depth
    for (let each = node; each > 0; each = parents[each]!) this.path[--depth] = each
  }

  private push(node: number): void {
    this.reserve(this.depth + 1)
    this.path[this.depth++] = node
  }

  private reserve(depth: number): void {
    if (depth <= this.path.length) return
    const path = new Int32Array(depth * 2)
    path.set(this.path)
    this.path = path
  }
}
