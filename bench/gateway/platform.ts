import { isRpcResult, mcpRequestText, runClosedLoop } from './closed-loop.ts'

const connections = 16

/**
 * The gateway of a platform that runs, with its database, at `url`: a row by its primary key and a flame-graph query,
 * over MCP and over REST, which is the same work without MCP. Rates and latencies as this machine gives them; whose
 * CPU it was, is not known.
 */
export async function measurePlatform(url: string, token: string, seconds: number): Promise<void> {
  const { host } = new URL(url)
  const [workspace] = (await readRest('/v1/workspaces')).workspaces
  const { projects } = await readRest(`/v1/workspaces/${workspace.id}/projects`)
  const project = projects.find((each: { profile_count: number }) => each.profile_count > 0)
  if (!project) throw new RangeError('There is no profile to query; upload one, or use the demo data.')
  const [profile] = (await readRest(`/v1/projects/${project.id}/profiles?status=READY`)).profiles
  const subjects = [
    { name: 'get_profile', input: { profile_id: profile.id }, path: `/v1/profiles/${profile.id}` },
    {
      name: 'query_flamegraph',
      input: { profile_id: profile.id },
      path: `/v1/flamegraphs/query?profile_id=${profile.id}`,
    },
  ]

  console.log('| call | over | per second | p50 ms | p99 ms | clean |')
  console.log('| --- | --- | --: | --: | --: | --- |')
  for (const { name, input, path } of subjects) {
    const params = JSON.stringify({ name, arguments: input })
    const overMcp = (id: number) =>
      mcpRequestText(token, host, `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`)
    const overRest = () => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`
    await measure(name, 'MCP', overMcp, isRpcResult)
    await measure(name, 'REST', overRest, (body) => body.startsWith('{') && !body.includes('"code"'))
  }

  async function measure(
    name: string,
    over: string,
    requestText: (id: number) => string,
    isAnswer: (body: string, id: number) => boolean,
  ): Promise<void> {
    const loop = { url, connections, requestText, isAnswer }
    await runClosedLoop({ ...loop, seconds: 2 })
    const result = await runClosedLoop({ ...loop, seconds })
    const isClean = result.wrongAnswers === 0 && Object.keys(result.statuses).join() === '200'
    const numbers = [result.requests / result.seconds, result.p50Ms, result.p99Ms].map((value) =>
      value.toPrecision(3),
    )
    console.log(`| ${name} | ${over} | ${numbers.join(' | ')} | ${isClean ? 'yes' : 'no'} |`)
  }

  async function readRest(path: string) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return JSON.parse(await response.text())
  }
}
