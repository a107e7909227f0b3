import { letGo, longer } from '../columns.ts'
import { word0, word1, word2, word3 } from '../fingerprint-key.ts'
import { FingerprintTable } from '../fingerprint-table.ts'

/**
 * A tree of stacks. Node 0 is the root; parents have lower numbers, and a new stack makes its nodes one after the other,
 * from the outermost frame on.
 *
 * A new stack mostly begins like others and ends in one or two new nodes. So its nodes are not looked up from the root on,
 * which would be a miss of the cache for each of its frames: every node is known by a fingerprint of all codes up to
 * it, and a stack is looked for from its innermost frame outwards, until a node is there.
 *
 *     codes         read  parse  main      innermost first
 *     fingerprints  f3 <- f2 <-- f1        f3 is unknown, f2 is node 7: node 8 = (7, read)
 *
 * Fingerprints are of 64 bits, and not checked against the codes; `ByteFingerprint` says what that means.
 */
export class PprofStacks {
  count = 1
  parents = new Int32Array(1024)
  codes = new Int32Array(1024)
  /** `valueWidth` values per node, side by side: what stacks have that end there. */
  values: Float64Array
  readonly valueWidth: number
  private table = new FingerprintTable()
  private readonly maxCount: number
  private readonly overflow: () => Error
  /** Fingerprints of the stack that is looked up, by frame; the outermost one is 1. */
  private lows = new Int32Array(256)
  private highs = new Int32Array(256)

  constructor(options: { valueWidth: number; maxCount: number; overflow: () => Error }) {
    this.valueWidth = options.valueWidth
    this.maxCount = options.maxCount
    this.overflow = options.overflow
    this.values = new Float64Array(1024 * options.valueWidth)
    this.parents[0] = -1
    this.codes[0] = -1
  }

  /** The node of the stack of the first `depth` codes, innermost first. Throws what `overflow` gives when there are too many. */
  intern(codes: Int32Array, depth: number): number {
    this.readFingerprints(codes, depth)
    const { lows, highs, table } = this
    let frame = depth
    let node = 0
    for (; frame > 0; frame--) {
      const known = table.find(lows[frame]!, highs[frame]!)
      if (known === -1) continue
      node = known
      break
    }
    for (frame++; frame <= depth; frame++) {
      node = this.add(node, codes[depth - frame]!)
      table.add(lows[frame]!, highs[frame]!, node)
    }
    return node
  }

  /** Lets go of what is only needed to add stacks. */
  finish(): void {
    this.table.letGo()
  }

  /** Of no use afterwards. */
  letGo(): void {
    letGo(this.parents, this.codes, this.values)
  }

  private add(parent: number, code: number): number {
    if (this.count >= this.maxCount) throw this.overflow()
    if (this.count === this.parents.length) {
      const capacity = 2 * this.count
      this.parents = longer(this.parents, new Int32Array(capacity))
      this.codes = longer(this.codes, new Int32Array(capacity))
      this.values = longer(this.values, new Float64Array(capacity * this.valueWidth))
    }
    const node = this.count++
    this.parents[node] = parent
    this.codes[node] = code
    return node
  }

  /** A round of HalfSipHash for each code, outermost first; what is there after it is the fingerprint. */
  private readFingerprints(codes: Int32Array, depth: number): void {
    if (depth >= this.lows.length) {
      this.lows = new Int32Array(2 * depth)
      this.highs = new Int32Array(2 * depth)
    }
    const { lows, highs } = this
    let v0 = word0
    let v1 = word1
    let v2 = word2
    let v3 = word3
    for (let frame = 1; frame <= depth; frame++) {
      const code = codes[depth - frame]!
      v3 ^= code
      v0 = (v0 + v1) | 0
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
      v0 = (v0 + v3) | 0
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
      v2 = (v2 + v1) | 0
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
      v2 = (v2 << 16) | (v2 >>> 16)
      v0 ^= code
      lows[frame] = v1 ^ v3
      highs[frame] = v0 ^ v2
    }
  }
}
