import { isLoopback } from './server-url.ts'

/** What a server says about itself in its OpenAPI document, for which it needs no key. */

interface ServerInfo {
  version: string | undefined
  publicUrl: string | undefined
}

const timeoutMs = 10_000

export async function serverInfo(url: string): Promise<ServerInfo> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(`${url}/api/1.0/seller/openapi.json`, { redirect: 'manual', signal })
    const { info, servers } = (await answer.json()) as { info?: { version?: unknown }; servers?: { url?: unknown }[] }
    return { version: textOf(info?.version), publicUrl: textOf(servers?.[0]?.url) }
  } catch {
    return { version: undefined, publicUrl: undefined }
  }
}

/** The address for customers. A command that runs on the server itself uses another one than they do. */
export async function publicUrlOf(url: string): Promise<string> {
  if (!isLocal(url)) return url
  const { publicUrl } = await serverInfo(url)
  return publicUrl !== undefined && URL.canParse(publicUrl) ? publicUrl.replace(/\/+$/, '') : url
}

/** Whether only this machine can open it. */
export const isLocal = (url: string): boolean =>
  isLoopback(new URL(url).hostname) || new URL(url).hostname === '0.0.0.0'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
