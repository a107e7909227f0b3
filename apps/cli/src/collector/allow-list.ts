import { readFile, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { CaptureKind, CaptureTargetKind, CaptureType } from '@flamegate/contract'
import {
  captureKindNames,
  captureKinds,
  captureTypes,
  longestCaptureSeconds,
} from '@flamegate/contract/profiles/capture-kinds'
import { z } from 'zod'
import { addressOf } from '../capture/capture-options.ts'
import { UsageError } from '../usage-error.ts'
import { withoutByteOrderMark } from '../without-byte-order-mark.ts'
import { allowedMcpServer, allowedMcpServerOf, type AllowedMcpServer } from './allowed-mcp-server.ts'

const word = z.string().regex(/^[\w.-]{1,60}$/, 'use letters, digits, dots, underscores and dashes')

const allowedCapture = z
  .strictObject({
    kind: z.enum(captureKindNames),
    /** The one thing that it is of. */
    url: z.string().optional(),
    pid: z.int().positive().optional(),
    /** A file with the number in it, as services write it. */
    pid_file: z.string().optional(),
    command: z.tuple([z.string().min(1)], z.string()).optional(),
    /** Where the command runs; where the collector does when left out. */
    cwd: z.string().optional(),
    types: z.array(z.enum(captureTypes)).min(1).optional(),
    seconds_max: z.int().min(1).max(longestCaptureSeconds).default(60),
    description: z.string().max(200).optional(),
    tags: z.array(z.string().min(1).max(60)).max(20).default([]),
  })
  .superRefine((capture, context) => {
    const { targets, types } = captureKinds[capture.kind]
    const given = targetFields.filter(({ field }) => capture[field] !== undefined)
    const wanted = targetFields.filter(({ kind }) => targets.includes(kind)).map(({ field }) => field)
    if (given.length !== 1 || !given.every(({ field }) => wanted.includes(field))) {
      context.addIssue({
        code: 'custom',
        message: `${capture.kind} needs ${wanted.join(' or ')}, and nothing else`,
      })
    }
    const unknown = capture.types?.filter((type) => !types.includes(type)) ?? []
    if (unknown.length > 0) {
      context.addIssue({
        code: 'custom',
        message: `${capture.kind} cannot take ${unknown.join(', ')}`,
        path: ['types'],
      })
    }
  })

const targetFields: readonly {
  field: 'url' | 'pid' | 'pid_file' | 'command'
  kind: CaptureTargetKind
}[] = [
  { field: 'url', kind: 'url' },
  { field: 'pid', kind: 'pid' },
  { field: 'pid_file', kind: 'pid' },
  { field: 'command', kind: 'command' },
]

const allowListFile = z
  .strictObject({
    name: word.optional(),
    allow: z.record(word, allowedCapture).default({}),
    mcp: z.record(word, allowedMcpServer).default({}),
  })
  .refine(({ allow, mcp }) => Object.keys(allow).length + Object.keys(mcp).length > 0, {
    message: 'name one capture at least, or an MCP server in mcp',
    path: ['allow'],
  })

/** One capture that a collector may take. */
export interface AllowedCapture {
  name: string
  kind: CaptureKind
  target: { url: string } | { pid: number } | { pidFile: string } | { command: [string, ...string[]] }
  cwd: string | undefined
  types: readonly CaptureType[]
  secondsMax: number
  description: string | undefined
  tags: readonly string[]
}

/** What a collector may do, as whoever runs it wrote it down. */
export interface AllowList {
  /** Of the collector; the machine's when the file has none. */
  name: string
  captures: readonly AllowedCapture[]
  mcpServers: readonly AllowedMcpServer[]
}

/**
 * Reads the file that says what a collector may run.
 * @throws UsageError that names what is wrong with it, also when others may change it
 */
export async function readAllowList(cwd: string, fileName: string): Promise<AllowList> {
  const path = resolve(cwd, fileName)
  const facts = await stat(path).catch(() => undefined)
  if (facts?.isFile() !== true) throw new UsageError(`${fileName}: There is no such file.`)
  if (process.platform !== 'win32' && (facts.mode & 0o022) !== 0) {
    throw new UsageError(
      `${fileName}: Others may write it, and so decide what is run here. chmod go-w ${fileName}`,
    )
  }
  return parseAllowList(await readFile(path, 'utf8'), fileName)
}

/** @throws UsageError */
export function parseAllowList(text: string, fileName: string): AllowList {
  const { name, allow, mcp } = parsed(text, fileName)
  return {
    name:
      name ??
      hostname()
        .replaceAll(/[^\w.-]/g, '-')
        .slice(0, 60),
    captures: Object.entries(allow).map(([each, capture]) => ({
      name: each,
      kind: capture.kind,
      target: targetOf(capture),
      cwd: capture.cwd,
      types: capture.types ?? captureKinds[capture.kind].types,
      secondsMax: capture.seconds_max,
      description: capture.description,
      tags: capture.tags,
    })),
    mcpServers: Object.entries(mcp).map(([each, server]) => allowedMcpServerOf(each, server)),
  }
}

function parsed(text: string, fileName: string): z.output<typeof allowListFile> {
  let document: unknown
  try {
    document = JSON.parse(withoutByteOrderMark(text))
  } catch (error) {
    throw new UsageError(`${fileName}: ${error instanceof Error ? error.message : 'It is no JSON.'}`)
  }
  const read = allowListFile.safeParse(document)
  if (read.success) return read.data
  const wrong = read.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
  throw new UsageError([`${fileName} says not clearly what may be run:`, ...wrong].join('\n'))
}

function targetOf({
  kind,
  url,
  pid,
  pid_file: pidFile,
  command,
}: z.output<typeof allowedCapture>): AllowedCapture['target'] {
  if (url !== undefined) return { url: addressOf(kind, url) }
  if (pid !== undefined) return { pid }
  if (pidFile !== undefined) return { pidFile }
  if (command !== undefined) return { command }
  throw new TypeError(`${kind} has no target`)
}
