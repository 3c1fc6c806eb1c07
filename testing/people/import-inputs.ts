import type { BusyApp } from '../busy-app.ts'
import type { OwnedApp } from './people.ts'

let made = 0

/** Starts an import of a file with two licenses. */
export async function newImport({ visitor }: Pick<OwnedApp, 'visitor'>): Promise<string> {
  const file = { kind: 'licenses', source: 'keyauth', fileName: 'keys.json', fingerprint: '', rows: 2 } as const
  const { body } = await visitor.call('POST /imports/start', { body: { ...file, levels: [{ label: '1', level: 1 }] } })
  return body.import.importId
}

const newRows = () => [{ row: 1, key: `IMPORTED-${++made}`, level: '1', duration: '30' }]

/** Starts an import and imports the first of its rows. */
export async function newImportedLicense(owner: Pick<OwnedApp, 'visitor'>): Promise<string> {
  const importId = await newImport(owner)
  await owner.visitor.call('POST /imports/rows', { body: { importId, batch: 1, licenses: newRows() } })
  return importId
}

/** Inputs with which the calls of imports succeed. */
export const importInputs = {
  'GET /imports': async ({ owner }: BusyApp) => {
    await newImport(owner)
    return {}
  },
  'POST /imports/check': ({ licenseKey }: BusyApp) => ({
    body: { licenses: [{ row: 1, key: licenseKey, level: '1', duration: '30' }], levels: ['1'] },
  }),
  'POST /imports/rows': async ({ owner }: BusyApp) => ({
    body: { importId: await newImport(owner), batch: 1, licenses: newRows() },
  }),
  'POST /imports/undo': async ({ owner }: BusyApp) => ({ body: { undoId: await newImportedLicense(owner) } }),
  'GET /import_report': async ({ owner }: BusyApp) => ({ query: { importId: await newImportedLicense(owner) } }),
}
