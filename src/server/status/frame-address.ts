import { frameAddressFault } from '#contract/frame-address.ts'
import type { Services } from '../services.ts'

/**
 * The page framed in place of the status page; undefined without one. Checked each time: an address may no longer be
 * allowed, for example since HTTPS was enforced.
 */
export function frameAddress({ settings, config }: Pick<Services, 'settings' | 'config'>): URL | undefined {
  const { platform, security } = settings.latest
  const { statusPageUrl } = platform
  const surroundings = { publicUrl: config.publicUrl, enforceHTTPS: security.enforceHTTPS }
  return statusPageUrl === '' || frameAddressFault(statusPageUrl, surroundings) ? undefined : new URL(statusPageUrl)
}
