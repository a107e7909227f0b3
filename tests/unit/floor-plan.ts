import { posix } from 'node:path'

/** What a room may use. Everything that is not listed is refused. */
export interface Room {
  /** Rooms below, by package name without the scope, or one entrance of a room: `operations/ports`. */
  rooms: readonly string[]
  /** More rooms for tests only. */
  testRooms?: readonly string[]
  /** Packages from the registry: all, or these. */
  packages: 'any' | readonly string[]
  /** Node.js built-ins, without `node:`: all, or these. */
  builtins: 'any' | readonly string[]
}

/** One TypeScript file, by its path from the checkout, and what it imports as it is written there. */
export interface SourceFile {
  path: string
  imports: readonly string[]
}

/** A package of the workspace as it is on disk. */
export interface Package {
  /** `packages/queue` */
  folder: string
  /** Workspace packages that it declares, without the scope. */
  dependencies: readonly string[]
  devDependencies: readonly string[]
  files: readonly SourceFile[]
}

/** Every way in which packages break the plan, as sentences; none when all is well. */
export function violations(plan: Readonly<Record<string, Room>>, packages: readonly Package[]): string[] {
  return [
    ...packages.flatMap((each) => {
      const room = plan[nameOf(each)]
      if (!room) return [`${each.folder} is not in the floor plan`]
      return [...undeclarable(room, each), ...each.files.flatMap((file) => badImports(room, each, file))]
    }),
    ...cycles(packages),
  ]
}

function nameOf(each: Package): string {
  return posix.basename(each.folder)
}

function undeclarable(room: Room, each: Package): string[] {
  const allowed = roomsOf(room.rooms)
  const allowedInTests = roomsOf([...room.rooms, ...(room.testRooms ?? [])])
  return [
    ...each.dependencies.filter((name) => !allowed.has(name)),
    ...each.devDependencies.filter((name) => !allowedInTests.has(name)),
  ].map((name) => `${each.folder}/package.json must not depend on ${name}`)
}

function roomsOf(names: readonly string[]): Set<string | undefined> {
  return new Set(names.map((name) => name.split('/')[0]))
}

function badImports(room: Room, each: Package, file: SourceFile): string[] {
  const isTest = isTestFile(file.path)
  return file.imports
    .filter((specifier) => !isAllowed(room, each, file, specifier, isTest))
    .map((specifier) => `${file.path} must not import ${specifier}`)
}

function isAllowed(room: Room, each: Package, file: SourceFile, specifier: string, isTest: boolean): boolean {
  if (specifier.startsWith('.')) {
    return posix.join(posix.dirname(file.path), specifier).startsWith(`${each.folder}/`)
  }
  if (specifier.startsWith('node:')) return isTest || isListed(room.builtins, specifier.slice('node:'.length))
  if (specifier.startsWith('@flamegate/')) {
    const target = specifier.slice('@flamegate/'.length)
    const allowed = isTest ? [...room.rooms, ...(room.testRooms ?? [])] : room.rooms
    // A room opens all of its entrances; `operations/ports` opens that one only. One may also name oneself.
    return [...allowed, nameOf(each)].some((name) => target === name || target.startsWith(`${name}/`))
  }
  const packageName = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  return isTest || isListed(room.packages, packageName)
}

function isListed(list: 'any' | readonly string[], name: string): boolean {
  return list === 'any' || list.includes(name)
}

/** Tests and their helpers: they run servers, read fixtures, and are not shipped. */
function isTestFile(path: string): boolean {
  return /\.test\.tsx?$|\/testing(?:\/|\.ts$)|\/(?:[a-z0-9]+-)?test-[a-z-]+\.ts$/.test(path)
}

/** Circles among what packages declare, each once. */
function cycles(packages: readonly Package[]): string[] {
  const dependenciesOf = new Map(packages.map((each) => [nameOf(each), each.dependencies]))
  const done = new Set<string>()
  const walk = (name: string, path: readonly string[]): string[] => {
    if (path.includes(name)) return [`circle: ${[...path.slice(path.indexOf(name)), name].join(' -> ')}`]
    if (done.has(name)) return []
    const found = (dependenciesOf.get(name) ?? []).flatMap((next) => walk(next, [...path, name]))
    done.add(name)
    return found
  }
  return packages.flatMap((each) => walk(nameOf(each), []))
}

/**
 * What a file imports: static imports and re-exports, which begin a line, and `import('…')` of a literal. Code in a
 * template string is indented in our format, so it is not mistaken for an import.
 */
export function importsOf(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"](?<from>[^'"]+)['"]/gm)
  const calls = source.matchAll(/\bimport\(\s*['"](?<from>[^'"]+)['"]\s*\)/g)
  return [...statements, ...calls].map((match) => match.groups?.['from'] ?? '')
}
