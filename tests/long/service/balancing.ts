import { spawn, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startBalancer } from '../fleet/balancer.ts'
import { freePort } from '../../free-port.ts'
import { end, type Output } from '../fleet/processes.ts'

/** The ports behind each address. */
interface Upstreams {
  gateways: number[]
  apis: number[]
}

/** What stands in front of the gateways, and between these and the APIs. */
export interface Balancing {
  /** Who does it. */
  title: string
  pid: number | undefined
  gatewaysPort: number
  apisPort: number
  stop(): Promise<void>
}

export const hasNginx = (): boolean => spawnSync('nginx', ['-v']).error === undefined

/** nginx, configured as docs/self-hosting.md says. */
export async function startNginx(folder: string, upstreams: Upstreams, output: Output): Promise<Balancing> {
  const [gatewaysPort, apisPort] = [await freePort(), await freePort()]
  const file = join(folder, 'nginx.conf')
  await mkdir(folder)
  await writeFile(file, configuration(folder, gatewaysPort, apisPort, upstreams))
  const child = spawn('nginx', ['-c', file, '-p', folder], { stdio: ['ignore', output, output] })
  await untilListening(gatewaysPort)
  return {
    title: 'nginx',
    pid: child.pid,
    gatewaysPort,
    apisPort,
    stop: () => end({ child }, 'SIGTERM'),
  }
}

/** The balancer of our own, where there is no nginx. */
export async function startOwnBalancing(upstreams: Upstreams): Promise<Balancing> {
  const [gateways, apis] = [await startBalancer(), await startBalancer()]
  for (const port of upstreams.gateways) gateways.add(`http://127.0.0.1:${port}`)
  for (const port of upstreams.apis) apis.add(`http://127.0.0.1:${port}`)
  return {
    title: 'a balancer of the tests',
    pid: undefined,
    gatewaysPort: Number(new URL(gateways.url).port),
    apisPort: Number(new URL(apis.url).port),
    async stop() {
      await Promise.all([gateways.close(), apis.close()])
    },
  }
}

async function untilListening(port: number): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await pause(50)) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    if (answer !== undefined) return
  }
  throw new Error('nginx does not listen')
}

function configuration(folder: string, gatewaysPort: number, apisPort: number, now: Upstreams): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((what) => `  ${what}_temp_path ${join(folder, what)};`)
    .join('\n')
  return `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
${temporary}
${upstream('gateways', now.gateways)}
${upstream('apis', now.apis)}
${server(gatewaysPort, 'gateways')}
${server(apisPort, 'apis')}
}
`
}

function upstream(name: string, ports: number[]): string {
  const servers = ports.map((port) => `    server 127.0.0.1:${port} fail_timeout=2s;\n`).join('')
  return `  upstream ${name} {\n${servers}    keepalive 64;\n    # Less than servers drain, or nginx sends on a connection that is just being closed.\n    keepalive_timeout 3s;\n  }`
}

function server(port: number, name: string): string {
  return `  server {
    listen 127.0.0.1:${port};
    client_max_body_size 512m;
    location / {
      proxy_pass http://${name};
      proxy_http_version 1.1;
      proxy_connect_timeout 2s;
      proxy_request_buffering off;
      proxy_buffering off;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
    }
  }`
}
