import type { Feature } from '#server/endpoint.ts'

/** Texts that owners store for their programs; the calls on those of a user are the users feature. */
export const variables: Feature = {
  name: 'variables',
  contract: {},
  endpoints: [],
  appTables: ['user_variables'],
}
