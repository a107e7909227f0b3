import { fitCircle, unrollCircle, type Circle, type CircleTree } from './call-graph-unroll.ts'
import type { PairTable } from './pair-table.ts'
import { strongComponents } from './strong-components.ts'

/** A call graph whose functions have small numbers. */
export interface CallGraphColumns {
  typeCount: number
  /** Per function, its index in the builder. */
  functions: Int32Array
  /** Per function and sample type. */
  self: Float64Array
  /** Per sample type, whether all self values are whole. */
  isWhole: readonly boolean[]
  /** Per function, calls of it that no function of the graph made. */
  outsideCalls: readonly number[]
  /** Of (function, line): its own values, then those of calls made there. */
  rows: PairTable
  /** Per function, what its outermost calls cost in the first type with all they called; undefined where not known. */
  inclusive: readonly (number | undefined)[]
  /** Of (caller, callee): inclusive values, then the number of calls. */
  edges: PairTable
}

/** The nodes of the tree to be: where functions are, and which share of all that they have is there. Callers come first. */
export interface Places {
  count: number
  /** Place of the caller; -1 at the root. */
  parents: Int32Array
  functions: Int32Array
  /** Calls that led here, as an entry of the edges; -1 at the root. */
  edges: Int32Array
  /** Per place and sample type. Those of a function add up to 1. */
  shares: Float64Array
  /** Per function its first place, and per place the next one of its function; -1 for none. */
  first: Int32Array
  next: Int32Array
}

/** Calls below this share of everything get no node of their own ... */
const smallestShare = 1e-6
/** ... and where there are still too many nodes, calls below that times this, again and again ... */
const coarser = 8
/** ... as where there are more ways to look at: a file may be made so that there are very many. */
const maxSteps = 2 ** 22
/** What a function costs beyond its callers' calls, as a share of everything, and is no matter of rounding. */
const unexplainedShare = 1e-6
/** Less than one of what is counted in whole numbers is nothing, but 1/3 of three is one. */
const leastWhole = 1 - 1e-6

/** Finds places for all functions, each at least one; more only as long as there are not more than `maxPlaces`. */
export function placeCalls(graph: CallGraphColumns, maxPlaces: number): Places {
  const placement = new Placement(graph)
  for (let smallest = smallestShare; smallest <= 1; smallest *= coarser) {
    const places = placement.place(smallest, { maxPlaces, maxSteps })
    if (places !== undefined) return places
  }
  return placement.place(Infinity, { maxPlaces: Infinity, maxSteps: Infinity })!
}

/** In circles, where shares are worked out and not known, places are not so small; less so where there is more to go by. */
const smallestInCircle = { totalsKnown: 10, totalsUnknown: 100 }

/** What a group costs that nobody calls for, per type, and which function it is of. */
interface Root {
  member: number
  cost: Float64Array
}

interface CallsWithin {
  numbers: ReadonlyMap<number, number>
  calls: Circle['calls']
}

class Placement {
  private readonly graph: CallGraphColumns
  private readonly typeCount: number
  /** Edges by caller and by callee, without those of a function to itself; the costliest first. */
  private readonly outEdges: Int32Array[]
  private readonly inEdges: Int32Array[]
  /** Per edge, its share of everything in the type where that is largest. */
  private readonly edgeWeights: Float64Array
  /** Groups of functions that call each other, callers first. */
  private readonly components: number[][]
  private readonly componentOf: Int32Array
  /** By component, for those that were looked at before. */
  private readonly circles = new Map<number, CallsWithin>()
  /** Per function and type: its own values with those of its calls. */
  private readonly costs: Float64Array
  /** Per type: all self values. */
  private readonly whole: Float64Array

  private places: Places
  private smallest = 0
  private stepCount = 0
  private limit = { maxPlaces: 0, maxSteps: 0 }
  /** The place that a function gets when none is large enough. */
  private best = { parent: -1, edge: -1, weight: -1 }
  /** Of the calls that are looked at: the largest place of the caller, and what was placed there; -1 for nothing. */
  private below = { parent: -1, weight: -1, place: -1 }
  /** Per type, the shares of places that are too small. */
  private readonly dropped: Float64Array
  /** Per function, its last place. */
  private readonly last: Int32Array
  /** Room for one value per type. */
  private readonly share: Float64Array
  private readonly ratios: Float64Array
  private readonly weights: Float64Array
  /** Per type, the share of everything below which there is nothing to see. */
  private readonly least: Float64Array

