import { Resolver } from 'node:dns/promises'

/** Every address of a host name. A parameter so that tests can be a name server that lies. */
export type ResolveHost = (host: string) => Promise<string[]>

/** Each TXT record of a name, whole; none where there is no such name. Rejects while nobody can say. */
export type ResolveTxt = (name: string) => Promise<string[]>

const timeoutMs = 3000

/** Without the thread pool, on which replies are signed, and without `/etc/hosts`, which names machines inside. */
function newResolver(servers: readonly string[], tries: number): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  if (servers.length > 0) resolver.setServers(servers)
  return resolver
}

/** `servers` are addresses, with or without ports; none means those of the machine. */
export const hostResolver =
  (servers: readonly string[]): ResolveHost =>
  async (host) => {
    const resolver = newResolver(servers, 2)
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }

const noRecords = new Set(['ENODATA', 'ENOTFOUND'])

export const txtResolver =
  (servers: readonly string[]): ResolveTxt =>
  async (name) => {
    try {
      // One try: somebody waits for the answer, and can ask again.
      return (await newResolver(servers, 1).resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      if (noRecords.has((error as { code?: string }).code ?? '')) return []
      throw error
    }
  }
