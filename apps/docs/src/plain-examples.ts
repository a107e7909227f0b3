import type { MarkdownRenderer } from 'vitepress'

/** Pages with so many examples that to colour them would make them megabytes long. */
const longPages = new Set(['reference/operations.md'])

/** Shows the examples of long pages in one colour. */
export function withPlainExamples(markdown: MarkdownRenderer): void {
  const coloured = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const text = tokens[index]?.content ?? ''
    if (longPages.has(env.relativePath) || coloured === undefined) {
      return `<pre v-pre class="plain"><code>${markdown.utils.escapeHtml(text)}</code></pre>\n`
    }
    return coloured(tokens, index, options, env, self)
  }
}
