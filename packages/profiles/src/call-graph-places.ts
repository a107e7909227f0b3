import type { CallGraphColumns } from './call-graph-columns.ts'
import { shareOf, type CallGroups } from './call-graph-groups.ts'
import { fitCircle, unrollCircle, type Circle, type CircleTree } from './call-graph-unroll.ts'
import { longer } from './columns.ts'

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
/** Shares of a function add up to 1, nearly. */
const nearly = 1 - 1e-9
/** Less than one of what is counted in whole numbers is nothing, but 1/3 of three is one. */
const leastWhole = 1 - 1e-6

/** Finds places for all functions, each at least one; more only as long as there are not more than `maxPlaces`. */
export function placeCalls(graph: CallGraphColumns, calls: CallGroups, maxPlaces: number): Places {
  const placement = new Placement(graph, calls)
  for (let smallest = smallestShare; smallest <= 1; smallest *= coarser) {
    const places = placement.place(smallest, { maxPlaces, maxSteps })
    if (places !== undefined) return places
  }
  return placement.place(Infinity, { maxPlaces: Infinity, maxSteps: Infinity })!
}

/** In circles, where shares are worked out and not known, places are not so small; less so where there is more to go by. */
const smallestInCircle = { totalsKnown: 10, totalsUnknown: 100 }

/** A group of several functions; those are told by their place in `members`. */
interface CircleOfGroup {
  members: Int32Array
  /** Per type and function, what it costs itself and by calls to other groups. */
  own: Float64Array[]
  calls: Circle['calls']
  isKnown: boolean
}

/** Where a circle is entered, and what that costs per type. */
interface Entrance {
  place: number
  costs: Float64Array
}

/** Makes one try after the other, in the same arrays. */
class Placement {
  private readonly graph: CallGraphColumns
  private readonly typeCount: number
  private readonly calls: CallGroups
  /** By group, for those that were looked at before. */
  private readonly circles = new Map<number, CircleOfGroup>()

  private places: Places
  private smallest = 0
  private stepCount = 0
  /** Functions of later groups, each of which will have a place. */
  private unplaced = 0
  private limit = { maxPlaces: 0, maxSteps: 0 }
  // Where a function goes when no place is large enough: below the largest one of who called it for most.
  private bestParent = -1
  private bestEdge = -1
  private bestWeight = -1
  /** Per type, the shares of places that are too small. */
  private readonly dropped: Float64Array
  /** Per function, its last place. */
  private readonly last: Int32Array
  /** Room for one value per type. */
  private readonly share: Float64Array
  private readonly weights: Float64Array
  private readonly allOfIt: Float64Array
  /** Per type, the share of everything below which there is nothing to see. */
  private readonly least: Float64Array

  constructor(graph: CallGraphColumns, calls: CallGroups) {
    const { functions, typeCount } = graph
    this.graph = graph
    this.typeCount = typeCount
    this.calls = calls
    this.last = new Int32Array(functions.length)
    this.share = new Float64Array(typeCount)
    this.dropped = new Float64Array(typeCount)
    this.weights = new Float64Array(typeCount)
    this.allOfIt = new Float64Array(typeCount).fill(1)
    this.least = this.calls.whole.map((all, type) => (graph.isWhole[type] ? shareOf(leastWhole, all) : 0))
    this.places = emptyPlaces(functions.length, typeCount)
  }

  /** Undefined when there would be more places than that, or too many to choose from. */
  place(smallest: number, limit: { maxPlaces: number; maxSteps: number }): Places | undefined {
    const { starts, members } = this.calls.groups
    this.smallest = smallest
    this.limit = limit
    this.stepCount = 0
    this.places.count = 0
    this.places.first.fill(-1)
    this.unplaced = members.length
    for (let group = 0; group < starts.length - 1; group++) {
      const start = starts[group]!
      if (starts[group + 1]! - start === 1) this.placeFunction(members[start]!, group)
      else this.placeCircle(group)
      if (this.isOver) return undefined
    }
    return this.places
  }

  private get isOver(): boolean {
    const { places, unplaced, stepCount, limit } = this
    return places.count + unplaced > limit.maxPlaces || stepCount > limit.maxSteps
  }

  private placeFunction(callee: number, group: number): void {
    this.bestWeight = -1
    this.addBelowCallers(callee)
    this.addRoot(group)
    if (this.places.first[callee]! < 0) this.addAt(callee, this.bestParent, this.bestEdge, this.allOfIt)
    this.unplaced--
    this.scale(callee)
  }

  /** Adds the place of what a group costs that no other group called it for, if that is anything. */
  private addRoot(group: number): void {
    const { typeCount, share } = this
    const { roots, rootCosts, called } = this.calls
    const root = roots[group]!
    if (root < 0) return
    for (let type = 0; type < typeCount; type++)
      share[type] = shareOf(rootCosts[group * typeCount + type]!, called[root * typeCount + type]!)
    this.addAt(root, -1, -1, share)
  }