  constructor(graph: CallGraphColumns) {
    const { edges, functions, typeCount, self } = graph
    this.graph = graph
    this.typeCount = typeCount
    this.last = new Int32Array(functions.length)
    this.share = new Float64Array(typeCount)
    this.ratios = new Float64Array(typeCount)
    this.dropped = new Float64Array(typeCount)
    this.weights = new Float64Array(typeCount)
    this.whole = new Float64Array(typeCount)
    for (let index = 0; index < self.length; index++) this.whole[index % typeCount]! += self[index]!
    this.least = Float64Array.from(this.whole, (all, type) =>
      graph.isWhole[type] ? shareOf(leastWhole, all) : 0,
    )
    this.edgeWeights = new Float64Array(edges.count)
    for (let edge = 1; edge < edges.count; edge++) {
      for (let type = 0; type < typeCount; type++) {
        const weight = shareOf(this.edgeValue(edge, type), this.whole[type]!)
        if (weight > this.edgeWeights[edge]!) this.edgeWeights[edge] = weight
      }
    }
    const order = Uint32Array.from({ length: edges.count - 1 }, (_, index) => index + 1)
      .filter((edge) => edges.firsts[edge] !== edges.seconds[edge])
      .toSorted((a, b) => this.edgeWeights[b]! - this.edgeWeights[a]! || a - b)
    this.outEdges = groupBy(order, edges.firsts, functions.length)
    this.inEdges = groupBy(order, edges.seconds, functions.length)
    this.components = this.findComponents()
    this.componentOf = new Int32Array(functions.length)
    for (const [index, members] of this.components.entries())
      for (const member of members) this.componentOf[member] = index
    this.costs = this.sumCosts()
    this.places = emptyPlaces(functions.length, typeCount)
  }

  /** Undefined when there would be more places than that, or too many to choose from. */
  place(smallest: number, limit: { maxPlaces: number; maxSteps: number }): Places | undefined {
    this.smallest = smallest
    this.limit = limit
    this.stepCount = 0
    this.places.count = 0
    this.places.first.fill(-1)
    for (const members of this.components) {
      if (members.length === 1) this.placeFunction(members[0]!)
      else this.placeGroup(members)
      if (this.isOver) return undefined
    }
    return this.places
  }

  private get isOver(): boolean {
    return this.places.count > this.limit.maxPlaces || this.stepCount > this.limit.maxSteps
  }

  private edgeValue(edge: number, type: number): number {
    return this.graph.edges.values[edge * this.graph.edges.valueWidth + type]!
  }

  private findComponents(): number[][] {
    const { outEdges } = this
    const { seconds } = this.graph.edges
    const starts = new Int32Array(outEdges.length + 1)
    for (const [caller, edges] of outEdges.entries()) starts[caller + 1] = starts[caller]! + edges.length
    const targets = new Int32Array(starts[outEdges.length]!)
    let filled = 0
    for (const edges of outEdges) for (const edge of edges) targets[filled++] = seconds[edge]!
    return strongComponents({ starts, targets })
  }

  /** Calls that call each other are counted again and again, so nothing costs more than everything. */
  private sumCosts(): Float64Array {
    const { typeCount, whole } = this
    const costs = this.graph.self.slice()
    for (const [caller, edges] of this.outEdges.entries()) {
      for (const edge of edges)
        for (let type = 0; type < typeCount; type++)
          costs[caller * typeCount + type]! += this.edgeValue(edge, type)
    }
    for (let index = 0; index < costs.length; index++) {
      costs[index] = Math.min(costs[index]!, whole[index % typeCount]!)
    }
    return costs
  }

  private placeFunction(callee: number): void {
    const edges = this.inEdges[callee]!
    const called = this.sumOfCalls(edges)
    const root = this.unexplained([callee])
    for (let type = 0; type < called.length; type++) called[type]! += root?.cost[type] ?? 0
    this.best = { parent: -1, edge: -1, weight: -1 }
    this.addBelowCallers(callee, edges, called)
    if (root !== undefined)
      this.addAt(
        callee,
        -1,
        -1,
        root.cost.map((cost, type) => shareOf(cost, called[type]!)),
      )
    if (this.places.first[callee]! < 0) this.addAt(callee, this.best.parent, this.best.edge, undefined)
    this.scale(callee)
  }

