import type { Feature } from '#server/http/endpoint.ts'
import { exportApp } from './api/export-app.ts'
import { appExportContract } from './app-export.contract.ts'

/** Export of all data of an app as one file. */
export const appExport: Feature = { name: 'app-export', contract: appExportContract, endpoints: [exportApp] }
