import { escapeHtml } from './table.ts'

/** A page of HTML that needs no other file and runs nothing. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { text-align: right; padding: .25rem .75rem; border-bottom: 1px solid #8886 }
th:first-child, td:first-child { text-align: left }
svg { max-width: 100%; height: auto }
.finding { border-left: 4px solid #888; padding: 0 1rem; margin: 1rem 0 }
.high { border-color: #c2331f } .medium { border-color: #c27c00 }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>
`
}
