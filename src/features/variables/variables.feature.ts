import type { Feature } from '#server/http/endpoint.ts'
import { bulkDeleteAppVariables } from './api/bulk-delete-app-variables.ts'
import { exportAppVariables, exportSelectedAppVariables } from './api/export-app-variables.ts'
import { appVariableCalls } from './api/app-variables.ts'
import { variablesContract } from './variables.contract.ts'

/** Values that owners store for their programs; calls on user variables are in the users feature. */
export const variables: Feature = {
  name: 'variables',
  contract: variablesContract,
  endpoints: [...appVariableCalls, bulkDeleteAppVariables, exportAppVariables, exportSelectedAppVariables],
  appTables: ['user_variables', 'app_variables'],
}
