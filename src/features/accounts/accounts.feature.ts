import type { Feature } from '#server/endpoint.ts'
import { accountsContract } from './accounts.contract.ts'
import { accountOfToken } from './accounts.identity.ts'
import { checkAuth } from './api/check-auth.ts'
import { login } from './api/login.ts'
import { logout } from './api/logout.ts'
import { register } from './api/register.ts'
import { ensureFirstAdmin } from './first-admin.ts'

export const accounts: Feature = {
  name: 'accounts',
  contract: accountsContract,
  endpoints: [login, register, logout, checkAuth],
  identities: { account: accountOfToken },
  start: ensureFirstAdmin,
}
