import { Resolver } from 'node:dns/promises'

/** Resolves all addresses of a host name. A parameter so that tests can provide false answers. */
export type ResolveHost = (host: string) => Promise<string[]>

/** All TXT records of a name, complete; empty if the name does not exist. Rejects if no name server answers. */
export type ResolveTxt = (name: string) => Promise<string[]>

const timeoutMs = 3000

/** Does not use the thread pool, which signs replies, or `/etc/hosts`, which names internal machines. */
function newResolver(servers: readonly string[], tries: number): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  if (servers.length > 0) resolver.setServers(servers)
  return resolver
}

/** `servers` are addresses with optional ports; an empty list uses those of the machine. */
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
      // One attempt: a person is waiting and can retry.
      return (await newResolver(servers, 1).resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      if (noRecords.has((error as { code?: string }).code ?? '')) return []
      throw error
    }
  }
