import type { Plugin } from 'vite'

/** Pages are compiled to modules that import Vue. They find it here, because there are no packages where the pages are. */
export function packagesForPages(folder: string): Plugin {
  return {
    name: 'flamegate:packages-for-pages',
    enforce: 'pre',
    async resolveId(id, importer) {
      if (importer?.startsWith(folder) !== true || !/^vue(?:\/|$)/.test(id)) return null
      return this.resolve(id, import.meta.filename)
    },
  }
}
