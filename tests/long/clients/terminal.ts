import { spawn } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'

export interface CommandOptions {
  /** Given to it, and then its input ends; without it, its input stays open. */
  input?: string
  /** Given to it at the start; its input stays open. */
  first?: string
  /** What to type when this stands at the end of its output. */
  reply?: { to: RegExp; with: string }
  /** What to type when it has written this line. */
  answer?: (line: string) => string | undefined
  /** Whether it must think that a person sits in front of it. */
  needsTerminal?: boolean
  env?: Readonly<Record<string, string>>
  /** Ends it when what it waits for has happened elsewhere. */
  until?: (output: string) => boolean
  timeoutMs?: number
}

export interface CommandResult {
  /** Undefined when it was ended by us. */
  code: number | undefined
  /** Both streams, without colours. */
  output: string
}

/** Where one client lives: a home folder of its own, its programs, and a browser that is ours. */
export interface Terminal {
  home: string
  run(command: readonly string[], options?: CommandOptions): Promise<CommandResult>
}

/** @param programs folder of the client's programs */
export async function openTerminal(home: string, programs: string, inbox: string): Promise<Terminal> {
  const ownPrograms = join(home, 'bin')
  await mkdir(ownPrograms, { recursive: true })
  const opener = join(ownPrograms, 'xdg-open')
  const send = `fetch(${JSON.stringify(inbox)},{method:'POST',body:process.argv[1]})`
  await writeFile(opener, `#!/bin/sh\nexec ${quoted(process.execPath)} -e ${quoted(send)} "$1"\n`)
  await chmod(opener, 0o755)
  const env = {
    PATH: [ownPrograms, programs, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    TMPDIR: process.env['TMPDIR'],
    LANG: 'C.UTF-8',
    TERM: 'xterm',
    BROWSER: opener,
    // They take the absence of a display for a machine without a browser.
    DISPLAY: ':0',
  }

  return {
    home,
    async run(
      command,
      { input, first, reply, answer, needsTerminal = false, env: more = {}, until, timeoutMs = 60_000 } = {},
    ) {
      const [program = '', ...args] = needsTerminal
        ? ['script', '-qec', command.map(quoted).join(' '), '/dev/null']
        : command
      // In a group of its own, so that what it started ends with it.
      const child = spawn(program, args, { cwd: home, env: { ...env, ...more }, detached: true })
      let output = ''
      let hasReplied = false
      const keep = (chunk: Buffer) => {
        output += chunk.toString()
        if (reply === undefined || hasReplied || !reply.to.test(plain(output))) return
        hasReplied = true
        child.stdin.write(`${reply.with}\n`)
      }
      child.stdout.on('data', keep)
      child.stderr.on('data', keep)
      // It may end without having read everything.
      child.stdin.on('error', () => {})
      if (input !== undefined) child.stdin.end(input)
      if (first !== undefined) child.stdin.write(first)
      if (answer !== undefined) {
        createInterface({ input: child.stdout }).on('line', (line) => {
          const typed = answer(line)
          if (typed !== undefined) child.stdin.write(`${typed}\n`)
        })
      }
      const over = new AbortController()
      const ended = new Promise<number | undefined>((done) => {
        child.once('error', (error) => {
          output += error.message
          done(undefined)
        })
        child.once('close', (code) => done(code ?? undefined))
      }).finally(() => over.abort())

      const deadline = Date.now() + timeoutMs
      while (!over.signal.aborted && Date.now() < deadline && until?.(plain(output)) !== true) {
        await Promise.race([ended, sleep(100)])
      }
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        if (over.signal.aborted || child.pid === undefined) break
        endGroup(child.pid, signal)
        await Promise.race([ended, sleep(2_000)])
      }
      // What it left behind may hold its output open.
      child.stdout.destroy()
      child.stderr.destroy()
      return { code: await ended, output: plain(output) }
    },
  }
}

function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has just ended by itself.
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

function plain(output: string): string {
  return stripVTControlCharacters(output).replaceAll('\r', '')
}
