import type { Plugin } from 'vite'

/** Puts the script and the styles of a page into the page itself, for where it can load nothing. */
export function singlePage(): Plugin {
  return {
    name: 'flamegate:single-page',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const take = (fileName: string): string => {
        const file = bundle[fileName]
        if (file === undefined) throw new TypeError(`The page asks for ${fileName}, which was not built`)
        delete bundle[fileName]
        return file.type === 'chunk' ? file.code : String(file.source)
      }
      for (const page of Object.values(bundle)) {
        if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue
        page.source = String(page.source)
          .replace(
            /<link rel="stylesheet"[^>]* href="\/([^"]+)">/,
            (_tag, name: string) => `<style>${take(name)}</style>`,
          )
          // Nothing in a script may end the element that it is in.
          .replace(
            /<script type="module"[^>]* src="\/([^"]+)"><\/script>/,
            (_tag, name: string) =>
              `<script type="module">${take(name).replaceAll(/<(?=\/script|!--)/gi, String.raw`\x3c`)}</script>`,
          )
      }
      const left = Object.keys(bundle).find((name) => !name.endsWith('.html'))
      if (left !== undefined) throw new TypeError(`${left} is not in the page`)
    },
  }
}
