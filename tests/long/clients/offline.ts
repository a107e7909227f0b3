import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How a program is kept from the internet. */
export interface Confinement {
  /** What goes before the program's own command. */
  command: readonly string[]
  env: Readonly<Record<string, string>>
  /** For the report. */
  description: string
  /** Whether names and addresses of the internet can be played by us: only where nothing can get out. */
  isOwnNetwork: boolean
}

/**
 * An address of the public internet, which our own network gives to itself: the guarded way out of the platform
 * refuses private ones, and it is to run as it is.
 */
export const playedAddress = '93.184.215.14'

/** Names in `/etc/hosts` while the confined program runs. */
export const hostsFile = join(tmpdir(), `flamegate-clients-hosts-${process.pid}`)

const ownNetwork: Confinement = {
  command: [
    'unshare',
    '--net',
    '--mount',
    // Whatever the clients leave running ends with it.
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
    'sh',
    '-ec',
    `ip link set lo up; ip address add ${playedAddress}/32 dev lo; mount --bind ${hostsFile} /etc/hosts; exec "$@"`,
    'sh',
  ],
  env: {},
  description: 'in a network namespace of its own, where there is nothing but loopback',
  isOwnNetwork: true,
}

const nowhere = 'http://127.0.0.1:9'
const deadProxies: Confinement = {
  command: [],
  env: {
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    http_proxy: nowhere,
    https_proxy: nowhere,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  },
  description:
    'with proxies that lead nowhere, because this machine does not let us make a network namespace',
  isOwnNetwork: false,
}

/** The strictest that this machine lets us have. `hostsFile` must be there. */
export function confine(): Confinement {
  const [program = '', ...args] = ownNetwork.command
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0 ? ownNetwork : deadProxies
}
