import type { operations, OutputOf } from '@flamegate/contract'
import type { HeapSite } from '@flamegate/profiles'

type SiteOnWire = Pick<
  OutputOf<typeof operations.detectMemoryLeaks>['growing'][number],
  'function_name' | 'file' | 'line' | 'origin' | 'allocator' | 'path'
>

export function heapSiteOnWire(site: HeapSite): SiteOnWire {
  return {
    function_name: site.functionName,
    file: site.file === '' ? null : site.file,
    line: site.line === 0 ? null : site.line,
    origin: site.origin,
    allocator: site.allocator ?? null,
    path: site.path,
  }
}

/** `main.handle (/app/main.go:86) by runtime.mallocgc`. */
export function siteInWords({ function_name: name, file, line, allocator }: SiteOnWire): string {
  const place = file === null ? '' : ` (${file}${line === null ? '' : `:${line}`})`
  return `${name}${place}${allocator === null ? '' : ` by ${allocator}`}`
}