  /** Places functions that call each other: where their group is entered, and unrolled from there. */
  private placeGroup(members: readonly number[]): void {
    const entrances = this.placeEntrances(members)
    const { numbers, calls } = this.callsWithin(members)
    const component = this.componentOf[members[0]!]!
    const costs = members.map((member) => this.costBeyond(member, component))
    const ownOf = (type: number) => Float64Array.from(costs, (cost) => cost[type]!)
    const starts = entrances.map(({ place, costs: wanted }) => ({
      function: numbers.get(this.places.functions[place]!)!,
      cost: wanted[0]!,
    }))
    const smallest = this.smallestIn(members) * this.whole[0]!
    const circle = { calls, own: ownOf(0), entrances: starts }
    const tree = unrollCircle(circle, smallest, this.limit.maxPlaces - this.places.count + 1)
    this.stepCount += tree.steps
    const places = this.addTree(tree, entrances, members)
    if (this.isOver) return
    const parts = partsOf(tree, members.length)
    for (let type = 0; type < this.typeCount; type++) {
      const own = ownOf(type)
      const fitted = parts.map((part, node) => {
        const wanted = entrances[tree.entrances[node]!]!.costs
        return part * own[tree.functions[node]!]! * (type === 0 ? 1 : shareOf(wanted[type]!, wanted[0]!))
      })
      fitCircle(tree, fitted, {
        own,
        entrances: entrances.map((entrance) => entrance.costs[type]!),
        ...(type === 0 ? { inclusive: members.map((member) => this.graph.inclusive[member]) } : {}),
      })
      for (const [node, place] of places.entries())
        this.places.shares[place * this.typeCount + type] =
          own[tree.functions[node]!] === 0 ? parts[node]! : fitted[node]!
    }
    for (const member of members) this.scale(member)
  }

  /** Numbers of the functions of a group, and per function its calls of others of them. */
  private callsWithin(members: readonly number[]): CallsWithin {
    const component = this.componentOf[members[0]!]!
    const known = this.circles.get(component)
    if (known !== undefined) return known
    const numbers = new Map(members.map((member, index) => [member, index]))
    const calls = members.map((member) => {
      const inner = []
      for (const edge of this.outEdges[member]!) {
        const callee = numbers.get(this.calleeOf(edge))
        if (callee !== undefined) inner.push({ callee, cost: this.edgeValue(edge, 0), edge })
      }
      return inner
    })
    this.circles.set(component, { numbers, calls })
    return { numbers, calls }
  }

  private smallestIn(circle: readonly number[]): number {
    const isKnown = circle.some((member) => this.graph.inclusive[member] !== undefined)
    return this.smallest * smallestInCircle[isKnown ? 'totalsKnown' : 'totalsUnknown']
  }

  /** Places of the functions by which a group is entered, the main one first, and what that costs per type. */
  private placeEntrances(members: readonly number[]): { place: number; costs: Float64Array }[] {
    const { places } = this
    const component = this.componentOf[members[0]!]!
    const root = this.unexplained(members)
    const start = places.count
    const called = new Map<number, Float64Array>()
    const { smallest } = this
    this.smallest = this.smallestIn(members)
    this.best = { parent: -1, edge: -1, weight: -1 }
    for (const callee of members) {
      const edges = this.inEdges[callee]!.filter((edge) => !this.isWithin(edge, component))
      const sum = this.sumOfCalls(edges)
      if (root?.member === callee)
        for (let type = 0; type < sum.length; type++) sum[type]! += root.cost[type]!
      called.set(callee, sum)
      this.addBelowCallers(callee, edges, sum)
    }
    this.smallest = smallest
    if (root !== undefined) {
      const sum = called.get(root.member)!
      const share = root.cost.map((cost, type) => shareOf(cost, sum[type]!))
      this.addAt(root.member, -1, -1, share)
    }
    if (places.count === start)
      this.addAt(this.calleeOf(this.best.edge), this.best.parent, this.best.edge, undefined)
    const found = Array.from({ length: places.count - start }, (_, index) => start + index)
    const main = this.heaviestPlace(found)
    const entrances = [main, ...found.filter((place) => place !== main)].map((place) => ({
      place,
      costs: called.get(places.functions[place]!)!.map((cost, type) => cost * this.shareAt(place, type)),
    }))
    this.shareOutCosts(members, entrances)
    return entrances
  }

  /** Calls that are too small to be entrances are left to the others, so that these cost as much as the group. */
  private shareOutCosts(members: readonly number[], entrances: readonly { costs: Float64Array }[]): void {
    const component = this.componentOf[members[0]!]!
    const group = new Float64Array(this.typeCount)
    for (const member of members)
      for (const [type, cost] of this.costBeyond(member, component).entries()) group[type]! += cost
    for (const [type, whole] of group.entries()) {
      const sum = entrances.reduce((all, { costs }) => all + costs[type]!, 0)
      for (const { costs } of entrances) costs[type] = shareOf(costs[type]!, sum) * whole
    }
  }

