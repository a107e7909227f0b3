import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { Machine } from './machine.ts'

const asked = z.object({ args: z.array(z.string()), env: z.record(z.string(), z.string()) })
interface Answer {
  exitCode: number
  output: string
}

/**
 * `docker compose` as runbooks use it, for a machine of ours: a program `docker` in a folder for PATH hands on what it was told.
 * What it does not know it refuses, so that no runbook says what was not tried.
 */
export async function offerDocker(
  machine: Machine,
  folder: string,
  build: () => void,
): Promise<{ close: () => void }> {
  const server = createServer((request, response) => {
    void answer(request).then(({ exitCode, output }) => response.end(JSON.stringify({ exitCode, output })))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server listens on a port')

  async function answer(request: IncomingMessage): Promise<Answer> {
    try {
      const { args, env } = asked.parse(await json(request))
      const [first, ...rest] = args
      if (first !== 'compose') throw new Error(`docker ${first ?? ''} is not known here`)
      return await compose(machine, rest, env, build)
    } catch (error) {
      return { exitCode: 1, output: `${String(error)}\n` }
    }
  }

  const program = join(folder, 'docker')
  writeFileSync(
    program,
    `#!${process.execPath}
import('node:http').then(({ request }) => {
  const asked = request({ host: '127.0.0.1', port: ${address.port}, method: 'POST' }, (answer) => {
    let text = ''
    answer.on('data', (chunk) => (text += chunk)).on('end', () => {
      const { exitCode, output } = JSON.parse(text)
      process.exitCode = exitCode
      process.stdout.write(output)
    })
  })
  asked.end(JSON.stringify({ args: process.argv.slice(2), env: process.env }))
})
`,
  )
  chmodSync(program, 0o755)
  // Whoever types here is root already.
  writeFileSync(join(folder, 'sudo'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
  return { close: () => void server.close() }
}

async function compose(
  machine: Machine,
  args: string[],
  env: Record<string, string>,
  build: () => void,
): Promise<Answer> {
  // Which services are there besides is all the same here.
  const [command, ...rest] = args[0] === '--profile' ? args.slice(2) : args
  if (command === 'build') {
    build()
    return done()
  }
  if (command === 'up') return up(machine, rest)
  if (command === 'stop' || command === 'kill') {
    for (const name of rest.flatMap((each) => alike(machine, each))) {
      await machine.stop(name, command === 'kill' ? 'SIGKILL' : 'SIGTERM')
    }
    return done()
  }
  if (command === 'restart') {
    for (const name of rest.flatMap((each) => alike(machine, each))) {
      await machine.stop(name)
      await machine.up(name, { alone: true })
    }
    return done()
  }
  if (command === 'ps') return done(machine.names.map((name) => `${name} running\n`).join(''))
  if (command === 'logs') {
    const { positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: { tail: { type: 'string' }, since: { type: 'string' }, 'no-log-prefix': { type: 'boolean' } },
    })
    return done(
      positionals
        .flatMap((each) => alike(machine, each))
        .map((name) => machine.said(name))
        .join(''),
    )
  }
  if (command === 'run' || command === 'exec') return inside(machine, command, rest, env)
  throw new Error(`docker compose ${command ?? ''} is not known here`)
}

async function up(machine: Machine, args: string[]): Promise<Answer> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      detach: { type: 'boolean' },
      wait: { type: 'boolean' },
      'no-deps': { type: 'boolean' },
      'force-recreate': { type: 'boolean' },
      scale: { type: 'string', multiple: true },
    },
  })
  for (const each of values.scale ?? []) {
    const [name = '', count = '1'] = each.split('=')
    for (let at = 2; at <= Number(count); at += 1) await machine.up(`${name}.${at}`, { alone: true })
  }
  const all = Object.entries(machine.compose.services)
    .filter(([, { profiles, restart }]) => profiles.length === 0 && restart !== 'no')
    .map(([name]) => name)
  // What runs and has not changed is left alone, unless it is named.
  const wanted = positionals.length > 0 ? positionals : all.filter((name) => !machine.names.includes(name))
  await Promise.all(wanted.map((name) => machine.up(name, { alone: values['no-deps'] === true })))
  return done()
}

async function inside(
  machine: Machine,
  command: 'run' | 'exec',
  args: string[],
  env: Record<string, string>,
): Promise<Answer> {
  const rest = [...args]
  const given: Record<string, string> = {}
  for (let option = rest[0]; option?.startsWith('-') === true; option = rest[0]) {
    rest.shift()
    if (option === '--env') {
      const [name = '', value] = (rest.shift() ?? '').split('=')
      given[name] = value ?? env[name] ?? ''
    } else if (!['--rm', '-T', '--no-deps'].includes(option)) throw new Error(`${option} is not known here`)
  }
  const [name = '', ...words] = rest
  if (command === 'exec' && !machine.names.includes(name)) throw new Error(`service "${name}" is not running`)
  const local = words.map((word) => machine.pathOf(name, word))
  return machine.run(name, local, { exec: command === 'exec', env: given })
}

/** The containers of a service. */
function alike(machine: Machine, name: string): string[] {
  machine.service(name)
  return machine.names.filter((each) => each === name || each.startsWith(`${name}.`))
}

function done(output = ''): Answer {
  return { exitCode: 0, output }
}
