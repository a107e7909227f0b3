#!/usr/bin/env node
import { runCli } from './run-cli.ts'

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  isStdinTyped: process.stdin.isTTY,
  isInteractive: process.stderr.isTTY,
  writeOut: (text) => void process.stdout.write(`${text}\n`),
  writeError: (text) => void process.stderr.write(text),
})
