import { globSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

/** A package of others that runs, or is sent to browsers, in production. */
export interface ProductionPackage {
  name: string
  version: string
  /** Its licence as an SPDX expression, empty where its manifest names none. */
  licence: string
  /** Whether it is installed on some platforms only, as prebuilt native code is. */
  isForPlatform: boolean
}

const names = z.record(z.string(), z.unknown()).default({})

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), z.object({ type: z.string() })]).optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  dependencies: names,
  optionalDependencies: names,
})

type Manifest = z.infer<typeof manifestSchema>

/**
 * All packages that `apps` and `packages` depend on, directly or not, but for development: read from what is installed, by
 * the links that pnpm makes, so that it is what runs. In order of names and versions.
 */
export function productionPackages(root: string): ProductionPackage[] {
  const ours = globSync(['apps/*/package.json', 'packages/*/package.json'], { cwd: root }).map((path) =>
    dirname(join(root, path)),
  )
  const manifests = new Map(ours.map((folder) => [folder, readManifest(folder)]))
  // A map goes on with what is added while it is walked.
  for (const [folder, manifest] of manifests) {
    const { dependencies, optionalDependencies } = manifest
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = installedFolder(folder, manifest.name, name)
      if (found === undefined && !(name in optionalDependencies)) {
        throw new Error(
          `${name}, which ${manifest.name} needs, is not installed. Remove node_modules and install again.`,
        )
      }
      if (found !== undefined && !manifests.has(found)) manifests.set(found, readManifest(found))
    }
  }
  for (const folder of ours) manifests.delete(folder)
  const packages = new Map(
    [...manifests.values()].map((each) => [`${each.name}@${each.version}`, describe(each)]),
  )
  return [...packages.values()].toSorted(
    (one, other) => compare(one.name, other.name) || compare(one.version, other.version),
  )
}

/** Those of others that `apps` and `packages` name themselves, each with the rooms that do, in order of names. */
export function namedPackages(root: string): [name: string, rooms: string[]][] {
  const named = new Map<string, string[]>()
  for (const path of globSync(['apps/*/package.json', 'packages/*/package.json'], { cwd: root }).toSorted()) {
    const room = dirname(path)
    const { dependencies, optionalDependencies } = readManifest(join(root, room))
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      if (!name.startsWith('@flamegate/')) named.set(name, [...(named.get(name) ?? []), room])
  }
  return [...named].toSorted(([one], [other]) => compare(one, other))
}

/** Where `name` is, as code in `folder` finds it; undefined when it is not there. */
function installedFolder(folder: string, ownName: string, name: string): string | undefined {
  // What a package of pnpm's store depends on lies beside it; what one of ours depends on, in it.
  const beside = folder.endsWith(join('node_modules', ownName))
    ? join(folder, ...ownName.split('/').map(() => '..'))
    : join(folder, 'node_modules')
  try {
    return realpathSync(join(beside, name))
  } catch {
    return undefined
  }
}

function readManifest(folder: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
}

function describe({ name, version, license = '', os, cpu }: Manifest): ProductionPackage {
  const licence = typeof license === 'string' ? license : license.type
  return { name, version, licence, isForPlatform: os !== undefined || cpu !== undefined }
}

/** By code points: the same on every machine. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
