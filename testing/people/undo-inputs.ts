import { randomUUID } from 'node:crypto'
import type { BusyApp } from '../busy-app.ts'
import { newLicenses, type OwnedApp } from './people.ts'

/** Bans or pauses these rows with an undoable call; returns the undo ID. */
async function undoOf({ owner }: BusyApp, noun: 'users' | 'licenses' | 'seller_keys', named: object): Promise<unknown> {
  const body = { action: 'ban', ...named }
  return (await owner.visitor.send('POST', `/api/1.0/website/${noun}/bulk`, { body })).body['undoId']
}

/** Changes a variable; returns the undo ID. */
export async function changedVariable({ visitor }: OwnedApp): Promise<string> {
  const body = { variableName: 'x', variableData: randomUUID() }
  return (await visitor.call('POST /modify_app_var', { body })).body.undoId ?? ''
}

/** Bans a new license; returns the ID of the audit entry. */
async function newBan(owner: OwnedApp): Promise<string> {
  const [licenseKey = ''] = await newLicenses(owner, 1)
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey, banned: true } })
  const { entries } = (await owner.visitor.call('GET /audit', { query: { target: licenseKey } })).body
  return String(entries[0]?.id ?? 0)
}

/** Inputs with which the undo calls succeed. */
export const undoInputs = {
  'POST /users/undo': async (busy: BusyApp) => ({
    body: { undoId: await undoOf(busy, 'users', { usernames: [busy.username] }) },
  }),
  'POST /licenses/undo': async (busy: BusyApp) => ({
    body: { undoId: await undoOf(busy, 'licenses', { licenses: [busy.licenseKey] }) },
  }),
  'POST /seller_keys/undo': async (busy: BusyApp) => ({
    body: { undoId: await undoOf(busy, 'seller_keys', { action: 'pause', sellerKeys: [busy.sellerKey] }) },
  }),
  'POST /variables/undo': async ({ owner }: BusyApp) => ({
    body: { undoId: await changedVariable(owner) },
  }),
  'POST /audit/{id}/undo': async ({ owner }: BusyApp) => ({ params: { id: await newBan(owner) } }),
}
