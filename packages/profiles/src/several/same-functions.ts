import type { FunctionTable, Profile } from '../profile.ts'
import { FunctionKeys, type KeyedFunctions } from './function-keys.ts'
import { KnownFiles } from './known-files.ts'
import { pairNumbers } from './numbering.ts'
import { sameByLine, type FunctionPair, type Namesakes } from './same-lines.ts'

/** Functions of several profiles, each once. */
export interface SameFunctions {
  /** Of what differs, the last profile's is kept. */
  functions: FunctionTable
  /** Per profile, where each of its functions is among them. */
  functionsOf: Int32Array[]
}

/** What is known of profiles beside their functions. */
interface Origin {
  /** Not in speedscope's format: py-spy tells there the line that was executed. */
  areStartLines: boolean
  /** They may lack what was not met, but their files are where they were, unless all of a folder moved. */
  areOfOneProgram: boolean
}

/**
 * Finds functions that are the same in several profiles, although branches are checked out in different places and code above
 * them changes: those of one name in one file (`sameFiles`), by their lines where there are several (`sameByLine`). Of different
 * programs, or versions of one, also those that are the only ones of their name in files of a name, in each profile; but not
 * where a profile has both files.
 *
 * Two functions of one profile are never one, unless only lines tell them apart that are not where they start.
 */
export function sameFunctions(
  profiles: readonly Pick<Profile, 'format' | 'functions'>[],
  { areOfOneProgram = false }: Partial<Pick<Origin, 'areOfOneProgram'>> = {},
): SameFunctions {
  const areStartLines = profiles.every(({ format }) => format !== 'speedscope')
  const keys = new FunctionKeys(areStartLines)
  const keyed = profiles.map(({ functions }) => keys.add(functions))
  const known = new KnownFunctions(keys, { areStartLines, areOfOneProgram })
  const functionsOf = keyed.map((functions) => known.add(functions))
  const originRules = profiles.at(-1)?.functions.originRules
  return { functions: { ...known.finish(), originRules }, functionsOf }
}

class KnownFunctions {
  private readonly names: string[] = []
  private readonly files: string[] = []
  private readonly startLines: number[] = []
  /** The number of each one's file, and of the profile that had it last. */
  private readonly fileNumbers: number[] = []
  private readonly lastProfiles: number[] = []
  private profileCount = 0

  private readonly keys: FunctionKeys
  private readonly origin: Origin
  private readonly knownFiles: KnownFiles
  /** Name and file as one number, and the functions that have both. */
  private readonly groupNumbers = pairNumbers()
  private readonly groups: number[][] = []
  /** By loose key, the function that had it last. */
  private readonly byLooseKey: number[] = []

  constructor(keys: FunctionKeys, origin: Origin) {
    this.keys = keys
    this.origin = origin
    this.knownFiles = new KnownFiles(origin.areOfOneProgram)
  }

  /** Where each function of a profile is among all. */
  add(profile: KeyedFunctions): Int32Array {
    const { table, names, looseKeys } = profile
    const files = this.filesOf(profile)
    const groupOf = names.map((name, index) => this.groupNumbers.intern(name, files[index]!))
    const places = this.placesInFiles(profile, files, groupOf)
    for (let index = 0; index < places.length; index++) {
      if (places[index] !== -1) continue
      const group = (this.groups[groupOf[index]!] ??= [])
      if (this.origin.areStartLines || group.length === 0) {
        const place = this.movedFrom(looseKeys[index]!, files[index]!)
        group.push(place ?? this.names.push(table.names[index]!) - 1)
      }
      places[index] = group.at(-1)!
    }
    this.profileCount++
    for (const [index, place] of places.entries()) {
      this.lastProfiles[place] = this.profileCount
      this.files[place] = table.files[index]!
      this.startLines[place] = table.startLines[index]!
      this.fileNumbers[place] = files[index]!
      this.byLooseKey[looseKeys[index]!] = place
    }
    return places
  }

  finish(): FunctionTable {
    return { names: this.names, files: this.files, startLines: Int32Array.from(this.startLines) }
  }

  private filesOf({ paths }: KeyedFunctions): Int32Array {
    const distinct = [...new Set(paths)]
    const numbers = this.knownFiles.add(distinct.map((path) => this.keys.paths[path]!))
    const byPath = new Map(distinct.map((path, index) => [path, numbers[index]!]))
    return paths.map((path) => byPath.get(path)!)
  }

  /** Where functions are that were in the same file before; -1 for the others. */
  private placesInFiles(
    { table, looseKeys }: KeyedFunctions,
    files: Int32Array,
    groupOf: Int32Array,
  ): Int32Array {
    const { areStartLines, areOfOneProgram } = this.origin
    const counts = new Int32Array(this.groupNumbers.count)
    for (const group of groupOf) counts[group]!++
    const crowds = new Map<number, number[]>()
    const places = groupOf.map((number, index) => {
      const group = this.groups[number]
      if (group === undefined) return -1
      const isOneEach = group.length === 1 && counts[number] === 1
      const isAtLine = this.startLines[group[0]!] === table.startLines[index]
      const isCertain = isOneEach && (!areOfOneProgram || isAtLine || this.keys.isAlone(looseKeys[index]!))
      if (isCertain || !areStartLines) return group[0]!
      addTo(crowds, number, index)
      return -1
    })
    const namesakes = new Map<number, Namesakes[]>()
    for (const [number, after] of crowds) {
      // Lines are those of the last profile with a function: others may have come there since.
      const before = this.groups[number]!.toSorted((a, b) => this.lastProfiles[b]! - this.lastProfiles[a]!)
      addTo(namesakes, files[after[0]!]!, { before, after })
    }
    const certain = new Map<number, FunctionPair[]>()
    for (const [index, place] of places.entries()) {
      if (place !== -1 && namesakes.has(files[index]!))
        addTo(certain, files[index]!, { before: place, after: index })
    }
    const lines = { before: this.startLines, after: table.startLines }
    for (const [file, groups] of namesakes)
      for (const { before, after } of sameByLine(groups, certain.get(file) ?? [], lines, !areOfOneProgram))
        places[after] = before
    return places
  }

  /** The function that was in another folder before, where it can be no other. */
  private movedFrom(looseKey: number, file: number): number | undefined {
    const isMove = !this.origin.areOfOneProgram && this.keys.isAlone(looseKey) && this.knownFiles.isNew(file)
    const place = isMove ? this.byLooseKey[looseKey] : undefined
    return place !== undefined && this.knownFiles.isGone(this.fileNumbers[place]!) ? place : undefined
  }
}

function addTo<V>(lists: Map<number, V[]>, key: number, value: V): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
