import { resolve } from 'node:path'
import { defineConfig } from 'vitepress'
import { anchorOf } from './anchors.ts'
import { brokenAnchors } from './broken-anchors.ts'
import { frontPage } from './front-page.ts'
import { withLinksOfSite } from './links-of-site.ts'
import { packagesForPages } from './packages-for-pages.ts'
import { withPlainExamples } from './plain-examples.ts'
import { precompress } from './precompress.ts'
import { sidebarOf } from './sidebar.ts'

const folder = resolve(import.meta.dirname, '../../../docs')
/** Below which the gateway serves the site. */
const base = '/docs/'

/** The pages of `docs/` as a site: with a sidebar, a search in the browser, and no link that leads nowhere. */
export default defineConfig({
  title: 'Flamegate',
  description:
    'Documentation of Flamegate: benchmarks, profiles, load tests and live metrics that agents work with.',
  lang: 'en',
  srcDir: folder,
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  base,
  // What turns it off is a style sheet in the page, which the content security policy keeps out.
  appearance: { disableTransition: false },
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  ignoreDeadLinks: 'localhostLinks',
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  markdown: {
    anchor: { slugify: anchorOf },
    languageAlias: { alloy: 'hcl' },
    config: (markdown) => {
      withLinksOfSite(markdown)
      withPlainExamples(markdown)
    },
  },
  transformPageData: (page) => {
    if (page.relativePath === 'index.md') Object.assign(page.frontmatter, frontPage)
  },
  buildEnd: async ({ outDir }) => {
    const broken = brokenAnchors(outDir, base)
    if (broken.length > 0) throw new Error(`Links that lead nowhere:\n${broken.join('\n')}`)
    await precompress(outDir)
  },
  // The reference of operations is one long page.
  vite: { plugins: [packagesForPages(folder)], build: { chunkSizeWarningLimit: 1000 } },
  themeConfig: {
    // Out of the base, as the link to the app: browsers make `/favicon.svg` of it.
    logo: { src: '/../favicon.svg', alt: '' },
    sidebar: sidebarOf(folder),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { detailedView: true } },
    nav: [
      { text: 'Tutorials', link: '/tutorials/' },
      { text: 'Operations', link: '/reference/operations' },
      { text: 'To the app', link: '/../', target: '_self' },
    ],
  },
})