  /** Places functions that call each other: where their group is entered, and unrolled from there. */
  private placeCircle(group: number): void {
    const circle = this.circleOf(group)
    const { members, calls } = circle
    const smallest = this.smallest * smallestInCircle[circle.isKnown ? 'totalsKnown' : 'totalsUnknown']
    const entrances = this.placeEntrances(group, circle, smallest)
    const starts = entrances.map(({ place, costs }) => ({
      function: members.indexOf(this.places.functions[place]!),
      cost: costs[0]!,
    }))
    const tree = unrollCircle(
      { calls, own: circle.own[0]!, entrances: starts },
      smallest * this.calls.whole[0]!,
      this.limit.maxPlaces - this.places.count + 1,
    )
    this.stepCount += tree.steps
    const places = this.addTree(tree, entrances, members)
    this.unplaced -= members.length
    if (this.isOver) return
    const parts = partsOf(tree, members.length)
    for (let type = 0; type < this.typeCount; type++) {
      const own = circle.own[type]!
      const fitted = parts.map((part, node) => {
        const wanted = entrances[tree.entrances[node]!]!.costs
        return part * own[tree.functions[node]!]! * (type === 0 ? 1 : shareOf(wanted[type]!, wanted[0]!))
      })
      fitCircle(tree, fitted, {
        own,
        entrances: entrances.map((entrance) => entrance.costs[type]!),
        ...(type === 0
          ? { inclusive: Array.from(members, (member) => this.graph.inclusive[member]?.[0]) }
          : {}),
      })
      for (const [node, place] of places.entries())
        this.places.shares[place * this.typeCount + type] =
          own[tree.functions[node]!] === 0 ? parts[node]! : fitted[node]!
    }
    for (const member of members) this.scale(member)
  }

  private circleOf(group: number): CircleOfGroup {
    const known = this.circles.get(group)
    if (known !== undefined) return known
    const { typeCount, graph } = this
    const { groups, outgoing, beyond } = this.calls
    const members = groups.members.subarray(groups.starts[group], groups.starts[group + 1])
    const numbers = new Map(Array.from(members, (member, number) => [member, number]))
    const own = Array.from({ length: typeCount }, (_, type) =>
      Float64Array.from(members, (member) => beyond[member * typeCount + type]!),
    )
    const calls = Array.from(members, (member) => {
      const inner = []
      for (const edge of outgoing.entries.subarray(outgoing.starts[member], outgoing.starts[member + 1])) {
        const callee = numbers.get(graph.edges.seconds[edge]!)
        if (callee !== undefined) inner.push({ callee, cost: this.edgeValue(edge, 0), edge })
      }
      return inner
    })
    const isKnown = members.some((member) => graph.inclusive[member] !== undefined)
    const circle = { members, own, calls, isKnown }
    this.circles.set(group, circle)
    return circle
  }

  /** Places of the functions by which a group is entered, the main one first. */
  private placeEntrances(group: number, { members, own }: CircleOfGroup, smallest: number): Entrance[] {
    const { places, typeCount } = this
    const { called } = this.calls
    const start = places.count
    const smallestOutside = this.smallest
    this.smallest = smallest
    this.bestWeight = -1
    for (const callee of members) this.addBelowCallers(callee)
    this.smallest = smallestOutside
    this.addRoot(group)
    if (places.count === start)
      this.addAt(this.graph.edges.seconds[this.bestEdge]!, this.bestParent, this.bestEdge, this.allOfIt)
    const found = Array.from({ length: places.count - start }, (_, index) => start + index)
    const main = this.heaviestPlace(found)
    const entrances = [main, ...found.filter((place) => place !== main)].map((place) => ({
      place,
      costs: new Float64Array(typeCount).map(
        (_, type) =>
          called[places.functions[place]! * typeCount + type]! * places.shares[place * typeCount + type]!,
      ),
    }))
    // Calls that are too small to be entrances are left to the others, so that these cost as much as the group.
    for (const [type, costs] of own.entries()) {
      const whole = costs.reduce((all, cost) => all + cost, 0)
      const sum = entrances.reduce((all, entrance) => all + entrance.costs[type]!, 0)
      for (const entrance of entrances) entrance.costs[type] = shareOf(entrance.costs[type]!, sum) * whole
    }
    return entrances
  }