  /** The place of each node; those of entrances are there already. */
  private addTree(
    { functions, parents, edges, entrances: entered }: CircleTree,
    entrances: readonly { place: number }[],
    members: readonly number[],
  ): number[] {
    const places: number[] = []
    for (const [node, member] of functions.entries()) {
      const parent = parents[node]!
      if (parent < 0) places.push(entrances[entered[node]!]!.place)
      else {
        places.push(this.places.count)
        this.addAt(members[member]!, places[parent]!, edges[node]!, undefined)
      }
    }
    return places
  }

  private isWithin(edge: number, component: number): boolean {
    return this.componentOf[this.graph.edges.firsts[edge]!] === component
  }

  private heaviestPlace(candidates: readonly number[]): number {
    const { places, typeCount } = this
    let heaviest = candidates[0]!
    let most = -1
    for (const place of candidates) {
      for (let type = 0; type < typeCount; type++) {
        const cost = shareOf(this.costs[places.functions[place]! * typeCount + type]!, this.whole[type]!)
        const weight = places.shares[place * typeCount + type]! * cost
        if (weight <= most) continue
        most = weight
        heaviest = place
      }
    }
    return heaviest
  }

  private shareAt(place: number, type: number): number {
    return this.places.shares[place * this.typeCount + type]!
  }

  /** Per type, what a function costs itself and by calls to other groups. */
  private costBeyond(member: number, component: number): Float64Array {
    const start = member * this.typeCount
    const cost = this.graph.self.slice(start, start + this.typeCount)
    for (const edge of this.outEdges[member]!) {
      if (this.componentOf[this.calleeOf(edge)] === component) continue
      for (let type = 0; type < cost.length; type++) cost[type]! += this.edgeValue(edge, type)
    }
    return cost
  }

  private calleeOf(edge: number): number {
    return this.graph.edges.seconds[edge]!
  }

  private sumOfCalls(edges: Iterable<number>): Float64Array {
    const sum = new Float64Array(this.typeCount)
    for (const edge of edges)
      for (let type = 0; type < sum.length; type++) sum[type]! += this.edgeValue(edge, type)
    return sum
  }

  /** What a group costs beyond the calls to it; undefined when it is called for all of it. */
  private unexplained(members: readonly number[]): Root | undefined {
    const component = this.componentOf[members[0]!]!
    const cost = new Float64Array(this.typeCount)
    let isCalled = false
    for (const member of members) {
      const own = this.costBeyond(member, component)
      const edges = this.inEdges[member]!.filter((edge) => !this.isWithin(edge, component))
      const called = this.sumOfCalls(edges)
      for (let type = 0; type < cost.length; type++) cost[type]! += own[type]! - called[type]!
      if (edges.length > 0) isCalled = true
    }
    const isMore = cost.some((value, type) => value > unexplainedShare * this.whole[type]!)
    if (isCalled && !isMore) return undefined
    return { member: this.entranceOfRoot(members), cost: cost.map((value) => Math.max(0, value)) }
  }

  /** Of a group that nobody calls: who was called from outside, or else costs most. */
  private entranceOfRoot(members: readonly number[]): number {
    const { outsideCalls } = this.graph
    return members.reduce((best, member) => {
      const more =
        outsideCalls[member]! - outsideCalls[best]! ||
        this.costs[member * this.typeCount]! - this.costs[best * this.typeCount]!
      return more > 0 ? member : best
    })
  }

  /**
   * Adds places of a function below those of its callers, as far as they are large enough, and notes the largest.
   *
   * @param called What all calls cost that its values are split over, per type
   */
  private addBelowCallers(callee: number, edges: Iterable<number>, called: Float64Array): void {
    const { places, typeCount, ratios, weights, costs, whole } = this
    const { firsts } = this.graph.edges
    for (const edge of edges) {
      for (let type = 0; type < typeCount; type++) {
        ratios[type] = shareOf(this.edgeValue(edge, type), called[type]!)
        weights[type] = ratios[type]! * shareOf(costs[callee * typeCount + type]!, whole[type]!)
      }
      this.below = { parent: -1, weight: -1, place: -1 }
      this.dropped.fill(0)
      for (let place = places.first[firsts[edge]!]!; place >= 0; place = places.next[place]!)
        this.addBelow(place, callee, edge)
      this.addDropped(callee, edge)
    }
  }

