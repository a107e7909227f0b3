import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { singlePage } from './single-page.ts'

/**
 * Builds the flame graph that MCP hosts show in a sandbox, after the pages and from the same components: one page of HTML,
 * `mcp-app/flame-graph.html`, which needs nothing beside it.
 */
export function mcpApp(): Plugin {
  let outDir: string
  return {
    name: 'flamegate:mcp-app',
    apply: 'build',
    configResolved({ build: { outDir: folder } }) {
      outDir = folder
    },
    async closeBundle() {
      await build({
        configFile: false,
        logLevel: 'warn',
        root: join(import.meta.dirname, '..'),
        publicDir: false,
        plugins: [react(), tailwindcss(), singlePage()],
        build: {
          target: 'es2024',
          outDir,
          emptyOutDir: false,
          modulePreload: false,
          rolldownOptions: {
            input: 'mcp-app/flame-graph.html',
            output: { codeSplitting: false },
            treeshake: {
              manualPureFunctions: ['z'],
              moduleSideEffects: [{ test: /\/packages\/contract\/src\//, sideEffects: false }],
            },
          },
        },
      })
    },
  }
}