  /** The place of each node; those of entrances are there already. */
  private addTree(
    { functions, parents, edges, entrances: entered }: CircleTree,
    entrances: readonly Entrance[],
    members: Int32Array,
  ): number[] {
    const places: number[] = []
    for (const [node, member] of functions.entries()) {
      const parent = parents[node]!
      if (parent < 0) places.push(entrances[entered[node]!]!.place)
      else {
        places.push(this.places.count)
        this.addAt(members[member]!, places[parent]!, edges[node]!, this.allOfIt)
      }
    }
    return places
  }

  private heaviestPlace(candidates: readonly number[]): number {
    const { places, typeCount } = this
    const { costShares } = this.calls
    let heaviest = candidates[0]!
    let most = -1
    for (const place of candidates) {
      for (let type = 0; type < typeCount; type++) {
        const weight =
          places.shares[place * typeCount + type]! * costShares[places.functions[place]! * typeCount + type]!
        if (weight <= most) continue
        most = weight
        heaviest = place
      }
    }
    return heaviest
  }

  private edgeValue(edge: number, type: number): number {
    return this.graph.edges.values[edge * this.graph.edges.valueWidth + type]!
  }

  /**
   * Adds places of a function below those of its callers in other groups, as far as they are large enough, and notes the
   * largest.
   */
  private addBelowCallers(callee: number): void {
    const { places, typeCount, share, weights, dropped, least, smallest } = this
    const { incoming, callers, ratios, reach, costShares } = this.calls
    const end = incoming.starts[callee + 1]!
    for (let index = incoming.starts[callee]!; index < end; index++) {
      const caller = callers[index]!
      if (caller < 0) continue
      // Not even all of it is enough.
      if (reach[index]! < smallest * nearly && reach[index]! <= this.bestWeight * nearly) continue
      const edge = incoming.entries[index]!
      for (let type = 0; type < typeCount; type++) {
        weights[type] = ratios[index * typeCount + type]! * costShares[callee * typeCount + type]!
        dropped[type] = 0
      }
      // The largest place of the caller, and what was placed there; -1 for nothing.
      let largest = -1
      let largestWeight = -1
      let placed = -1
      for (let parent = places.first[caller]!; parent >= 0; parent = places.next[parent]!) {
        this.stepCount++
        let weight = 0
        let seenWeight = 0
        for (let type = 0; type < typeCount; type++) {
          const whole = places.shares[parent * typeCount + type]!
          share[type] = whole * ratios[index * typeCount + type]!
          const part = whole * weights[type]!
          if (part > weight) weight = part
          if (part > seenWeight && part >= least[type]!) seenWeight = part
        }
        const isKept = seenWeight >= smallest
        if (weight > largestWeight) {
          largestWeight = weight
          largest = parent
          placed = isKept ? places.count : -1
        }
        if (isKept) this.addAt(callee, parent, edge, share)
        else for (let type = 0; type < typeCount; type++) dropped[type]! += share[type]!
      }
      if (largestWeight > this.bestWeight) {
        this.bestParent = largest
        this.bestEdge = edge
        this.bestWeight = largestWeight
      }
      this.addDropped(callee, edge, largest, placed)
    }
  }

  /** What a caller has in places that are too small each goes below its largest place, so that at least the caller keeps it. */
  private addDropped(callee: number, edge: number, largest: number, placed: number): void {
    const { places, typeCount, dropped, least } = this
    if (placed >= 0) {
      for (let type = 0; type < typeCount; type++) places.shares[placed * typeCount + type]! += dropped[type]!
      return
    }
    for (let type = 0; type < typeCount; type++) {
      const weight = dropped[type]! * this.calls.costShares[callee * typeCount + type]!
      if (weight < this.smallest || weight < least[type]!) continue
      this.addAt(callee, largest, edge, dropped)
      return
    }
  }

  private addAt(callee: number, parent: number, edge: number, share: Float64Array): void {
    const { places, typeCount } = this
    if (places.count === places.parents.length) growPlaces(places)
    const place = places.count++
    places.parents[place] = parent
    places.functions[place] = callee
    places.edges[place] = edge
    for (let type = 0; type < typeCount; type++) places.shares[place * typeCount + type] = share[type]!
    places.next[place] = -1
    if (places.first[callee]! < 0) places.first[callee] = place
    else places.next[this.last[callee]!] = place
    this.last[callee] = place
  }

  /** Makes the shares of a function's places add up to 1. */
  private scale(callee: number): void {
    const { typeCount } = this
    const { first, next, shares } = this.places
    for (let type = 0; type < typeCount; type++) {
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
  places.parents = longer(places.parents, new Int32Array(places.parents.length * 2))
  places.functions = longer(places.functions, new Int32Array(places.functions.length * 2))
  places.edges = longer(places.edges, new Int32Array(places.edges.length * 2))
  places.shares = longer(places.shares, new Float64Array(places.shares.length * 2))
  places.next = longer(places.next, new Int32Array(places.next.length * 2))
}
