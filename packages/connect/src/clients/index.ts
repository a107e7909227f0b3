import type { McpClient } from '../client.ts'
import type { Site } from '../site.ts'
import { chatgpt } from './chatgpt.ts'
import { claudeAi } from './claude-ai.ts'
import { claudeCode } from './claude-code.ts'
import { claudeDesktop } from './claude-desktop.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { continueDev } from './continue.ts'
import { cursor } from './cursor.ts'
import { geminiCli } from './gemini-cli.ts'
import { goose } from './goose.ts'
import { jetbrains } from './jetbrains.ts'
import { librechat } from './librechat.ts'
import { opencode } from './opencode.ts'
import { other } from './other.ts'
import { vsCode } from './vs-code.ts'
import { windsurf } from './windsurf.ts'
import { zed } from './zed.ts'

const described = [
  claudeCode,
  claudeAi,
  claudeDesktop,
  chatgpt,
  codex,
  geminiCli,
  opencode,
  vsCode,
  cursor,
  windsurf,
  zed,
  jetbrains,
  cline,
  continueDev,
  goose,
  librechat,
  other,
]

/** All clients, as they are told about this installation, in the order in which people look for them. */
export function clients(site: Site): McpClient[] {
  return described.map((describe) => describe(site))
}