  /** With `ratios` and `weights` of the edge. */
  private addBelow(parent: number, callee: number, edge: number): void {
    const { places, typeCount, share, ratios, weights, least, below } = this
    this.stepCount++
    let weight = 0
    let seenWeight = 0
    for (let type = 0; type < typeCount; type++) {
      const whole = places.shares[parent * typeCount + type]!
      share[type] = whole * ratios[type]!
      const part = whole * weights[type]!
      if (part > weight) weight = part
      if (part > seenWeight && part >= least[type]!) seenWeight = part
    }
    const isKept = seenWeight >= this.smallest
    if (weight > below.weight) {
      below.weight = weight
      below.parent = parent
      below.place = isKept ? places.count : -1
    }
    if (isKept) this.addAt(callee, parent, edge, share)
    else for (let type = 0; type < typeCount; type++) this.dropped[type]! += share[type]!
  }

  /** What a caller has in places that are too small each goes below its largest place, so that at least the caller keeps it. */
  private addDropped(callee: number, edge: number): void {
    const { places, typeCount, dropped, below, costs, whole, least } = this
    if (below.weight > this.best.weight) this.best = { parent: below.parent, edge, weight: below.weight }
    if (below.place >= 0) {
      for (let type = 0; type < typeCount; type++) {
        places.shares[below.place * typeCount + type]! += dropped[type]!
      }
      return
    }
    for (let type = 0; type < typeCount; type++) {
      const weight = dropped[type]! * shareOf(costs[callee * typeCount + type]!, whole[type]!)
      if (weight < this.smallest || weight < least[type]!) continue
      this.addAt(callee, below.parent, edge, dropped)
      return
    }
  }

  /** Without a share, all of it. */
  private addAt(callee: number, parent: number, edge: number, share: Float64Array | undefined): void {
    const { places, typeCount } = this
    if (places.count === places.parents.length) growPlaces(places)
    const place = places.count++
    places.parents[place] = parent
    places.functions[place] = callee
    places.edges[place] = edge
    for (let type = 0; type < typeCount; type++) places.shares[place * typeCount + type] = share?.[type] ?? 1
    places.next[place] = -1
    if (places.first[callee]! < 0) places.first[callee] = place
    else places.next[this.last[callee]!] = place
    this.last[callee] = place
  }

  /** Makes the shares of a function's places add up to 1. */
  private scale(callee: number): void {
    for (let type = 0; type < this.typeCount; type++) this.scaleType(callee, type)
  }

  private scaleType(callee: number, type: number): void {
    const { typeCount } = this
    const { first, next, shares } = this.places
    let sum = 0
    for (let place = first[callee]!; place >= 0; place = next[place]!)
      sum += shares[place * typeCount + type]!
    if (sum === 0) shares[first[callee]! * typeCount + type] = 1
    else if (sum !== 1) {
      for (let place = first[callee]!; place >= 0; place = next[place]!)
        shares[place * typeCount + type]! /= sum
    }
  }
}

/** Per node, its part of what its function costs, as the tree was unrolled. */
function partsOf({ functions, costs }: CircleTree, functionCount: number): Float64Array {
  const sums = new Float64Array(functionCount)
  const counts = new Float64Array(functionCount)
  for (const [node, callee] of functions.entries()) {
    sums[callee]! += costs[node]!
    counts[callee]!++
  }
  return Float64Array.from(functions, (callee, node) =>
    sums[callee] === 0 ? 1 / counts[callee]! : costs[node]! / sums[callee]!,
  )
}

/** 0 of nothing. */
function shareOf(value: number, whole: number): number {
  return whole === 0 ? 0 : value / whole
}

function groupBy(edges: Uint32Array, keys: Int32Array, count: number): Int32Array[] {
  const counts = new Int32Array(count)
  for (const edge of edges) counts[keys[edge]!]!++
  const groups = Array.from(counts, (size) => new Int32Array(size))
  counts.fill(0)
  for (const edge of edges) {
    const key = keys[edge]!
    groups[key]![counts[key]!++] = edge
  }
  return groups
}

const placesAtFirst = 64

function emptyPlaces(functionCount: number, typeCount: number): Places {
  return {
    count: 0,
    parents: new Int32Array(placesAtFirst),
    functions: new Int32Array(placesAtFirst),
    edges: new Int32Array(placesAtFirst),
    shares: new Float64Array(placesAtFirst * typeCount),
    first: new Int32Array(functionCount).fill(-1),
    next: new Int32Array(placesAtFirst),
  }
}

function growPlaces(places: Places): void {
  places.parents = grown(places.parents, new Int32Array(places.parents.length * 2))
  places.functions = grown(places.functions, new Int32Array(places.functions.length * 2))
  places.edges = grown(places.edges, new Int32Array(places.edges.length * 2))
  places.shares = grown(places.shares, new Float64Array(places.shares.length * 2))
  places.next = grown(places.next, new Int32Array(places.next.length * 2))
}

function grown<A extends Int32Array | Float64Array>(from: A, to: A): A {
  to.set(from)
  return to
}
