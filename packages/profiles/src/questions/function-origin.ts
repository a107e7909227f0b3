import type { FunctionTable, OriginRule } from '../profile.ts'
import { keptWith } from './kept-columns.ts'
import { builtInRules } from './origin-rules.ts'

/**
 * Whose code a function is: 'User code', 'Standard library', 'Runtime', 'Kernel', 'Unknown', or the package it
 * comes from: `left-pad@1.3.0`, `github.com/x/y@v1.2.3`, `serde@1.0.2`; without the version where the path has none.
 *
 * Only paths and names are looked at, of long paths the end. The first rule that knows the answer wins, and `ownRules`, those
 * of a project, go before those here.
 */
export function functionOrigin(name: string, file: string, ownRules: readonly OriginRule[] = []): string {
  const shortName = name.slice(0, longestPath)
  // Some write `/rustc/…/alloc.rs:__rdl_alloc` as the name of a function.
  const place = file === '' && /^\/.*\.\w+:/.test(shortName) ? shortName : file
  const path = place.slice(-longestPath).replaceAll('\\', '/')
  for (const rule of ownRules) {
    if (holds(rule.in === 'file' ? path : shortName, rule.pattern)) return rule.origin
  }
  return (
    nodeModuleOrigin(path) ??
    goOrigin(shortName, path) ??
    builtInOrigin(shortName, path) ??
    (isSource(path) ? 'User code' : 'Unknown')
  )
}

/** The origin of a function of a table; worked out once, as there may be many patterns to try. */
export function originOf(functions: FunctionTable, index: number): string {
  const known = knownOrigins(functions)
  return (known[index] ??= functionOrigin(
    functions.names[index]!,
    functions.files[index]!,
    functions.originRules,
  ))
}

const knownOrigins = keptWith(({ names }: FunctionTable) =>
  Array.from<string | undefined>({ length: names.length }),
)

/** The origin of each function. */
export function originsOf(functions: FunctionTable): string[] {
  return functions.names.map((_, index) => originOf(functions, index))
}

/** Whether the pieces of a pattern, between its `*`, are in the text one after the other. */
function holds(text: string, pattern: string): boolean {
  let from = 0
  for (const piece of pattern.split('*')) {
    const at = text.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return true
}

function builtInOrigin(name: string, path: string): string | undefined {
  for (const rule of builtInRules) {
    const inPath = rule.path === undefined ? [] : rule.path.exec(path)
    const inName = inPath === null || rule.name === undefined ? inPath : rule.name.exec(name)
    if (inName === null) continue
    return rule.origin.replaceAll(/\$(\d)/g, (_match, group: string) => inName[Number(group)] ?? '')
  }
  return undefined
}

/** A binary, of which nothing else is known, has no dot in its name. */
function isSource(path: string): boolean {
  return path.includes('://') || path.slice(path.lastIndexOf('/') + 1).includes('.')
}

/** The time of some rules grows with the square of the length. */
const longestPath = 400

/**
 * The innermost package of a path with `node_modules`. Package managers that keep versions apart write them:
 * pnpm and Bun `.pnpm/@scope+name@1.2.3_peer@2/node_modules/…`, Yarn `.yarn/cache/name-npm-1.2.3-hash.zip/node_modules/…`.
 * What Vite puts together for development is `.vite/deps/@scope_name.js`.
 */
function nodeModuleOrigin(path: string): string | undefined {
  const packageName = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(`/${path}`)?.[1]
  if (packageName === undefined) return undefined
  const viteName = /\/\.vite\/deps\/([^/?]+)\.js/.exec(path)?.[1]
  if (viteName !== undefined) return viteName.replace(/^@([^_]+)_/, '@$1/')
  const pnpmName = packageName.replace('/', '+')
  const yarnName = packageName.replace('/', '-')
  for (const folder of path.split('/').toReversed()) {
    if (folder.startsWith(`${pnpmName}@`)) {
      return `${packageName}@${folder.slice(pnpmName.length + 1).split(/[_(]/, 1)[0]}`
    }
    const yarnVersion = folder.startsWith(`${yarnName}-npm-`) && folder.slice(yarnName.length + 5)
    if (yarnVersion) return `${packageName}@${yarnVersion.replace(/-[0-9a-f]+(-\d+)?\.zip$/, '')}`
  }
  return packageName
}

const goStandardFolders = new Set(
  (
    'archive bufio builtin bytes cmp compress container context crypto database debug embed encoding errors expvar ' +
    'flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime ' +
    'slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak'
  ).split(' '),
)

/**
 * Modules: `…/pkg/mod/github.com/x/y@v1.2.3/z.go`, or with -trimpath without what is before; capitals are `!x`.
 * The standard library: `/usr/local/go/src/encoding/json/decode.go`, or `encoding/json/decode.go` with -trimpath.
 */
function goOrigin(name: string, path: string): string | undefined {
  if (/^type[:.]\.(hash|eq)\./.test(name)) return 'Runtime'
  // Without its file, `encoding/json.Marshal` still has the folder in its name, and nothing else has small letters only.
  const isNameOnly = path === '' && /^(runtime|([a-z0-9]+\/)+[a-z0-9]+)\.[\w(]/.test(name)
  const isGenerated = path === '<autogenerated>' || path === '_cgo_gotypes.go' || path === '?' || isNameOnly
  if (!isGenerated && !/\.(go|s)$/.test(path)) return undefined
  const inGoRoot = /(?:\/go[^/]*|\/go\/[^/]+\/[^/]+|toolchain@[^/]+)\/src\/(.+)$/.exec(path)?.[1]
  if (inGoRoot === undefined) {
    const module = /(?:^|\/)((?:[\w-]+\.)+\w+\/[^@]*@v\d[^/]*)\//.exec(path)?.[1]
    if (module !== undefined)
      return module.replaceAll(/!([a-z])/g, (_match, letter: string) => letter.toUpperCase())
  }
  const vendored = /(?:^|\/)vendor\/([^/]+\/[^/]+(?:\/[^/]+)?)\//.exec(path)?.[1]
  if (vendored !== undefined) return vendored

  const place = isGenerated ? name.replace(/\.[^/]*$/, '/') : (inGoRoot ?? path)
  const folder = place.slice(0, place.lastIndexOf('/'))
  if (!goStandardFolders.has(folder.split('/', 1)[0]!)) return path.endsWith('.go') ? 'User code' : undefined
  return /^(runtime|runtime\/internal\/.+|internal\/(runtime|abi|bytealg|cpu)(\/.*)?)$/.test(folder)
    ? 'Runtime'
    : 'Standard library'
}
