#!/usr/bin/env node
import { setTimeout as pause } from 'node:timers/promises'
import { runCli } from './run-cli.ts'

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  isStdinTyped: process.stdin.isTTY,
  isInteractive: process.stderr.isTTY,
  writeOut: (text) => void process.stdout.write(`${text}\n`),
  passOn: (bytes) => void process.stdout.write(bytes),
  writeError: (text) => void process.stderr.write(text),
  pause: (ms) => pause(ms),
})
