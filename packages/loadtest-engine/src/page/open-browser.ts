import type { Browser } from 'playwright'
import type { TargetGate } from '../ports.ts'
import { startFilteringProxy, type FilteringProxy } from './filtering-proxy.ts'
import { launchBrowser } from './launch-browser.ts'

/**
 * What keeps a browser from any way to the network but its proxy: no names are looked up by itself, nothing goes over UDP, and
 * loopback is no exception.
 */
const onlyThroughProxy = [
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
]

/** A browser whose every connection the gate decides about. */
export interface GatedBrowser {
  browser: Browser
  proxy: FilteringProxy
}

export async function openBrowser(gate: TargetGate): Promise<GatedBrowser> {
  const proxy = await startFilteringProxy(gate)
  try {
    return { browser: await launchBrowser(onlyThroughProxy), proxy }
  } catch (error) {
    await proxy.stop()
    throw error
  }
}

/** However they are. */
export async function closeBrowser({ browser, proxy }: GatedBrowser): Promise<void> {
  await browser.close().catch(() => undefined)
  await proxy.stop()
}
