import type { Endpoint } from '#server/http/endpoint.ts'
import { accountKind } from '../account-kind.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { securityEndpoints } from '../account-security.endpoints.ts'

export const securityCalls: readonly Endpoint[] = Object.values(securityEndpoints(accountSecurityContract, accountKind))
