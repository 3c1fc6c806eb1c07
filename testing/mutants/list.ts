import { accountMutants } from './accounts.mutants.ts'
import { appMutants } from './apps.mutants.ts'
import { binMutants } from './bin.mutants.ts'
import { faultMutants } from './faults.mutants.ts'
import { fileMutants } from './files.mutants.ts'
import { licenseMutants } from './licenses.mutants.ts'
import type { Mutant } from './mutant.ts'
import { nonceMutants } from './nonces.mutants.ts'
import { operatingMutants } from './operating.mutants.ts'
import { platformMutants } from './platform.mutants.ts'
import { programMutants } from './programs.mutants.ts'
import { resellerMutants } from './resellers.mutants.ts'
import { sellerMutants } from './sellers.mutants.ts'
import { serverMutants } from './server.mutants.ts'
import { startMutants } from './start.mutants.ts'
import { userMutants } from './users.mutants.ts'
import { watchingMutants } from './watching.mutants.ts'
import { webhookMutants } from './webhooks.mutants.ts'

export const mutants: readonly Mutant[] = [
  ...programMutants,
  ...nonceMutants,
  ...licenseMutants,
  ...userMutants,
  ...binMutants,
  ...accountMutants,
  ...appMutants,
  ...resellerMutants,
  ...sellerMutants,
  ...serverMutants,
  ...startMutants,
  ...faultMutants,
  ...watchingMutants,
  ...webhookMutants,
  ...fileMutants,
  ...platformMutants,
  ...operatingMutants,
]
