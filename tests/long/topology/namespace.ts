import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/**
 * Runs this program again in namespaces of its own, where all ports of loopback are free and names lead where these lines say. Comes
 * back at once where it is in them already.
 */
export function inOwnNamespace(hosts: string, hostsFile: string): void {
  if (process.env['FLAMEGATE_TOPOLOGY'] === 'inside') return
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    console.error('SKIPPED: this needs Linux and root, for network namespaces of its own.')
    process.exit(1)
  }
  writeFileSync(hostsFile, hosts)
  const enter = `ip link set lo up && mount --bind '${hostsFile}' /etc/hosts && exec "$@"`
  const { status } = spawnSync(
    'unshare',
    ['--mount', '--net', 'sh', '-c', enter, 'sh', process.execPath, ...process.argv.slice(1)],
    { stdio: 'inherit', env: { ...process.env, FLAMEGATE_TOPOLOGY: 'inside' } },
  )
  process.exit(status ?? 1)
}
