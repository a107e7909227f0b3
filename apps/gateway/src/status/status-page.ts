import type { Incident, StatusComponent } from '@flamegate/operations/ports'
import type { ComponentState, InstallationStatus } from './watch-status.ts'

const titles: Record<StatusComponent, string> = {
  gateway: 'MCP, log-in and web pages',
  api: 'Tools and REST',
  database: 'Database',
  jobs: 'Imports, reports and other jobs',
  files: 'Files',
}

const stateWords: Record<ComponentState, string> = {
  operational: 'Operational',
  down: 'Down',
  unknown: 'Not known',
}

type Overall = 'operational' | 'degraded' | 'outage'

const overallWords: Record<Overall, string> = {
  operational: 'Everything works.',
  degraded: 'Some of it does not work.',
  outage: 'It does not work.',
}

/** Without the API or the database nothing can be asked. */
const essential: ReadonlySet<StatusComponent> = new Set(['gateway', 'api', 'database'])

function overall({ components, incidents }: InstallationStatus): Overall {
  const down = components.filter(({ state }) => state === 'down')
  if (down.some(({ component }) => essential.has(component))) return 'outage'
  return down.length > 0 || incidents.some(({ endedAt }) => endedAt === null) ? 'degraded' : 'operational'
}

/** As programs read it. */
export function statusJson(status: InstallationStatus): string {
  return JSON.stringify({
    status: overall(status),
    checked_at: status.checkedAt.toISOString(),
    components: status.components.map(({ component, state }) => ({
      id: component,
      title: titles[component],
      status: state,
    })),
    incidents: status.incidents.map((incident) => ({
      id: incident.id,
      component: incident.component,
      title: incident.title,
      message: incident.message,
      began_at: incident.beganAt.toISOString(),
      ended_at: incident.endedAt?.toISOString() ?? null,
    })),
  })
}

/** Stands in the page, so that it looks right when nothing else can be loaded. */
export const statusStyle = `
:root { color-scheme: light dark; --ink: #1c1c1e; --soft: #55555c; --line: #d8d8de; --ok: #1a7f37; --bad: #b42318; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececf0; --soft: #a9a9b3; --line: #3a3a42; --ok: #4ac26b; --bad: #ff8a80; }
}
body { margin: 0 auto; max-width: 44rem; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: Canvas; }
h1 { font-size: 1.5rem; margin: 0; }
h2 { font-size: 1.125rem; margin: 2rem 0 0.5rem; }
p { margin: 0.25rem 0; overflow-wrap: anywhere; }
ul { list-style: none; margin: 0; padding: 0; }
li { border-top: 1px solid var(--line); padding: 0.625rem 0; }
.part { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.operational { color: var(--ok); }
.down { color: var(--bad); font-weight: 600; }
.soft, .unknown { color: var(--soft); }
`

/** As people read it: no script, and nothing to load. */
export function statusPage(status: InstallationStatus): string {
  const parts = status.components.map(
    ({ component, state }) =>
      `<li class="part"><span>${titles[component]}</span> <span class="${state}">${stateWords[state]}</span></li>`,
  )
  const past =
    status.incidents.length === 0
      ? '<p class="soft">None in the last 90 days.</p>'
      : `<ul>${status.incidents.map(incidentItem).join('')}</ul>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Status of Flamegate</title>
<style>${statusStyle}</style>
</head>
<body>
<main>
<h1>Status of Flamegate</h1>
<p>${overallWords[overall(status)]}</p>
<p class="soft">As of ${time(status.checkedAt)}. <a href="/status.json">For programs</a></p>
<h2>Parts</h2>
<ul>${parts.join('')}</ul>
<h2>Incidents</h2>
${past}
</main>
</body>
</html>
`
}

function incidentItem({ component, title, message, beganAt, endedAt }: Incident): string {
  const when = endedAt === null ? 'and lasts' : `to ${time(endedAt)}`
  const words = message === null ? '' : `<p>${escaped(message)}</p>`
  return `<li><p><strong>${escaped(title)}</strong></p>${words}<p class="soft">${titles[component]}, from ${time(beganAt)} ${when}</p></li>`
}

function time(at: Date): string {
  const iso = at.toISOString()
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
