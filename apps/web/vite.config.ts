import optimizeLocales from '@react-aria/optimize-locales-plugin'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { mcpApp } from './build/mcp-app.ts'
import { precompress } from './build/precompress.ts'
import { routesOnly } from './build/routes-only.ts'

const gateway = 'http://127.0.0.1:4170'

export default defineConfig({
  // Components have their texts in 34 languages, of which the pages speak one.
  plugins: [
    react(),
    tailwindcss(),
    optimizeLocales.vite({ locales: ['en-US'] }),
    routesOnly(),
    precompress(),
    mcpApp(),
  ],
  build: {
    target: 'es2024',
    // Browsers that know light-dark(), which the colour tokens are written in.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // An inlined asset would be a data: URL, which the content security policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Building a schema has no effect but its result, so that schemas nobody reads can go.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|@tanstack)\// },
            // What nearly every page needs, in one file in place of many.
            { name: 'common', minShareCount: 80 },
          ],
        },
      },
      treeshake: {
        manualPureFunctions: ['z'],
        moduleSideEffects: [{ test: /\/packages\/contract\/src\//, sideEffects: false }],
      },
    },
  },
  server: {
    // The pages of sign-in and consent are ours; everything the gateway answers in JSON is passed on.
    proxy: Object.fromEntries(
      ['/v1', '/auth', '/oauth', '/mcp', '/.well-known'].map((path) => [path, gateway]),
    ),
  },
})
