import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { operations, type AnswerOf, type Operation, type RawInputOf } from '@flamegate/contract'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'

type AnyOperation = Pick<Operation, 'id'>

const taskAnswer = z.object({
  task: z.object({ status: z.string(), problem: z.object({ detail: z.string() }).nullable() }),
  next_poll_seconds: z.number().nullable(),
})

/** Does what an agent does: it knows the platform by its tools alone. What it notes is the transcript. */
export class Agent {
  readonly projectId: string
  private readonly client: Client
  private notes: string[] = []

  private constructor(client: Client, projectId: string) {
    this.client = client
    this.projectId = projectId
  }

  static async connect(url: string, token: string, workspaceId: string): Promise<Agent> {
    const client = new Client({ name: 'loops', version: '1.0' }, { versionNegotiation: { mode: 'auto' } })
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
    const nobody = new Agent(client, '')
    const { project } = await nobody.call(operations.createProject, {
      workspace_id: workspaceId,
      name: 'Loops',
    })
    return new Agent(client, project.id)
  }

  /** Calls the operation's tool. @throws Error with what the tool says when it refuses */
  async call<O extends AnyOperation>(operation: O, input: RawInputOf<O>): Promise<AnswerOf<O>> {
    const { structuredContent, content, isError } = await this.client.callTool({
      name: operation.id,
      arguments: { ...input },
    })
    if (isError === true || structuredContent === undefined) {
      throw new Error(`${operation.id}: ${JSON.stringify(content).slice(0, 1000)}`)
    }
    // Not read by its schema again: the server did that on its way out.
    const answer: AnswerOf<O> = JSON.parse(JSON.stringify(structuredContent))
    return answer
  }

  /** Uploads a profile by the request that the tool answers, and waits until it is read. Gives its id. */
  async upload(path: string, about: { run_id?: string; benchmark?: string } = {}): Promise<string> {
    const bytes = await readFile(path)
    const { upload, profile_id, task_id } = await this.call(operations.createProfileUpload, {
      project_id: this.projectId,
      file_name: basename(path),
      size_bytes: bytes.length,
      ...about,
    })
    if (upload === null) throw new Error('There is no request to upload by.')
    const { status } = await fetch(upload.url, {
      method: upload.method,
      headers: upload.headers,
      body: new Uint8Array(bytes),
    })
    if (status >= 300) throw new Error(`The upload was answered with ${status}.`)
    await this.wait(task_id)
    return profile_id
  }

  private async wait(taskId: string): Promise<void> {
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(200)) {
      const { task } = taskAnswer.parse(await this.call(operations.getTaskResult, { task_id: taskId }))
      if (task.status === 'SUCCESS') return
      if (task.status === 'FAILED') throw new Error(`Task failed: ${task.problem?.detail}`)
    }
    throw new Error('The task did not end.')
  }

  /** A line of the transcript. */
  note(line: string): void {
    console.log(`  ${line}`)
    this.notes.push(line)
  }

  /** What was noted since the last time. */
  takeNotes(): string[] {
    const { notes } = this
    this.notes = []
    return notes
  }

  close(): Promise<void> {
    return this.client.close()
  }
}
