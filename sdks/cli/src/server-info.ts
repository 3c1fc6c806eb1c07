import { isLoopback } from './server-url.ts'

const timeoutMs = 10_000

/** The address for customers. A command that runs on the server itself uses another one than they do. */
export async function publicUrlOf(url: string): Promise<string> {
  if (!isLocal(url)) return url
  const publicUrl = await publicUrlInDocument(url)
  return publicUrl !== undefined && URL.canParse(publicUrl) ? publicUrl.replace(/\/+$/, '') : url
}

/** From the OpenAPI document of a server, for which it needs no key. */
async function publicUrlInDocument(url: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(`${url}/api/1.0/seller/openapi.json`, { redirect: 'manual', signal })
    const { servers } = (await answer.json()) as { servers?: { url?: unknown }[] }
    const publicUrl = servers?.[0]?.url
    return typeof publicUrl === 'string' ? publicUrl : undefined
  } catch {
    return undefined
  }
}

/** Whether only this machine can open it. */
export const isLocal = (url: string): boolean =>
  isLoopback(new URL(url).hostname) || new URL(url).hostname === '0.0.0.0'
