/**
 * The path of a source as a source map tells it: relative to the folder of the map, which is most often the root of the
 * repository, or whole.
 *
 *     ../src/server.ts    of dist/main.js.map             src/server.ts
 *     ../src/server.ts    of /home/me/shop/dist/…         /home/me/shop/src/server.ts
 *     webpack://shop/./src/server.ts?1f3a                 src/server.ts
 *     webpack:///node_modules/left-pad/index.js           node_modules/left-pad/index.js
 *     turbopack:///[project]/src/server.ts                src/server.ts
 *     https://example.org/src/server.ts                   as it is
 *
 * @param location path or address of the map
 * @param root its `sourceRoot`, which goes before sources that are relative
 */
export function sourcePath(source: string, location: string, root = ''): string {
  const joined = isWhole(source) || root === '' ? source : `${root}/${source}`
  const path = joined.replaceAll('\\', '/').replaceAll('\0', '')
  const bundled = /^(?:webpack(?:-internal)?|turbopack|ng|parcel):\/\/[^/]*\/(.*)$/s.exec(path)?.[1]
  if (bundled !== undefined) {
    return normalized(bundled.replaceAll(/^\/+|\?.*$/gs, '').replace(/^\[project\]\//, ''))
  }
  if (isWhole(path)) return wholePath(path)
  const folder = location.slice(0, location.lastIndexOf('/') + 1)
  return wholePath(folder + path)
}

/** Begins with a scheme, a drive or a slash. */
function isWhole(path: string): boolean {
  return /^([a-z][\w+.-]*:|[/\\])/i.test(path)
}

function wholePath(path: string): string {
  const file = /^file:\/\/(?:localhost)?(\/.*)$/is.exec(path)?.[1]
  if (file !== undefined) return normalized(decoded(file).replace(/^\/(?=[a-z]:\/)/i, ''))
  const address = /^([a-z][\w+.-]*:\/\/[^/]*\/)(.*)$/is.exec(path)
  return address === null ? normalized(path) : address[1]! + normalized(address[2]!)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Without `.`, and with `..` only where nothing is left that it could leave. */
function normalized(path: string): string {
  const isRooted = path.startsWith('/')
  const kept: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') kept.push(part)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!isRooted) kept.push(part)
  }
  return (isRooted ? '/' : '') + kept.join('/')
}
