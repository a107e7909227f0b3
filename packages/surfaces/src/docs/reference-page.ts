import {
  catalogue,
  fieldsOf,
  inputSchemaOf,
  type JsonSchema,
  problems,
  toolsets,
  type Operation,
} from '@flamegate/contract'

/**
 * The browsable reference: every operation by toolset with its fields and examples, then every problem. One
 * page without scripts, so that it reads anywhere and a browser's own search finds everything.
 */
export function referencePage(serverUrl: string): string {
  const sections = Object.entries(toolsets)
    .map(([toolset, description]) => ({
      toolset,
      description,
      members: catalogue.filter((each) => each.toolset === toolset),
    }))
    .filter(({ members }) => members.length > 0)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Flamegate API reference</title>
<style>${style}</style>
</head>
<body>
<nav aria-label="Operations">
<p><a href="/">Flamegate</a> · <a href="/v1/openapi.json">OpenAPI 3.1</a></p>
${sections.map(({ toolset, members }) => `<h2>${toolset}</h2><ul>${members.map((each) => `<li><a href="#${each.id}">${each.id}</a></li>`).join('')}</ul>`).join('\n')}
<h2>problems</h2><ul><li><a href="#problems">all problems</a></li></ul>
</nav>
<main>
<h1>API reference</h1>
<p>Every operation is a REST route below <code>${escape(serverUrl)}</code> and, unless it says otherwise, an MCP tool of the same name at <code>${escape(serverUrl)}/mcp</code>. Send <code>Authorization: Bearer fg_…</code>. Answers are JSON, or markdown with <code>Accept: text/markdown</code>.</p>
${sections.map(({ toolset, description, members }) => `<h2 id="toolset-${toolset}">${toolset}</h2><p>${escape(description)}.</p>${members.map(operationSection).join('\n')}`).join('\n')}
<h2 id="problems">Problems</h2>
<p>Refusals are RFC 9457 problem details; over MCP the same text is an error result.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>What</th></tr></thead><tbody>
${Object.entries(problems)
  .map(
    ([code, { status, title }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${escape(title)}</td></tr>`,
  )
  .join('\n')}
</tbody></table>
</main>
</body>
</html>
`
}

function operationSection(operation: Operation): string {
  const input = inputSchemaOf(operation)
  const fields = fieldsOf(input)
  const example = operation.examples[0]
  return `<section id="${operation.id}">
<h3>${escape(operation.title)} <code>${operation.id}</code></h3>
<p class="route"><b>${operation.http.method}</b> <code>${escape(operation.http.path)}</code> · effect ${operation.effect} · scope ${operation.scopes.join(' or ')} · role ${operation.role}${operation.mcp ? '' : ' · no tool'}</p>
<p>${escape(operation.description)}</p>
${
  fields.length === 0
    ? ''
    : `<table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${fields
        .map(
          ([name, field]) =>
            `<tr><td><code>${name}</code>${input.required?.includes(name) ? '' : ' <small>optional</small>'}</td><td>${escape(typeOf(field))}</td><td>${escape(field.description ?? '')}${field.default === undefined ? '' : ` Default <code>${escape(JSON.stringify(field.default))}</code>.`}</td></tr>`,
        )
        .join('')}</tbody></table>`
}
${example === undefined ? '' : `<details><summary>Example: ${escape(example.title)}</summary><pre>${escape(JSON.stringify(example.input, null, 2))}</pre><pre>${escape(JSON.stringify(example.output, null, 2))}</pre></details>`}
${operation.problems.length === 0 ? '' : `<p class="problems">Problems: ${operation.problems.map((code) => `<a href="#${code}">${code}</a>`).join(', ')}</p>`}
</section>`
}

function typeOf(field: JsonSchema | boolean | undefined): string {
  if (typeof field !== 'object') return 'any'
  if (field.enum !== undefined) return field.enum.join(' | ')
  if (field.anyOf !== undefined) return field.anyOf.map(typeOf).join(' | ')
  if (field.type !== 'array') return String(field.type ?? 'any')
  return `${typeOf(Array.isArray(field.items) ? field.items[0] : field.items)}[]`
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const style = `:root{color-scheme:light dark;font:15px/1.55 system-ui,sans-serif}
body{margin:0;display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{padding:1rem;border-right:1px solid color-mix(in srgb,currentColor 15%,transparent);position:sticky;top:0;height:100vh;overflow:auto;box-sizing:border-box}
nav h2{font-size:.8rem;text-transform:uppercase;letter-spacing:.05em;margin:1rem 0 .25rem}
nav ul{list-style:none;margin:0;padding:0}nav a{text-decoration:none}nav a:hover{text-decoration:underline}
main{padding:1.5rem 2rem;max-width:60rem}
section{border-top:1px solid color-mix(in srgb,currentColor 15%,transparent);padding:.5rem 0 1rem}
table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}
td,th{text-align:left;padding:.3rem .6rem;vertical-align:top;border-bottom:1px solid color-mix(in srgb,currentColor 10%,transparent)}
pre{overflow:auto;padding:.75rem;background:color-mix(in srgb,currentColor 6%,transparent);border-radius:6px}
.route,.problems{font-size:.9rem}
@media(max-width:800px){body{display:block}nav{position:static;height:auto;border:0}}`
