import type { Services } from './services.ts'

/** A value per running server, created on first use and released with the server. */
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
