import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { selfSignedCertificate } from '../../packages/loadtest-engine/src/testing/self-signed-certificate.ts'

export interface Target {
  name: string
  http: string
  https: string
  /** Requests that it has answered, by its own count; this question is not counted. */
  answered: () => Promise<number>
  stop: () => void
}

export const body = '{"id":"4711","name":"thing","price":12.50}\n'

/** Debian puts nginx where users do not look. */
export function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `PATH="$PATH:/usr/sbin:/sbin" command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Before a command: the core that it is to run on, where that can be chosen. */
export function onCore(core: 0 | 1): string[] {
  return hasProgram('taskset') ? ['taskset', '-c', String(core)] : []
}

/** nginx with one process, on core 0; without nginx, a server of ours in a process of its own, which is slower. */
export async function startTarget(): Promise<Target> {
  const folder = mkdtempSync(path.join(tmpdir(), 'flamegate-bench-engine-'))
  const [http, https] = [18_000 + (process.pid % 1000), 19_000 + (process.pid % 1000)]
  const { key, cert } = selfSignedCertificate()
  for (const [name, text] of Object.entries({ 'key.pem': key, 'cert.pem': cert }))
    writeFileSync(path.join(folder, name), text)
  const isNginx = hasProgram('nginx')
  if (!isNginx)
    console.error('nginx is not installed: the target is a server of ours, which may be the bottleneck.')
  writeFileSync(path.join(folder, 'nginx.conf'), nginxConfiguration(folder, http, https))
  const command = isNginx
    ? ['nginx', '-e', path.join(folder, 'error.log'), '-c', path.join(folder, 'nginx.conf')]
    : [
        process.execPath,
        path.join(import.meta.dirname, 'subjects/plain-server.ts'),
        folder,
        String(http),
        String(https),
      ]
  const child = start([...onCore(0), ...command])
  const base = `http://127.0.0.1:${http}`
  await untilUp(`${base}/status`)
  // Each question is one of the requests that it tells.
  let questions = 1
  return {
    name: isNginx ? 'nginx, one process' : 'our plain server',
    http: base,
    https: `https://127.0.0.1:${https}`,
    answered: async () => {
      const text = await (await fetch(`${base}/status`, { headers: { connection: 'close' } })).text()
      questions++
      const [, , , requests] = /(\d+) (\d+) (\d+) \n/.exec(text) ?? []
      return Number(requests) - questions
    },
    stop: () => {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function start([program = '', ...args]: string[]): ChildProcess {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` },
  })
  process.once('exit', () => child.kill())
  return child
}

async function untilUp(url: string): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      await (await fetch(url, { headers: { connection: 'close' } })).text()
      return
    } catch (error) {
      if (left === 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

function nginxConfiguration(folder: string, http: number, https: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  return `
    worker_processes 1; daemon off; master_process off; pid ${folder}/nginx.pid; worker_rlimit_nofile 20000;
    events { worker_connections 19000; }
    http {
      access_log off; keepalive_requests 1000000000; keepalive_timeout 3600s; ${temporary.join(' ')}
      ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem; ssl_protocols TLSv1.3;
      default_type application/json;
      server {
        listen 127.0.0.1:${http} backlog=16384;
        listen 127.0.0.1:${https} ssl backlog=16384;
        location / { return 200 '${body}'; }
        location = /login { add_header set-cookie 'sid=s-4711; Path=/; HttpOnly'; return 200 '${body}'; }
        location = /status { stub_status; }
      }
    }`
}
