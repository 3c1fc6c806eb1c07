import type { Services } from './services.ts'

/** One for each running server, made when it is first wanted; it goes with the server. */
export function perServer<T extends object>(create: (services: Services) => T): (services: Services) => T {
  const all = new WeakMap<Services, T>()
  return (services) => {
    const existing = all.get(services)
    if (existing) return existing
    const created = create(services)
    all.set(services, created)
    return created
  }
}
