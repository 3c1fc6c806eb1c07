import type { Feature } from '#server/endpoint.ts'

/** Sessions of protected programs. */
export const sessions: Feature = {
  name: 'sessions',
  contract: {},
  endpoints: [],
  appTables: ['client_sessions'],
}
