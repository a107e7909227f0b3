/**
 * Whose code a function is: 'User code', 'Standard library', 'Runtime', 'Kernel', 'Unknown', or the package it
 * comes from: `left-pad@1.3.0`, `github.com/x/y@v1.2.3`, `serde@1.0.2`; without the version where the path has none.
 *
 * Only paths and names are looked at, of long paths the end. The first rule that knows the answer wins.
 */
export function functionOrigin(name: string, file: string): string {
  const path = file.slice(-longestPath).replaceAll('\\', '/')
  const shortName = name.slice(0, longestPath)
  for (const rule of rules) {
    const origin = rule(shortName, path)
    if (origin !== undefined) return origin
  }
  return path === '' ? 'Unknown' : 'User code'
}

/** The time of some rules grows with the square of the length. */
const longestPath = 400

type Rule = (name: string, path: string) => string | undefined

const rules: Rule[] = [
  engineOrigin,
  kernelOrigin,
  nodeModuleOrigin,
  nodeInternalOrigin,
  rustOrigin,
  pythonOrigin,
  rubyOrigin,
  goOrigin,
  jvmOrigin,
  binaryOrigin,
]

/** What V8 shows for its own work: `(garbage collector)`, `(program)`, `(idle)`. */
function engineOrigin(name: string, path: string): string | undefined {
  if (path === '' && /^\((program|garbage collector|idle|root|native|GC|BAILOUT)\)$/.test(name))
    return 'Runtime'
  return name === '<unknown>' || name === '[unknown]' || name === '(unknown)' ? 'Unknown' : undefined
}

/** perf's `[kernel.kallsyms]`, modules, and the `_[k]` that stackcollapse-perf.pl adds. */
function kernelOrigin(name: string, path: string): string | undefined {
  const isKernel = /^\[(kernel|guest\.kernel)|\bvmlinux\b|\.ko(\.\w+)?$|^\[(vdso|vsyscall)\]$/.test(path)
  return isKernel || name.endsWith('_[k]') ? 'Kernel' : undefined
}

/**
 * The innermost package of a path with `node_modules`. Package managers that keep versions apart write them:
 * pnpm `.pnpm/@scope+name@1.2.3_peer@2/node_modules/…`, Yarn `.yarn/cache/name-npm-1.2.3-hash.zip/node_modules/…`.
 */
function nodeModuleOrigin(_name: string, path: string): string | undefined {
  const packageName = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(`/${path}`)?.[1]
  if (packageName === undefined) return undefined
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

/** `node:fs` is the library; `node:internal/…` and, before version 12, `internal/…` is the machinery below. */
function nodeInternalOrigin(_name: string, path: string): string | undefined {
  if (/^(node:)?internal\//.test(path) || path === 'bootstrap_node.js') return 'Runtime'
  if (path.startsWith('node:') || /^[a-z_0-9]+\.js$/.test(path)) return 'Standard library'
  return undefined
}

/** Crates: `~/.cargo/registry/src/<index>/name-1.2.3/`, `~/.cargo/git/checkouts/name-<hash>/`; std: `/rustc/<hash>/library/`. */
function rustOrigin(_name: string, path: string): string | undefined {
  const crate = /\/registry\/src\/[^/]+\/([^/]+)-(\d+\.\d+\.[^/]*)\//.exec(`/${path}`)
  if (crate) return `${crate[1]}@${crate[2]}`
  const checkout = /\.cargo\/git\/checkouts\/([^/]+)-[0-9a-f]{16}\//.exec(path)
  if (checkout) return checkout[1]
  return /(^|\/)rustc\/[0-9a-f]+\/|rustlib\/src\/rust\/library\//.test(path) ? 'Standard library' : undefined
}

/** `site-packages/name/…`, `lib/python3.11/json/…`, `<frozen importlib._bootstrap>`. */
function pythonOrigin(_name: string, path: string): string | undefined {
  const installed = /(?:^|\/)(?:site|dist)-packages\/([^/]+)/.exec(path)?.[1]
  if (installed !== undefined) return installed.replace(/\.(py|so|pyd)$|\.cpython-.*$/, '')
  if (/(^|\/)lib\/python\d(\.\d+)?\//i.test(path)) return 'Standard library'
  return /^<(frozen |built-in)/.test(path) ? 'Runtime' : undefined
}

/** `…/gems/name-1.2.3/lib/…` and `…/lib/ruby/3.2.0/…`. */
function rubyOrigin(_name: string, path: string): string | undefined {
  const gem = /\/gems\/([^/]+)-(\d[^/]*)\//.exec(path)
  if (gem) return `${gem[1]}@${gem[2]}`
  return /\/lib\/ruby\/\d[\d.]*\//.test(path) ? 'Standard library' : undefined
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
  const isGenerated = path === '<autogenerated>' || path === '_cgo_gotypes.go' || path === '?'
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
  if (!goStandardFolders.has(folder.split('/', 1)[0]!)) return undefined
  return /^(runtime|runtime\/internal\/.+|internal\/(runtime|abi|bytealg|cpu)(\/.*)?)$/.test(folder)
    ? 'Runtime'
    : 'Standard library'
}

function jvmOrigin(name: string, path: string): string | undefined {
  const isPlatform = /^(java|javax|jdk|sun|com[./]sun)[./]/.test(name)
  return isPlatform && (path === '' || path.endsWith('.java')) ? 'Standard library' : undefined
}

/** Functions of which only the binary is known: the C library, other shared libraries by name, or unknown. */
function binaryOrigin(_name: string, path: string): string | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1)
  if (/^(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|ld-[\w-]+)[-.].*so/.test(file))
    return 'Standard library'
  if (/\.so(\.[\d.]+)?$|\.(dll|dylib)$/.test(file)) return file
  return path !== '' && !file.includes('.') && !path.includes('://') ? 'Unknown' : undefined
}
